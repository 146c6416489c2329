// The command line of `parley sim`.
#pragma once

#include <lab/sim/timed/report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command/verbs.hpp"
#include "lab/command/sim/given_options.hpp"
#include "lab/command/sim/session.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

// One run: what the command line says, with one value of what is swept.
struct sim_run {
    parley_programs::json parameters;
    parley::sim::timed::setup setup;
    std::string faults;  // their name
};

struct sim_options {
    const parley_programs::program* what = nullptr;
    std::vector<sim_run> runs;  // one, or one for each value that is swept
    std::string swept;          // its name, or empty
    std::vector<std::string> values;
    sweep_picture picture;
    bool profile = false;
    std::string profile_file;  // for the picture; empty: none
    wanted_timeline timeline;
    std::string json_file;
    std::optional<std::string> calibrate;  // the file to write; "-": standard output
};

// Prints help if that is asked for, and then returns nothing. Throws usage_error.
[[nodiscard]] std::optional<sim_options> parse_sim(arguments words);

}  // namespace parley_cli
