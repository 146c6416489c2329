// The command line of `parley bench`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "programs/program.hpp"

namespace parley_cli {

struct bench_options {
    std::vector<const parley_programs::program*> programs;
    std::vector<std::string> schedulers;  // empty: all that the program runs on
    std::vector<unsigned> workers;
    parley_programs::request wanted;
    std::optional<unsigned> repeat;
    std::string json_file;    // empty: none; "-": standard output
    std::string plot_folder;  // empty: none
};

/// Reads what follows `parley bench`. Prints help if that is asked for, and then returns nothing.
/// Throws usage_error.
[[nodiscard]] std::optional<bench_options> parse_bench(std::span<const char* const> arguments);

}  // namespace parley_cli
