// How much of a running loop a thief gets, in iterations that have not begun (TH §5.2).
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

// Each has share(left, askers, workers): of `left` >= 1 iterations, how many go to one of `askers` >= 1
// thieves that ask at the time; at least 1. The block that the victim is in does not count as left.

struct split_half {
    static constexpr const char* name = "half";
    constexpr std::uint64_t share(std::uint64_t left, std::uint32_t, std::uint32_t) const noexcept {
        return left - left / 2;
    }
    friend constexpr bool operator==(const split_half&, const split_half&) = default;
};

// The victim keeps what one of all workers would get; the thief splits on (TH figure 5.10).
struct split_guided {
    static constexpr const char* name = "guided";
    constexpr std::uint64_t share(std::uint64_t left, std::uint32_t, std::uint32_t workers) const noexcept {
        return left - left / workers;
    }
    friend constexpr bool operator==(const split_guided&, const split_guided&) = default;
};

// As many equal parts as there are askers and the victim itself (TH figure 5.13).
struct split_adaptive {
    static constexpr const char* name = "adaptive";
    constexpr std::uint64_t share(std::uint64_t left, std::uint32_t askers, std::uint32_t) const noexcept {
        const std::uint64_t parts = std::uint64_t{askers} + 1;
        return left / parts + (left % parts != 0 ? 1 : 0);
    }
    friend constexpr bool operator==(const split_adaptive&, const split_adaptive&) = default;
};

}  // namespace parley::inline v0::protocol
