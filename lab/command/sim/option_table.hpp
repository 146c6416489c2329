// The options of `parley sim` beside the program's own: names, what they allow, defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_cli {

struct sim_option {
    std::string name;
    std::string help;
    std::int64_t low = 0, high = 0;  // a whole number, if high is not 0
    std::vector<std::string> words = {};
    std::string placeholder = "N";
    std::string initial = {};  // for people
    bool is_time = false;      // microseconds, or with a unit
    bool is_flag = false;
    std::string form = {};  // what else it allows, for people

    // It can be swept.
    [[nodiscard]] bool is_number() const { return is_time || (high != 0 && words.empty()); }
};

[[nodiscard]] std::vector<sim_option> options_of_sim(const parley_programs::program& p);

// Of a farm. Lanes that sleep instead of computing share no cores.
[[nodiscard]] std::vector<sim_option> options_of_farm_sim(const parley_programs::program& p, bool lanes_compute);

// As 1,1,0.5 or 1x12,0.5x8: in thousandths, for each lane. Empty: it is none of these.
[[nodiscard]] std::vector<std::uint64_t> speeds_in(std::string_view text);

// What is wrong with a value, or empty.
[[nodiscard]] std::string complaint_about(const sim_option& o, std::string_view value);

// As 10, 10us, 1.5ms or 500ns: microseconds.
[[nodiscard]] std::optional<double> microseconds_in(std::string_view text);

// What is swept: 1..48, 1..48..4 or 1,2,48. Empty: it is none of these.
[[nodiscard]] std::vector<std::string> values_in(std::string_view text);

}  // namespace parley_cli
