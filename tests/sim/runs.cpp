#include "tests/sim/runs.hpp"

#include <cstdlib>

namespace sim_tests {

namespace {

std::optional<std::uint64_t> variable(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::strtoull(value, nullptr, 10);
}

}  // namespace

seeds seeds_to_run(std::uint64_t usual) {
    if (const auto one = variable("PARLEY_SIM_SEED")) return {*one, 1};
    return {variable("PARLEY_SIM_FIRST").value_or(1), variable("PARLEY_SIM_SEEDS").value_or(usual)};
}

std::size_t steps_to_print() {
    return static_cast<std::size_t>(variable("PARLEY_SIM_LOG").value_or(150));
}

}  // namespace sim_tests
