// What is explored of two runtimes.
#pragma once

#include <lab/sim/explorer.hpp>
#include <lab/sim/small_regions.hpp>
#include <lab/sim/two_simulations.hpp>

#include <cstdint>
#include <vector>

namespace parley::inline v0::sim {

// As explorer_scene.
struct two_runtimes_scene {
    const char* name;
    const char* asks;
    std::uint32_t workers;  // of each
    two_programs (*make)();
    openness open;

    [[nodiscard]] settings with(std::uint32_t any_workers) const { return {.workers = any_workers}; }
    [[nodiscard]] exploration_limits limits() const {
        return {.states = 40'000'000, .open = open, .until_roots_ended = true, .others_sleep_first = true};
    }
};

inline const std::vector<two_runtimes_scene>& two_runtimes_scenes() {
    constexpr openness any;
    constexpr openness sleepy{.may_look_again = false, .may_rest = false, .wakes_for_no_reason = false};
    static const std::vector<two_runtimes_scene> scenes = {
        {"two_runtimes2x2", "is a thread woken that waits in a second runtime?", 2, small::visit, any},
        {"two_runtimes2x2_job", "does it do there what its first one needs?", 2, small::visit_and_job, sleepy},
    };
    return scenes;
}

}  // namespace parley::inline v0::sim
