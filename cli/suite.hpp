// Prepared lists of programs for `parley bench --suite`.
#pragma once

#include <string>
#include <vector>

#include "cli/bench_options.hpp"

namespace parley_cli {

struct suite {
    std::string name;
    std::vector<bench_entry> entries;
    std::vector<std::string> schedulers;  // of this build; empty: all that a program runs on
    std::vector<unsigned> workers;
};

[[nodiscard]] std::vector<std::string> suite_names();

/// Throws usage_error if there is none of that name. `processors` is how many workers the largest runs have.
[[nodiscard]] suite suite_named(const std::string& name, unsigned processors);

}  // namespace parley_cli
