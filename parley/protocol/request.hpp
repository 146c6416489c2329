// Steal requests: what they are, where they may be, and what travels.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

using worker_id = std::uint32_t;
using request_id = std::uint32_t;

// Requests that a worker may have pending (I1). The papers' value.
inline constexpr std::uint32_t requests_per_worker = 1;

constexpr worker_id thief_of(request_id request) noexcept { return request / requests_per_worker; }
constexpr request_id request_of(worker_id thief) noexcept { return thief * requests_per_worker; }

// The claim word of a request.
//   home         with its thief, who is not asking
//   circulating  travelling from worker to worker, in some mailbox or with a holder
//   resting      failed everywhere; in the lobby, or about to be put there
//   taken        claimed by one worker, whose answer is in the task channel or about to be
// Only the thief moves a request out of home and from taken to home. Out of circulating and resting
// it is moved by whoever succeeds in changing the word: a holder, a taker from the lobby, or the
// thief who withdraws it. So it is answered at most once and never lost (I2).
enum class request_state : std::uint8_t { home, circulating, resting, taken };

// What a circulating request carries. There is one such message per request; it is with its thief,
// in one mailbox, or with one holder. Withdrawing a request does not call the message back: until
// its holder drops it as stale ("lands" it), the thief can not circulate again and rests instead.
// So a mailbox never holds more than one message per request, stale ones included (I6).
struct travel {
    request_id request = 0;
    std::uint32_t start = 0;   // the thief's random order of its n - 1 victims: victim number i is
    std::uint32_t stride = 1;  // (start + i * stride) mod (n - 1), with stride coprime to n - 1
    std::uint32_t hop = 0;     // how many victims were tried, or found closed

    friend constexpr bool operator==(const travel&, const travel&) = default;
};

// How much an answer should give: the thief's wish, written into its request (TH §3.5).
enum class amount : std::uint8_t { one, half };

}  // namespace parley::inline v0::protocol
