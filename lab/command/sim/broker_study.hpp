// `parley sim broker`: several programs share a machine's cores, in virtual time.
#pragma once

#include "lab/command/sim/study.hpp"

namespace parley_cli {

[[nodiscard]] study broker_study();

}  // namespace parley_cli
