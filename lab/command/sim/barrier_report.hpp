// What `parley sim` says of a run's barriers.
#pragma once

#include <lab/sim/timed/report.hpp>

#include <string>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_cli {

[[nodiscard]] std::string barriers_text(const std::vector<parley::sim::timed::barrier_report>& all);
[[nodiscard]] parley_programs::json barriers_json(const std::vector<parley::sim::timed::barrier_report>& all);

}  // namespace parley_cli
