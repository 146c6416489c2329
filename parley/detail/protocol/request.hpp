// Steal requests: their states, and the letter that travels for each of them.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

using worker_id = std::uint32_t;
using request_id = std::uint32_t;

// A worker may have so many pending requests (I1), each with a task channel of its own (TH §7.2). The papers have one.
// A strategy chooses how many a worker uses (requesting.hpp).
inline constexpr std::uint32_t most_requests = 2;

// Workers are numbered from 0. A letter has no room for larger numbers.
inline constexpr std::uint32_t most_workers = 0xFFFF;
inline constexpr worker_id no_worker = most_workers;

constexpr worker_id thief_of(request_id request) noexcept { return request / most_requests; }
constexpr std::uint32_t slot_of(request_id request) noexcept { return request % most_requests; }
constexpr request_id request_of(worker_id thief, std::uint32_t slot = 0) noexcept { return thief * most_requests + slot; }

// A request's claim word is one of these.
//   home         with its thief, who does not ask, or waits for its letter
//   circulating  travelling from worker to worker, in a mailbox or with a holder
//   resting      in the lobby or about to be put there, since nobody could answer
//   taken        claimed by one worker, whose answer is in the task channel or about to be
// Two rules make sure that a request is answered at most once and never lost (I2):
// 1. Only the thief moves a request out of home. It also moves the request from taken to home, once it has the answer. If
//    the victim takes the answer back, the victim does that instead.
// 2. Out of circulating and resting it is moved by the first that changes the word. That may be a holder, a taker from
//    the lobby, or the thief that withdraws it.
enum class request_state : std::uint8_t { home, circulating, resting, taken };

// What a request says of its thief (TH §4.1.1). When an answered request is sent on to the manager, the status is the
// message (TH §4.1.2).
//   idle             the thief has nothing to run
//   working          the thief still has tasks: it gets nobody's last task, and its failed request comes home
// These are used only where requests circulate (lab/papers), and `working` differs there: such a thief gets what others
// get.
//   registered_idle  the thief is idle, and in the manager's set
//   satisfied        the thief got tasks and wants more (circulating::continues)
//   update           the thief is idle no more
//   update_and_root  the thief is idle no more; and worker 0 has left its barrier, so it is not idle either
enum class status : std::uint8_t { idle, working, registered_idle, satisfied, update, update_and_root };

// A circulating request travels as a letter. There is one letter per request: its thief has it, or one mailbox, or one
// holder. Withdrawing a request does not call its letter back. The holder drops such a letter ("lands" it). Until then
// the thief cannot circulate again; it waits, or its request rests. So a mailbox never holds two letters of one request
// (I6).
//
// A letter has 16 bytes. So a worker's first request, task channel, mailbox and attention word fill one cache line.
struct letter {
    request_id request = 0;
    std::uint16_t start = 0;   // the thief's random order of its n - 1 victims: number i is
    std::uint16_t stride = 1;  // (start + i * stride) mod (n - 1), with stride coprime to n - 1
    std::uint16_t hop = 0;     // how many victims of that order were tried, or found closed

    // This victim is asked before the order begins (last victim, last thief), or after sampling (the richest).
    std::uint16_t preferred = no_worker;
    bool preferred_waits = false;  // `preferred` has not been asked yet
    std::uint8_t samples = 0;      // victims still to be looked at before one of them is asked
    std::uint8_t most_spare = 0;   // spare tasks of `preferred` when it was looked at; 255 stands for more, too

    protocol::status status = protocol::status::idle;

    [[nodiscard]] constexpr bool early() const noexcept { return status == protocol::status::working; }

    friend constexpr bool operator==(const letter&, const letter&) = default;
};

static_assert(sizeof(letter) == 16);

// How much an answer should give. The thief writes its wish into its request (TH §3.5).
enum class amount : std::uint8_t { one, half };

// What a thief gets of a running loop: `share` iterations. If the thief's part is split again, it is to be cut into
// `chunks` chunks (TH figure 5.10; only guided splitting uses them). The victim's part is cut into two.
struct cut {
    std::uint64_t share = 0;
    std::uint32_t chunks = 2;
    friend constexpr bool operator==(const cut&, const cut&) = default;
};

}  // namespace parley::inline v0::protocol
