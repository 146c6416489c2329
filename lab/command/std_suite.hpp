// `parley bench --suite std`: the standard's parallel algorithms on Parley beside oneTBB.
#pragma once

#include "command/verbs.hpp"

namespace parley_cli {

// Measures what the words say. Returns the exit status.
[[nodiscard]] int std_suite(arguments words);

}  // namespace parley_cli
