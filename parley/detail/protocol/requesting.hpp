// How many requests a worker sends, when, and what becomes of one that nobody could answer.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

// A request that has been to everybody
//   rests       in the lobby until somebody has a task to spare,
//   comes_home  and its thief asks again after a while (the papers' way, TH §4.2.2: backoff).
enum class after_failure : std::uint8_t { rests, comes_home };

// The request channel of a worker without a task
//   stays_open  and others' requests are forwarded,
//   is_closed   so that nobody sends any there (CH §2.1: victim checks by closing channels).
enum class when_dry : std::uint8_t { stays_open, is_closed };

// What a worker without a task asks for. The driver, which has a clock, lets it ask for nothing for
// a while when what it stole before was not worth the message; `one` and `half` are trials.
enum class asking : std::uint8_t { as_strategy, one, half, nothing };

// Each has these three members; what is chosen at start instead of compile time has them, too.
template <std::uint32_t Requests = 1, after_failure Failure = after_failure::rests, when_dry Dry = when_dry::stays_open>
struct requesting {
    static constexpr std::uint32_t requests() noexcept { return Requests; }
    static constexpr after_failure failure() noexcept { return Failure; }
    static constexpr when_dry dry() noexcept { return Dry; }
    friend constexpr bool operator==(const requesting&, const requesting&) = default;
};

}  // namespace parley::inline v0::protocol
