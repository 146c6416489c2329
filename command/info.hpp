// What `parley info` says, with and without the laboratory's programs.
#pragma once

#include <string_view>

#include "command/verbs.hpp"

namespace parley_cli {

// Prints what was built, `programs` (lines of what else was built, or nothing), the machine, and how many workers a runtime
// would take and why. Returns the exit status; throws usage_error if there are arguments other than --help.
[[nodiscard]] int print_info(arguments args, std::string_view programs);

}  // namespace parley_cli
