// The number of iterations of a loop between two looks at the attention word: about a microsecond's worth of them,
// whatever the body costs.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

class block_length {
public:
    using clock = std::chrono::steady_clock;

    // No block is longer than `longest`. The first block begins now.
    block_length(std::uint64_t longest, clock::time_point now) noexcept
        : longest_(std::bit_floor(std::max<std::uint64_t>(longest, 1))), first_(now), began_(now) {}

    // The present length, a power of two.
    [[nodiscard]] std::uint64_t now() const noexcept { return length_; }

    // The length of the block that begins at this iteration. The block ends at the next multiple of now(). So bodies
    // touch arrays in whole vectors and cache lines, as a plain loop does; that was worth 13% of saxpy.
    [[nodiscard]] std::uint64_t at(std::uint64_t iteration) const noexcept { return length_ - (iteration & (length_ - 1)); }

    // Nanoseconds per iteration in the latest block that was timed, or 0 if nothing is known. A short first block does
    // not count, because it fetches its data. Blocks too short to tell anything count together.
    [[nodiscard]] float each() const noexcept { return each_; }

    // How long a block of the present length takes, by the latest one that was timed, whatever that tells. 0: the length
    // has changed since.
    [[nodiscard]] std::chrono::nanoseconds block() const noexcept { return block_; }

    // When the first block would have begun if the worker had done nothing else since.
    [[nodiscard]] clock::time_point first() const noexcept { return first_; }

    // The time from then to the last look at the clock.
    [[nodiscard]] std::chrono::nanoseconds so_far() const noexcept { return began_ - first_; }

    // Called after each block, when the next one begins. Looking at the clock costs 20 ns, 2% of a block. So a good
    // length stays for some blocks without a look. True: it has looked, and knows more than before.
    template <class Clock = clock>
    bool block_ends(Clock = {}) noexcept {
        if (unwatched_ > 1) {
            --unwatched_;
            return false;
        }
        const auto took_until = Clock::now();
        if (unwatched_ == 1) unwatched_ = 0;  // the next block is timed
        else judge(took_until);
        began_ = took_until;
        return true;
    }

    // Called after block_ends() if the worker has done something else since, for so long.
    void leave_out(clock::duration other) noexcept {
        first_ += other;
        began_ += other;
    }

private:
    static constexpr auto shortest_block = std::chrono::nanoseconds(500);
    static constexpr auto longest_block = std::chrono::nanoseconds(4000);
    static constexpr std::uint64_t factor = 4;
    // This factor is for blocks that are at most a microsecond long even if they grow so much. Growing more slowly
    // would cost short loops a tenth of their time.
    static constexpr std::uint64_t large_factor = 16;
    static constexpr unsigned blocks_per_look = 16;
    // Shorter blocks say nothing: most of their time goes into looking at the clock.
    static constexpr auto telling = std::chrono::nanoseconds(300);

    void judge(clock::time_point until) noexcept {
        const clock::duration took = until - began_;
        if (took >= telling && (is_warm_ || took >= 3 * telling)) {
            set_each(took, length_);
            has_told_ = true;
        } else if (is_warm_ && !has_told_) {
            short_blocks_ += length_;
            in_short_blocks_ += took;
            if (in_short_blocks_ >= telling) set_each(in_short_blocks_, short_blocks_);
        }
        is_warm_ = true;
        const std::uint64_t before = length_;
        if (took < shortest_block && length_ < longest_)
            length_ = std::min((took < 2 * shortest_block / large_factor ? large_factor : factor) * length_, longest_);
        else if (took > longest_block && length_ > 1) length_ = std::max<std::uint64_t>(length_ / factor, 1);
        else unwatched_ = blocks_per_look;
        block_ = length_ == before ? took : clock::duration{};
    }

    void set_each(clock::duration took, std::uint64_t iterations) noexcept {
        each_ = static_cast<float>(took.count()) / static_cast<float>(iterations);
    }

    std::uint64_t length_ = 1;
    std::uint64_t longest_;
    unsigned unwatched_ = 0;
    bool is_warm_ = false;
    bool has_told_ = false;  // was a block long enough to tell something?
    float each_ = 0;
    clock::duration block_{};
    std::uint64_t short_blocks_ = 0;     // iterations of the blocks that told nothing
    clock::duration in_short_blocks_{};  // the time in those blocks
    clock::time_point first_;
    clock::time_point began_;
};

}  // namespace parley::inline v0::threading
