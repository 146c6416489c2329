// How much of a running loop a thief gets, in iterations that have not begun (TH §5.2).
#pragma once

#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/spreading.hpp>

#include <algorithm>
#include <cstdint>

namespace parley::inline v0::protocol {

// Does this letter in the mailbox of `self` ask for a part of a loop (TH figure 5.13: the set S)? Where requests rest,
// early ones do not: a loop counts as a last task. Nor do those that circulate no more.
template <class StateOf>
constexpr bool asks_for_part(const letter& t, worker_id self, bool requests_rest, const StateOf& state_of) noexcept {
    if (thief_of(t.request) == self) return false;
    return !requests_rest || (!t.early() && state_of(t.request) == request_state::circulating);
}

// Those that ask now for parts of a loop.
struct askers_now {
    std::uint32_t all;
    std::uint32_t served_by_thief;  // so many of them the thief serves with what it gets, itself among them

    constexpr askers_now(std::uint32_t count, std::uint32_t by_thief = 1) noexcept : all(count), served_by_thief(by_thief) {}

    // A thief is answered that was found by the victim's range. Others have letters in the victim's mailbox, and at most
    // so many pay.
    static constexpr askers_now of(const division& d, std::uint32_t letters, std::uint32_t most) noexcept {
        const std::uint32_t count = std::min(d.all + letters, most);
        return {count, count < d.all ? std::min(d.served, range::served_by_middle(count)) : d.served};
    }
};

// Each strategy has of(left, chunks, askers), which says what one thief gets:
//   left    >= 1: iterations that have not begun, without the block that the victim is in
//   chunks  >= 2: the chunks that this part is to be cut into; for a whole loop, the number of workers
//   askers  askers() are the thieves that ask now, at least 1; only strategies that need it call it
// The share is at least 1.

struct split_half {
    static constexpr const char* name = "half";
    template <class Askers>
    constexpr cut of(std::uint64_t left, std::uint32_t, const Askers&) const noexcept {
        return {left - left / 2};
    }
    friend constexpr bool operator==(const split_half&, const split_half&) = default;
};

// The victim keeps one chunk. The thief gets all others and splits them in its turn. A single chunk is cut in halves
// (TH figure 5.10, §5.3.2: "the thief receives a fraction f >= 1/2").
struct split_guided {
    static constexpr const char* name = "guided";
    template <class Askers>
    constexpr cut of(std::uint64_t left, std::uint32_t chunks, const Askers&) const noexcept {
        return {left - left / chunks, std::max(chunks - 1, 2U)};
    }
    friend constexpr bool operator==(const split_guided&, const split_guided&) = default;
};

// The loop is cut into equal parts: one for each asker, and one for the victim (TH figure 5.13). The thief also gets the
// parts of those that it is to serve (spreading.hpp).
struct split_adaptive {
    static constexpr const char* name = "adaptive";
    template <class Askers>
    constexpr cut of(std::uint64_t left, std::uint32_t, const Askers& askers) const noexcept {
        const askers_now a = askers();
        const std::uint64_t parts = std::uint64_t{a.all} + 1;
        const std::uint64_t rest = left % parts * a.served_by_thief;
        return {left / parts * a.served_by_thief + (rest + parts - 1) / parts};
    }
    friend constexpr bool operator==(const split_adaptive&, const split_adaptive&) = default;
};

}  // namespace parley::inline v0::protocol
