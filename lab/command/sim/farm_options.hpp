// The command line of `parley sim farm-...`.
#pragma once

#include <lab/sim/farms/report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/verbs.hpp"
#include "lab/command/sim/given_options.hpp"
#include "lab/command/sim/session.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

struct farm_run {
    parley_programs::json parameters;
    parley::sim::farms::setup setup;
    std::string faults;                     // their name
    std::uint64_t streams = 1;              // one after the other
    parley::sim::timed::duration item = 0;  // on a lane of speed 1
    std::vector<std::uint64_t> speeds;      // of the lanes, in thousandths
    double model = 1.0;                     // equation (2), with the cores that lanes share
};

struct farm_options {
    const parley_programs::program* what = nullptr;
    std::vector<farm_run> runs;  // one, or one for each value that is swept
    std::string swept;           // its name, or empty
    std::vector<std::string> values;
    sweep_picture picture;
    wanted_timeline timeline;
    std::string json_file;
};

[[nodiscard]] bool is_farm(std::string_view program);

// The first word is the program. Prints help if that is asked for, and then returns nothing. Throws usage_error.
[[nodiscard]] std::optional<farm_options> parse_farm_sim(arguments words);

}  // namespace parley_cli
