// The environment, for those who may trust it.
#pragma once

#include <cstdlib>

namespace parley::inline v0::base {

// The variable's value, or null if it is not set. Null, too, in a program that runs with more rights than who started it
// (setuid, setgid, capabilities): a variable such as PARLEY_TRACE would lend these rights to whoever set it.
[[nodiscard]] inline const char* environment_variable(const char* name) noexcept { return ::secure_getenv(name); }

}  // namespace parley::inline v0::base
