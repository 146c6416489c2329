// `parley bench --suite small`: is little work ever slower in parallel than without?
#pragma once

#include "command/verbs.hpp"

namespace parley_cli {

// Runs it. Returns the exit status. Throws usage_error.
[[nodiscard]] int small_suite(arguments words);

}  // namespace parley_cli
