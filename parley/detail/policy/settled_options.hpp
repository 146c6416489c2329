// What a user chose, with everything that follows from it.
#pragma once

#include <parley/options.hpp>

namespace parley::inline v0::threading {

// Throws usage_error for what cannot be chosen together.
options settled(options chosen);

// Adds what the environment wants shown and `chosen` does not say: the variables that change nothing but that hold for
// each runtime of the process. Throws environment_error.
void heed_tools(options& chosen);

// Is PARLEY_PROFILE=1? Throws environment_error.
[[nodiscard]] bool profile_is_in_environment();

}  // namespace parley::inline v0::threading
