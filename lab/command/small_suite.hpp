// `parley bench --suite small`: is little work ever slower in parallel than without?
#pragma once

#include "command/verbs.hpp"

namespace parley_cli {

// Are these the words of a call of that suite?
[[nodiscard]] bool names_small_suite(arguments words) noexcept;

// Runs it. Returns the exit status. Throws usage_error.
[[nodiscard]] int small_suite(arguments words);

}  // namespace parley_cli
