/// @file
/// RRS: the lanes get items in turn, whatever they have. It is FastFlow's default, and reproducible.
#pragma once

#include <parley/farm/lane_levels.hpp>

#include <cstddef>
#include <optional>

namespace parley::inline v0 {

/// A schedule that takes the lanes in turn. The result of a run depends on no timing.
struct round_robin {
    /// Decides during one run.
    class balancer {
    public:
        /// Returns the next lane in turn. O(1).
        std::optional<std::size_t> choose(const lane_levels& levels) noexcept {
            const std::size_t lane = next_;
            next_ = next_ + 1 == levels.size() ? 0 : next_ + 1;
            return lane;
        }

    private:
        std::size_t next_ = 0;
    };

    /// Returns what decides during one run, for any number of lanes.
    [[nodiscard]] balancer begin(std::size_t) const noexcept { return {}; }
};

}  // namespace parley::inline v0
