// Parley's schedules of lanes by the words of --schedule.
#pragma once

#include <parley/farm/adaptive_round_robin.hpp>
#include <parley/farm/on_demand.hpp>
#include <parley/farm/round_robin.hpp>
#include <parley/farm/schedule.hpp>

#include <cstddef>
#include <string_view>

namespace parley_peers::inline v0 {

[[nodiscard]] inline ::parley::any_schedule schedule_of(std::string_view word, std::size_t depth, std::size_t chunk) {
    if (word == "round-robin") return ::parley::round_robin{};
    if (word == "on-demand") return ::parley::on_demand{depth};
    if (word == "adaptive") return ::parley::adaptive_round_robin{.chunk = chunk};
    return ::parley::work_stealing{};
}

}  // namespace parley_peers::inline v0
