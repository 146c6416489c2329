// A medium carries the protocol: by threads and channels, or by the virtual workers of a simulator. One medium object
// is one worker's view, and `self` is that worker. Every call is one step; other workers' steps may come between two
// calls. Arguments and results are values, so a simulator can record and replay a worker's steps.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/spreading.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

// A worker publishes this for the detection of termination. Only the worker itself writes it.
struct published_state {
    bool idle = false;
    std::uint64_t sent = 0;      // answers, the release of worker 0 among them
    std::uint64_t received = 0;  // answers and jobs
};

// The medium counts these for statistics. Nothing in the protocol depends on them.
enum class event : std::uint8_t { message, failed_request, steal, sleep };

template <class M>
concept medium =
    requires(M& m, const M& c, worker_id w, request_id r, letter t, request_state s, bits::word b, amount a, bool flag) {
        // Mailboxes: one causal FIFO channel per worker (I3).
        { m.send_request(w, t) } -> std::same_as<bool>;  // false: the mailbox is closed. Raises bits::mail.
        { m.receive_request() } -> std::same_as<std::optional<letter>>;
        m.open_mailbox();
        m.close_mailbox();  // letters that came before can still be received

        // Requests.
        { m.state(r) } -> std::same_as<request_state>;
        m.set_state(r, s);                           // by the thief, only out of home or taken
        { m.claim(r, s, s) } -> std::same_as<bool>;  // compare and exchange
        m.set_wish(r, a);                            // by the thief, while home
        { m.wish(r) } -> std::same_as<amount>;       // by the worker that claimed it
        { m.may_travel(r) } -> std::same_as<bool>;   // by the thief: is its letter here?
        m.take_off(r);                               // by the thief, before it sends the letter
        m.land(r);                                   // by the letter's holder, who touches the letter no more

        // The lobby.
        { m.deposit(r) } -> std::same_as<bool>;  // true: the lobby was empty
        { m.take_resting() } -> std::same_as<std::optional<request_id>>;
        { m.lobby_empty() } -> std::same_as<bool>;

        // Attention words.
        { m.attention() } -> std::same_as<bits::word>;
        m.lower(b);
        m.raise(w, b);  // does not wake w
        m.raise_and_wake(w, b);
        { m.prepare_to_sleep() } -> std::same_as<bool>;  // false: a waking bit is set
        m.cancel_sleep();

        // Tasks. The deque is self's own. `spare` counts the tasks in it; `tasks_run` counts the tasks that self has
        // run.
        { m.spare() } -> std::convertible_to<std::size_t>;
        { m.tasks_run() } -> std::convertible_to<std::uint64_t>;
        m.send_tasks(r, a);  // from the old end of the deque; their owner changes (I5)
        m.receive_tasks(r);  // into the deque, which is empty
        { m.tasks_arrived(r) } -> std::same_as<bool>;
        { m.victim_of(r) } -> std::same_as<worker_id>;  // by the thief, after an answer; no_worker: it was a job
        { m.take_job() } -> std::same_as<bool>;         // moves a job from outside into the deque
        { m.jobs_waiting() } -> std::same_as<bool>;

        // Termination.
        m.publish_idle(flag);
        m.publish_sent();
        m.publish_received();
        { m.published(w) } -> std::same_as<published_state>;
        { m.jobs_sent() } -> std::convertible_to<std::uint64_t>;
        m.set_barrier_open(flag);
        { m.barrier_open() } -> std::same_as<bool>;
        m.set_manager(w);  // by the manager only
        { m.manager() } -> std::same_as<worker_id>;

        m.note(event::message);
    };

// The number of seats: all who hear of resting requests and are asked whether they are idle. Workers have the first
// numbers. On some media others follow, who are nobody's victims.
template <class M>
std::uint32_t seats_of(const M& m, std::uint32_t workers) {
    if constexpr (requires { m.seats(); }) return m.seats();
    else return workers;
}

// May a worker with a task keep what it has, because `thief` does not run or the work is too short? `thief` is
// no_worker for requests that rest. Only some media weigh this. The worker looks again later, because the lobby bit
// stays up and unanswered requests come to rest. A worker that waits or is interrupted gives what it has.
template <class M>
bool keeps_back(M& m, worker_id thief) {
    if constexpr (requires { m.keeps_back(thief); }) return m.keeps_back(thief);
    else return false;
}
// On some media a victim may take back what it has sent. There the thief takes its answer out of the task channel by this
// call, before it receives the tasks. False: its victim was faster.
template <class M>
bool take_answer(M& m, request_id r) {
    if constexpr (requires { m.take_answer(r); }) return m.take_answer(r);
    else return true;
}
// Does an answer lie where this worker has sent one, so that it may be able to take it back?
template <class M>
bool may_take_back(M& m) {
    if constexpr (requires { m.may_take_back(); }) return m.may_take_back();
    else return true;
}
// Is there a task in the deque, so that no answer can be received? On some media `spare` counts more than these: what is
// left of a running loop.
template <class M>
bool has_tasks(M& m) {
    if constexpr (requires { m.has_tasks(); }) return m.has_tasks();
    else return m.spare() != 0;
}
// Would a letter hardly find anybody who has something to spare? Many requests rest already, or this worker sends the letter
// and comes from a loop, whose parts end at about the same time.
template <class M>
bool would_wander(M& m, bool is_own) {
    if constexpr (requires { m.many_rest(); }) return (is_own && m.comes_from_loop()) || m.many_rest();
    else return false;
}
// Nobody rests whose thief runs. May a worker with a task leave the others where they are?
template <class M>
bool leaves_at_rest(M& m) {
    if constexpr (requires { m.leaves_at_rest(); }) return m.leaves_at_rest();
    else return false;
}

}  // namespace parley::inline v0::protocol
