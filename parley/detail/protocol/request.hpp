// Steal requests: what they are, where they may be, and what travels.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

using worker_id = std::uint32_t;
using request_id = std::uint32_t;

// Requests that a worker may have pending (I1), each with a task channel of its own (TH §7.2). The papers
// have one; how many a worker uses is a strategy (requesting.hpp).
inline constexpr std::uint32_t most_requests = 2;

// Workers are numbered from 0; more than these have no place in a letter.
inline constexpr std::uint32_t most_workers = 0xFFFF;
inline constexpr worker_id no_worker = most_workers;

constexpr worker_id thief_of(request_id request) noexcept { return request / most_requests; }
constexpr std::uint32_t slot_of(request_id request) noexcept { return request % most_requests; }
constexpr request_id request_of(worker_id thief, std::uint32_t slot = 0) noexcept { return thief * most_requests + slot; }

// The claim word of a request.
//   home         with its thief, who does not ask, or waits for its letter
//   circulating  travelling from worker to worker, in some mailbox or with a holder
//   resting      failed everywhere; in the lobby, or about to be put there
//   taken        claimed by one worker, whose answer is in the task channel or about to be
// Only the thief moves a request out of home and from taken to home. Out of circulating and resting
// it is moved by whoever succeeds in changing the word: a holder, a taker from the lobby, or the
// thief who withdraws it. So it is answered at most once and never lost (I2).
enum class request_state : std::uint8_t { home, circulating, resting, taken };

// What the thief is, as far as its request knows (TH §4.1.1); or, of a request that was answered and goes to
// the manager as a message (TH §4.1.2), what the manager is to know.
//   idle             it has nothing to run
//   working          it still has tasks: it gets nobody's last one, and a failure is no reason to rest (where requests
//                    circulate: it is not idle, but may wait inside a task; it gets what others get)
// and only where requests circulate (lab/papers):
//   registered_idle  idle, and in the manager's set
//   satisfied        it got tasks, and more are welcome: circulating::continues
//   update           not idle any more
//   update_and_root  nor is worker 0, which has left its barrier
enum class status : std::uint8_t { idle, working, registered_idle, satisfied, update, update_and_root };

// What a circulating request carries. There is one such message per request; it is with its thief,
// in one mailbox, or with one holder. Withdrawing a request does not call the message back: until
// its holder drops it as stale ("lands" it), the thief can not circulate again: it waits, or rests.
// So a mailbox never holds more than one message per request, stale ones included (I6).
//
// It has 16 bytes: with them a worker's first request, task channel, mailbox and attention word fill one
// cache line.
struct travel {
    request_id request = 0;
    std::uint16_t start = 0;   // the thief's random order of its n - 1 victims: victim number i is
    std::uint16_t stride = 1;  // (start + i * stride) mod (n - 1), with stride coprime to n - 1
    std::uint16_t hop = 0;     // how many victims of that order were tried, or found closed

    // Somebody to be asked before that order begins (last victim or thief first), or, when sampling is
    // over, in between.
    std::uint16_t preferred = no_worker;
    bool preferred_waits = false;  // it has not been asked yet
    std::uint8_t samples = 0;      // victims still to be looked at before one of them is asked
    std::uint8_t most_spare = 0;   // what `preferred` had when it was looked at; 255 and more are rich

    protocol::status status = protocol::status::idle;

    [[nodiscard]] constexpr bool early() const noexcept { return status == protocol::status::working; }

    friend constexpr bool operator==(const travel&, const travel&) = default;
};

static_assert(sizeof(travel) == 16);

// How much an answer should give: the thief's wish, written into its request (TH §3.5).
enum class amount : std::uint8_t { one, half };

}  // namespace parley::inline v0::protocol
