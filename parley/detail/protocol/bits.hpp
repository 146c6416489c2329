// These are the bits of the attention word. Each says why the worker should look up.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol::bits {

using word = std::uint32_t;

inline constexpr word mail = 1u << 0;      // a request has come
inline constexpr word lobby = 1u << 1;     // the lobby is not empty
inline constexpr word tasks = 1u << 2;     // an answer is in the task channel
inline constexpr word news = 1u << 3;      // something that this worker waits for may have happened
inline constexpr word scan = 1u << 4;      // for the manager: somebody ran dry, so look for termination
inline constexpr word released = 1u << 5;  // the barrier is over
inline constexpr word stop = 1u << 6;      // the runtime ends
inline constexpr word cancel = 1u << 7;    // leave the running task by `cancelled`
inline constexpr word start = 1u << 8;     // the threads have not been started yet
inline constexpr word jobs = 1u << 9;      // a job from outside waits, and no request rests
inline constexpr word refill = 1u << 10;   // a signal handler has used up a stock that it may not refill itself

inline constexpr word wants_jobs = 1u << 11;  // the owner raises this before it sleeps: wake it for `jobs`, too
inline constexpr word message =
    1u << 12;  // manager: a letter that tells of an idle worker has come (where requests circulate)

// These bits wake a sleeper. `mail` does not: a sleeper's mailbox is closed. (A manager's may be open where requests
// circulate; `message` wakes it.) `lobby` does not: a sleeper has nothing to give. So a sleeper costs nobody a wake-up
// until there is work for it (I8).
inline constexpr word waking = tasks | news | scan | message | released | stop;

}  // namespace parley::inline v0::protocol::bits
