// What `parley sim` knows beside programs: the cluster's ranks, and programs under the broker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command/verbs.hpp"

namespace parley_cli {

[[nodiscard]] const std::vector<std::string>& study_names();

// For help: a line each.
[[nodiscard]] std::string study_summaries();

// Its exit status; nothing if the first word is none of them. Throws usage_error.
[[nodiscard]] std::optional<int> run_study(arguments words);

}  // namespace parley_cli
