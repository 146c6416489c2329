// `parley sim broker`: several programs share a machine's cores, in virtual time.
#pragma once

#include <vector>

#include "cli/sim/study.hpp"

namespace parley_cli {

[[nodiscard]] std::vector<sim_option> broker_study_table();

[[nodiscard]] int run_broker_study(const study_options&);

}  // namespace parley_cli
