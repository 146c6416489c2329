// The bits of the attention word, by what wants the worker to look up.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol::bits {

using word = std::uint32_t;

inline constexpr word mail = 1u << 0;      // a request has come
inline constexpr word lobby = 1u << 1;     // the lobby is not empty
inline constexpr word tasks = 1u << 2;     // an answer is in the task channel
inline constexpr word news = 1u << 3;      // something that you wait for may have happened
inline constexpr word scan = 1u << 4;      // manager: somebody ran dry, look for termination; or a letter has come
inline constexpr word released = 1u << 5;  // the barrier is over
inline constexpr word stop = 1u << 6;      // the runtime ends
inline constexpr word cancel = 1u << 7;    // leave what you do by `cancelled`
inline constexpr word start = 1u << 8;     // the threads have not been started yet
inline constexpr word jobs = 1u << 9;      // a job from outside has found nobody without work
inline constexpr word refill = 1u << 10;   // an interruption has used up what it may not allocate

inline constexpr word wants_jobs = 1u << 11;  // the owner's own, asleep: to be woken for `jobs`, too

// What a sleeper is woken for. Not for mail (a sleeper's mailbox is closed, but for a manager's, whose bell `scan` is)
// and not for the lobby (it has nothing to give): a sleeper costs nobody a wake-up until there is work for it.
inline constexpr word waking = tasks | news | scan | released | stop;

}  // namespace parley::inline v0::protocol::bits
