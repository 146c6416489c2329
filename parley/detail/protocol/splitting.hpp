// How much of a running loop a thief gets, in iterations that have not begun (TH §5.2).
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <cstdint>

namespace parley::inline v0::protocol {

// What a thief gets: so many iterations. Its part is to be cut into so many chunks, if it is split in its turn; the
// victim's into two (TH figure 5.10; only guided splitting asks).
struct cut {
    std::uint64_t share = 0;
    std::uint32_t chunks = 2;
    friend constexpr bool operator==(const cut&, const cut&) = default;
};

// Whether a letter in the own mailbox is from a thief that gets a part of a loop when its turn comes (TH figure 5.13: the
// set S). Where requests rest, early ones get nobody's last task, as which a loop counts, and those that do not circulate
// any more are no one's.
template <class StateOf>
constexpr bool asks_for_part(const travel& t, worker_id self, bool requests_rest, const StateOf& state_of) noexcept {
    if (thief_of(t.request) == self) return false;
    return !requests_rest || (!t.early() && state_of(t.request) == request_state::circulating);
}

// Each has of(left, chunks, askers): of `left` >= 1 iterations of a part that is to be cut into `chunks` >= 2, what goes
// to one of askers() >= 1 thieves that ask at the time; at least 1. The block that the victim is in does not count as
// left. A whole loop is to be cut into as many chunks as there are workers. Who needs no askers does not count them.

struct split_half {
    static constexpr const char* name = "half";
    template <class Askers>
    constexpr cut of(std::uint64_t left, std::uint32_t, const Askers&) const noexcept {
        return {left - left / 2};
    }
    friend constexpr bool operator==(const split_half&, const split_half&) = default;
};

// The victim keeps one chunk, the thief has the others and splits on; one that is alone is cut in halves (TH figure
// 5.10, §5.3.2: "the thief receives a fraction f >= 1/2").
struct split_guided {
    static constexpr const char* name = "guided";
    template <class Askers>
    constexpr cut of(std::uint64_t left, std::uint32_t chunks, const Askers&) const noexcept {
        return {left - left / chunks, std::max(chunks - 1, 2U)};
    }
    friend constexpr bool operator==(const split_guided&, const split_guided&) = default;
};

// As many equal parts as there are askers and the victim itself (TH figure 5.13).
struct split_adaptive {
    static constexpr const char* name = "adaptive";
    template <class Askers>
    constexpr cut of(std::uint64_t left, std::uint32_t, const Askers& askers) const noexcept {
        const std::uint64_t parts = std::uint64_t{askers()} + 1;
        return {left / parts + (left % parts != 0 ? 1 : 0)};
    }
    friend constexpr bool operator==(const split_adaptive&, const split_adaptive&) = default;
};

}  // namespace parley::inline v0::protocol
