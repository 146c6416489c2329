#include "tests/lab/sim/runs.hpp"

namespace sim_tests {

std::size_t steps_to_print() {
    return static_cast<std::size_t>(parley_tests::number_from_environment("PARLEY_SIM_LOG").value_or(150));
}

}  // namespace sim_tests
