// The command line of `parley run`.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "lab/programs/program.hpp"

namespace parley_cli {

struct run_options {
    const parley_programs::program* what = nullptr;
    parley_programs::request wanted;
    std::string scheduler;
    std::optional<unsigned> workers;  // empty: the environment decides, else the machine
    std::optional<unsigned> repeat;   // empty: as many as are worth the time
    std::string watchdog;             // parley's; empty: the environment decides
    parley_peers::tuning_choices tuning;
    bool profile = false;
    std::string profile_file;  // for the picture; empty: none
    std::string trace_file;    // for the timeline; empty: none
    std::string json_file;     // empty: none; "-": standard output
};

// Reads what follows `parley run`. Prints help if that is asked for, and then returns nothing.
// Throws usage_error.
[[nodiscard]] std::optional<run_options> parse_run(std::span<const char* const> arguments);

}  // namespace parley_cli
