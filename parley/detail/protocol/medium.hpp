// What the protocol asks of the medium that carries it: threads and channels, virtual workers of a
// simulator, MPI ranks. One medium object is one worker's view; `self` is that worker. Every call is
// one step that other workers may interleave with; everything it exchanges, it exchanges by value,
// so a simulator can record and replay a worker's steps.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/request.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

// What a worker publishes for the detection of termination (single writer each).
struct published_state {
    bool idle = false;
    std::uint64_t sent = 0;      // answers
    std::uint64_t received = 0;  // answers
};

// For statistics only; nothing in the protocol depends on it.
enum class event : std::uint8_t { message, failed_request, steal, sleep };

template <class M>
concept medium =
    requires(M& m, const M& c, worker_id w, request_id r, travel t, request_state s, bits::word b, amount a, bool flag) {
        // Mailboxes: one causal FIFO channel per worker (I3).
        { m.send_request(w, t) } -> std::same_as<bool>;  // false: closed. Raises bits::mail.
        { m.receive_request() } -> std::same_as<std::optional<travel>>;
        m.open_mailbox();
        m.close_mailbox();  // what came before remains to be received

        // Requests.
        { m.state(r) } -> std::same_as<request_state>;
        m.set_state(r, s);                           // by the thief, out of home or taken only
        { m.claim(r, s, s) } -> std::same_as<bool>;  // compare and change
        m.set_wish(r, a);                            // by the thief, while home
        { m.wish(r) } -> std::same_as<amount>;       // by whoever claimed it
        { m.may_travel(r) } -> std::same_as<bool>;   // by the thief: is the travelling message here?
        m.take_off(r);                               // by the thief, before it sends it
        m.land(r);                                   // by its holder, who then touches it no more

        // The lobby.
        { m.deposit(r) } -> std::same_as<bool>;  // true: it was empty
        { m.take_resting() } -> std::same_as<std::optional<request_id>>;
        { m.lobby_empty() } -> std::same_as<bool>;

        // Attention words.
        { m.attention() } -> std::same_as<bits::word>;
        m.lower(b);
        m.raise(w, b);  // wakes nobody
        m.raise_and_wake(w, b);
        { m.prepare_to_sleep() } -> std::same_as<bool>;  // false: a waking bit is set
        m.cancel_sleep();

        // Tasks. The deque is self's own; `spare` counts what is in it, `tasks_run` what self ran.
        { m.spare() } -> std::convertible_to<std::size_t>;
        { m.tasks_run() } -> std::convertible_to<std::uint64_t>;
        m.send_tasks(r, a);  // from the deque's old end; ownership moves (I5)
        m.receive_tasks(r);  // into the deque, which is empty
        { m.tasks_arrived(r) } -> std::same_as<bool>;
        { m.victim_of(r) } -> std::same_as<worker_id>;  // by the thief, of what arrived; no_worker: a job
        { m.take_job() } -> std::same_as<bool>;         // a job from outside, into the deque
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

// How many there are to be told of what rests, and to be asked whether they are idle: the workers, and on some media
// others behind them in the numbers, who are nobody's victims.
template <class M>
std::uint32_t seats_of(const M& m, std::uint32_t workers) {
    if constexpr (requires { m.seats(); }) return m.seats();
    else return workers;
}

}  // namespace parley::inline v0::protocol
