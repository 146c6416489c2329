// What `parley` itself does with a verb: another program beside it has that.
#pragma once

#include "command/verbs.hpp"

namespace parley_cli {

// Whether such a program lies in the folder of this one.
[[nodiscard]] bool is_beside(const char* program);

// Becomes that program, with `args` as its own, the verb among them where it has several. Throws usage_error, which
// names `package`, if it is not there, and std::system_error.
[[nodiscard]] int hand_over(const char* verb, const char* program, const char* package, arguments args);

}  // namespace parley_cli
