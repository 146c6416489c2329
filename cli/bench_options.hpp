// The command line of `parley bench`.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "programs/program.hpp"

namespace parley_cli {

/// A program with options of its own.
struct bench_entry {
    const parley_programs::program* program = nullptr;
    std::map<std::string, std::string> given;
    friend bool operator==(const bench_entry&, const bench_entry&) = default;
};

struct bench_options {
    std::vector<bench_entry> entries;
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
