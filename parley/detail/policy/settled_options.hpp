// What was chosen of a runtime, and what follows from it.
#pragma once

#include <parley/detail/policy/tuning.hpp>
#include <parley/options.hpp>

namespace parley::inline v0::threading {

struct setting {
    options chosen;  // by users
    tuning how;      // by researchers
};

// Returns the setting with its consequences. Throws usage_error if choices exclude each other, and environment_error.
setting settled(setting s);
inline options settled(const options& chosen) { return settled(setting{chosen, {}}).chosen; }

// Adds what the environment wants shown and `chosen` does not say. These variables change nothing else, so they hold
// for each runtime of the process. Throws environment_error.
void heed_tools(options& chosen);

// Is PARLEY_PROFILE=1? Throws environment_error.
[[nodiscard]] bool profile_is_in_environment();

}  // namespace parley::inline v0::threading
