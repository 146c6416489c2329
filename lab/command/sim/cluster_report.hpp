// What `parley sim cluster` says of a run.
#pragma once

#include <string>

#include "lab/command/sim/cluster_study.hpp"

namespace parley_cli {

[[nodiscard]] std::string cluster_text(const cluster_setting&, const parley::sim::virtual_report&, bool is_right);

// Of a sweep.
[[nodiscard]] std::string cluster_head();
[[nodiscard]] std::string cluster_row(const cluster_setting&, const parley::sim::virtual_report&);

[[nodiscard]] parley_programs::json cluster_line(const cluster_setting&, const parley::sim::virtual_report&, bool is_right);

}  // namespace parley_cli
