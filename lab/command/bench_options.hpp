// The command line of `parley bench`.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_cli {

// A program with options of its own.
struct bench_entry {
    const parley_programs::program* program = nullptr;
    std::map<std::string, std::string> given;
    std::string workload = {};                 // what the table of its suite calls it; empty: it is in none
    std::vector<std::string> schedulers = {};  // those of the suite's that it is for; empty: all

    [[nodiscard]] bool is_for(const std::string& scheduler) const;
};

struct bench_options {
    std::vector<bench_entry> entries;
    std::vector<std::string> schedulers;  // empty: all that the program runs on
    std::vector<unsigned> workers;
    parley_peers::tuning_choices tuning;  // of the schedulers that take it
    parley_programs::request wanted;
    std::optional<unsigned> repeat;
    std::optional<unsigned> seconds;   // no new round of a program after so many
    std::string json_file;             // empty: none; "-": standard output
    std::string plot_folder;           // empty: none
    std::string suite;                 // empty: none; one that was interrupted goes on
    std::vector<std::string> unbuilt;  // schedulers that the suite would compare, too

    // What an entry is measured with.
    [[nodiscard]] parley_programs::request request_of(const bench_entry& e) const;
    [[nodiscard]] std::vector<std::string> schedulers_of(const bench_entry& e) const;  // that it runs on
    [[nodiscard]] bool lists_serial() const;  // whether the serial program has a line of its own
};

// Reads what follows `parley bench`. Prints help if that is asked for, and then returns nothing.
// Throws usage_error.
[[nodiscard]] std::optional<bench_options> parse_bench(std::span<const char* const> arguments);

}  // namespace parley_cli
