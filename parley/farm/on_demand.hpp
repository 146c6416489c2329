/// @file
/// A schedule that gives each item to a lane that has room. If none has, the item waits for the first one that has.
#pragma once

#include <parley/farm/lane_levels.hpp>

#include <cstddef>
#include <optional>

namespace parley::inline v0 {

/// A schedule by which a lane may have `depth` items waiting behind the one that it works on. 0 is best for items of
/// unequal length, and when lanes are unequal. 1 or 2 hide the time that a hand-over takes.
struct on_demand {
    std::size_t depth = 0;  ///< The number of items that may wait in a lane.

    /// Chooses the lane that has least, of those with room. Of equals it takes the next one in turn. O(lanes), less if
    /// a lane is idle.
    class balancer {
    public:
        /// begin() calls this.
        explicit balancer(std::size_t depth) noexcept : depth_(depth) {}

        /// Returns the lane of the next item, or nobody while none has room.
        std::optional<std::size_t> choose(const lane_levels& levels) {
            std::optional<std::size_t> best;
            std::size_t least = 0;  // the level of `best`
            for (std::size_t i = 0; i < levels.size() && (!best || least > 0); ++i) {
                const std::size_t lane = (next_ + i) % levels.size();
                const std::size_t level = levels[lane];
                if (level > depth_ || (best && level >= least)) continue;
                least = level;
                best = lane;
            }
            if (best) next_ = (*best + 1) % levels.size();
            return best;
        }

    private:
        std::size_t depth_;
        std::size_t next_ = 0;
    };

    /// Returns what decides during one run, for any number of lanes.
    [[nodiscard]] balancer begin(std::size_t) const noexcept { return balancer(depth); }
};

/// The default schedule. The batches of a farm with one body are tasks, which idle workers steal. Items in lanes cannot
/// be stolen, so an idle lane takes the next item of a common queue.
struct work_stealing {
    /// Returns what decides between lanes: that of on_demand with a depth of 0.
    [[nodiscard]] on_demand::balancer begin(std::size_t) const noexcept { return on_demand::balancer(0); }
};

}  // namespace parley::inline v0
