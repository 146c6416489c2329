// How a worker without tasks asks: with how many requests, and what becomes of a request that nobody could answer.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

// Where does a worker without a task stand? Only between tasks may it say that it is idle: a suspended task is
// unfinished work (I4). The root task in a barrier is the exception.
enum class standing : std::uint8_t { in_task, between_tasks };

// What becomes of a request that has been to everybody?
//   rests       it stays in the lobby until somebody has a task to spare
//   comes_home  its thief asks again after a pause (TH §4.2.2: backoff)
enum class after_failure : std::uint8_t { rests, comes_home };

// What becomes of the mailbox of a worker without a task?
//   stays_open  the worker forwards others' requests
//   is_closed   nobody sends requests there (CH §2.1: victim checks by closing channels)
enum class when_dry : std::uint8_t { stays_open, is_closed };

// What does a worker without a task ask for? The driver, which has a clock, chooses `nothing` for a while when the last
// steals did not pay. It chooses `one` or `half` to try again.
enum class asking : std::uint8_t { as_strategy, one, half, nothing };

// Every such type has these three members. any_requesting has them with values that are chosen at start.
template <std::uint32_t Requests = 1, after_failure Failure = after_failure::rests, when_dry Dry = when_dry::stays_open>
struct requesting {
    static constexpr std::uint32_t requests() noexcept { return Requests; }
    static constexpr after_failure failure() noexcept { return Failure; }
    static constexpr when_dry dry() noexcept { return Dry; }
    friend constexpr bool operator==(const requesting&, const requesting&) = default;
};

}  // namespace parley::inline v0::protocol
