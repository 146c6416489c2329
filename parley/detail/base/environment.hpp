// Reads the environment where it can be trusted.
#pragma once

#include <cstdlib>

namespace parley::inline v0::base {

// Returns the variable's value, or null if it is not set. Also null in a program that has more rights than the user who
// started it (setuid, setgid, capabilities). There a variable such as PARLEY_TRACE would lend these rights to the user.
[[nodiscard]] inline const char* environment_variable(const char* name) noexcept { return ::secure_getenv(name); }

}  // namespace parley::inline v0::base
