// What was chosen of a runtime, with everything that follows from it.
#pragma once

#include <parley/detail/policy/tuning.hpp>
#include <parley/options.hpp>

namespace parley::inline v0::threading {

struct setting {
    options chosen;  // by users
    tuning how;      // by researchers
};

// Throws usage_error for what cannot be chosen together, and environment_error.
setting settled(setting s);
inline options settled(const options& chosen) { return settled(setting{chosen, {}}).chosen; }

// Adds what the environment wants shown and `chosen` does not say: the variables that change nothing but that hold for
// each runtime of the process. Throws environment_error.
void heed_tools(options& chosen);

// Is PARLEY_PROFILE=1? Throws environment_error.
[[nodiscard]] bool profile_is_in_environment();

}  // namespace parley::inline v0::threading
