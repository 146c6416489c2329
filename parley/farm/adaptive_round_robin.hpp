/// @file
/// ARRS: Moniruzzaman and Idrees, "An adaptive load-balancer for task-scheduling in FastFlow" (2015), section II and figure
/// 5. Levels are recorded once per block of items (CHUNK_SIZE). Within a block the lanes that have less are filled up first,
/// then all get items in turn. When few items of the block are left (NEAR_END), a fake task goes to every lane. The next
/// block waits until one lane has come to its fake.
///
/// This differs from the figure:
/// - begin() refuses a chunk that is not longer than NEAR_END. It would never send its fakes, and the figure would wait for
///   them for ever.
/// - A fake carries the number of its episode. A slow lane may execute it an episode late; then it releases nothing.
/// - Fakes go out behind item CHUNK_SIZE - NEAR_END of a block, in the figure behind the next item.
/// - The first blocks are short: p, 2p, 4p and so on up to the chunk, because the first one is dealt out blindly. This is
///   future work in the paper (section IV).
/// - A block is not longer than the number of items that are ready, if that is more than NEAR_END.
#pragma once

#include <parley/errors.hpp>
#include <parley/farm/lane_levels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::inline v0 {

/// The schedule ARRS: lanes get items in turn, but now and then those that have less are filled up first (Moniruzzaman
/// and Idrees, 2015).
struct adaptive_round_robin {
    std::size_t chunk = 300;         ///< CHUNK_SIZE, the paper's value
    std::size_t near_end_share = 4;  ///< NEAR_END = 4 x lanes, as in the figure

    /// Decides during one run.
    class balancer {
    public:
        /// begin() calls this. When `near_end` items of a block are left, the fakes go out.
        balancer(std::size_t lanes, std::size_t chunk, std::size_t near_end)
            : chunk_(chunk), near_end_(near_end), grown_(lanes), level_(lanes, 0) {}

        /// Returns the lane of the next item, or nobody while the next block waits for a fake. O(lanes).
        std::optional<std::size_t> choose(const lane_levels& levels) {
            if (scheduled_ == block_ && !begin_block(levels)) return std::nullopt;
            const std::size_t lane = is_balanced() ? in_turn() : lowest();
            ++level_[lane];
            ++scheduled_;
            if (scheduled_ == fakes_at_) fake_ = episode_;
            return lane;
        }

        /// Returns the episode whose fakes must go out now, once. Mostly it is nothing.
        std::optional<std::uint64_t> fake_to_send() noexcept {
            const auto fake = fake_;
            fake_.reset();
            return fake;
        }

        /// A lane has come to a fake of this episode.
        void fake_executed(std::size_t, std::uint64_t episode) noexcept {
            if (episode == episode_) near_empty_ = true;
        }

        /// The number of the block that is dealt out, or 0 before the first.
        [[nodiscard]] std::uint64_t episode() const noexcept { return episode_; }
        /// The number of items in this block.
        [[nodiscard]] std::size_t block() const noexcept { return block_; }

    private:
        // False: no lane is near the end of what it has.
        bool begin_block(const lane_levels& levels) {
            if (episode_ != 0 && !near_empty_) return false;
            for (std::size_t lane = 0; lane < level_.size(); ++lane) level_[lane] = levels[lane];
            highest_ = *std::max_element(level_.begin(), level_.end());
            block_ = std::min(grown_, std::max(levels.ready(), near_end_ + 1));
            grown_ = std::min(chunk_, 2 * grown_);
            // The later half of a short block is near the end. An item must come before the fakes.
            fakes_at_ = std::max<std::size_t>(1, block_ - std::min(near_end_, block_ / 2));
            ++episode_;
            scheduled_ = 0;
            near_empty_ = false;
            return true;
        }

        // True as soon as all lanes have as much as the fullest had, for the rest of the block.
        bool is_balanced() {
            if (highest_ != 0 && *std::min_element(level_.begin(), level_.end()) >= highest_) highest_ = 0;
            return highest_ == 0;
        }

        std::size_t in_turn() noexcept {
            const std::size_t lane = next_;
            next_ = (next_ + 1) % level_.size();
            return lane;
        }

        std::size_t lowest() const noexcept {
            return static_cast<std::size_t>(std::min_element(level_.begin(), level_.end()) - level_.begin());
        }

        std::size_t chunk_, near_end_;
        std::size_t grown_;  // the most that the next block may have
        std::size_t block_ = 0, scheduled_ = 0, fakes_at_ = 0;
        std::size_t highest_ = 0;         // when the levels were recorded; 0: all lanes are level
        std::vector<std::size_t> level_;  // as recorded, and what was given since
        std::size_t next_ = 0;
        std::uint64_t episode_ = 0;
        bool near_empty_ = false;  // has a fake of this episode been executed?
        std::optional<std::uint64_t> fake_;
    };

    /// Throws usage_error if `near_end_share` is 0, or if the chunk is not longer than NEAR_END.
    [[nodiscard]] balancer begin(std::size_t lanes) const {
        const std::size_t near_end = near_end_share * lanes;
        if (near_end_share == 0)
            throw usage_error("parley: adaptive_round_robin{.near_end_share = 0}: at least 1 is needed");
        if (chunk <= near_end)
            throw usage_error("parley: adaptive_round_robin{.chunk = " + std::to_string(chunk) +
                              "}: a chunk must be longer than NEAR_END = " + std::to_string(near_end_share) + " x " +
                              std::to_string(lanes) + " lanes = " + std::to_string(near_end) +
                              ", or its fake tasks would never be sent");
        return {lanes, chunk, near_end};
    }

    /// With fewer tokens the emitter never has a block and the lanes' rest, so it never sees unequal lanes.
    [[nodiscard]] std::size_t least_tokens() const noexcept {
        return chunk > ~std::size_t{0} / 2 ? ~std::size_t{0} : 2 * chunk;
    }
};

}  // namespace parley::inline v0
