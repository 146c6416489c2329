// The farms of Moniruzzaman and Idrees (2015) as a simulation runs them: how many items, what they take on which lane.
#pragma once

#include <lab/sim/timed/time.hpp>
#include <parley/farm/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_programs::shapes {

struct farm_shape {
    std::uint64_t items = 0;    // of one stream
    std::uint64_t streams = 1;  // one after the other
    std::uint64_t pool = 0;     // items go round: so many
    bool ordered = true;
    std::size_t lanes = 1;
    parley::sim::timed::duration item = 0;  // on all lanes but the last one
    parley::sim::timed::duration last = 0;
    bool sleeps = false;  // instead of computing
};

[[nodiscard]] const std::vector<std::string>& farm_names();

// Of one of these programs.
[[nodiscard]] farm_shape farm_of(std::string_view program, const json& parameters);

// By the words of --schedule, as the real farms take it.
[[nodiscard]] parley::any_schedule schedule_of(const json& parameters);

}  // namespace parley_programs::shapes
