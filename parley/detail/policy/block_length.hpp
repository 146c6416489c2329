// How many iterations of a loop run between two looks at the attention word: about as many as fit into a
// microsecond, whatever the body costs.
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
        : longest_(std::bit_floor(std::max<std::uint64_t>(longest, 1))), began_(now) {}

    // A power of two.
    [[nodiscard]] std::uint64_t now() const noexcept { return length_; }

    // Of the block that begins at this iteration: up to the next multiple of now(). Bodies over arrays then touch
    // them in whole vectors and cache lines, as a plain loop does: 13% of saxpy.
    [[nodiscard]] std::uint64_t at(std::uint64_t iteration) const noexcept { return length_ - (iteration & (length_ - 1)); }

    // After each block; the next one begins. Looking at the clock costs 20 ns, 2% of a block: a length that
    // was right stays for a while.
    template <class Clock = clock>
    void block_ends(Clock = {}) noexcept {
        if (unwatched_ > 1) {
            --unwatched_;
            return;
        }
        const auto took_until = Clock::now();
        if (unwatched_ == 1) unwatched_ = 0;  // the next one is watched
        else judge(took_until - began_);
        began_ = took_until;
    }

private:
    static constexpr auto shortest_block = std::chrono::nanoseconds(500);
    static constexpr auto longest_block = std::chrono::nanoseconds(4000);
    static constexpr std::uint64_t factor = 4;
    // Where even a block that is so much longer takes no more than a microsecond: loops of few microseconds would
    // spend a tenth of them on growing.
    static constexpr std::uint64_t large_factor = 16;
    static constexpr unsigned blocks_per_look = 16;

    void judge(clock::duration took) noexcept {
        if (took < shortest_block && length_ < longest_)
            length_ = std::min((took < 2 * shortest_block / large_factor ? large_factor : factor) * length_, longest_);
        else if (took > longest_block && length_ > 1) length_ = std::max<std::uint64_t>(length_ / factor, 1);
        else unwatched_ = blocks_per_look;
    }

    std::uint64_t length_ = 1;
    std::uint64_t longest_;
    unsigned unwatched_ = 0;
    clock::time_point began_;
};

}  // namespace parley::inline v0::threading
