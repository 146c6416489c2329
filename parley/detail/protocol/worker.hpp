// One worker's side of the protocol: messages in, messages out. No thread, no clock, no memory of
// its own beyond the few words below; what it needs from the world it asks of its medium.
//
// Who calls what (the driver: the runtime's one wait loop, or a simulator):
//   serve     when the attention word is not zero: at a fork, a spawn, a poll, in the wait loop
//   serve_briefly   instead, by a producer that is asked by very many
//   serve_interrupted  instead, from a signal handler that has interrupted a task
//   seek      by a worker without a task, once per turn of the wait loop
//   ask_early by one that will soon have none
//   rest      by a worker without a task whose request got no answer for a while
//   go_to_sleep, wake_up    around sleeping; withdraw   when it stops waiting
//   enter, leave            worker 0 coming into the runtime and going
//   leave, stay_away, come_back    a worker that is suspended between two tasks (BI §3), and goes on
//   open_barrier, close_barrier   worker 0's root task
#pragma once

#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/idleness.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/own_requests.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/requesting.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing, class Requesting = requesting<>>
class worker : public own_requests<Requesting> {
    using requests_of_this = own_requests<Requesting>;
    using requests_of_this::closed_while_dry_, requests_of_this::gave_up_on_letter_;
    using requests_of_this::own, requests_of_this::own_early, requests_of_this::open_after_dry;
    using requests_of_this::ring, requests_of_this::anything_arrived;
    using requests_of_this::self_, requests_of_this::workers_, requests_of_this::how_;

public:
    using requests_of_this::all_home, requests_of_this::is_being_answered, requests_of_this::rest,
        requests_of_this::withdraw;

    // What its strategies make of what they are told.
    [[nodiscard]] bool counts_tasks() const noexcept { return stealing_.remembers(); }
    [[nodiscard]] bool remembers_victims() const noexcept { return victims_.remembers(); }
    [[nodiscard]] static constexpr bool circulates() noexcept { return false; }
    [[nodiscard]] static constexpr bool sleeps_with_open_mailbox() noexcept { return false; }

    worker(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing = {}, Victims victims = {},
           Requesting how = {}) noexcept
        : requests_of_this(self, workers, how), random_(seed), stealing_(stealing), victims_(victims) {}

    // Looks at whatever wants attention, as a worker that runs a task and keeps running it. True: call again
    // (never here, but see lab/papers).
    template <medium M>
    bool serve(M& m) {
        serve(m, away_ ? having::nothing : having::task);
        return false;
    }

    // The same of one that makes tasks and looks again soon: it answers one of the requests that rest, so that there is
    // more to give to the next one. The bell goes on ringing for it: before it does anything else it has to call serve().
    template <medium M>
    bool serve_briefly(M& m) {
        serve(m, away_ ? having::nothing : having::task, 1);
        return false;
    }

    // Answers requests out of what this worker has, and takes nothing in. What is not a request waits for
    // the next serve().
    template <medium M>
    void serve_interrupted(M& m) {
        const bits::word seen = m.attention();
        if ((seen & bits::mail) != 0) serve_mail(m, having::interrupted_task);
        if ((seen & bits::lobby) != 0) feed_lobby(m, having::interrupted_task);
    }

    // One turn of a worker without a task. True: the deque has some now, and the first of them must
    // be started before serve() is called again (else two idle workers play ping-pong).
    template <medium M>
    bool seek(M& m, standing where, asking what = asking::as_strategy) {
        if (receive(m)) return true;
        if (how_.dry() == when_dry::is_closed) close_while_dry(m);
        serve(m, having::nothing);
        if (take_job(m)) return true;
        if (where == standing::between_tasks) idleness_.say_idle(m);
        if (what != asking::nothing && m.state(own()) == request_state::home) {
            ask(m, what);
            // Not while the first one waits for its letter, turn after turn.
            if (how_.requests() > 1 && m.state(own()) != request_state::home && m.state(own_early()) == request_state::home)
                prefetch(m);
        }
        return false;
    }

    // Asks ahead of time, while there still is a task to run (TH §3.3.1): with luck the answer is there when
    // it is needed. It waits in the task channel until then. Does nothing while any request is out, nor
    // before there are others: a letter to a worker that never starts would not come back.
    template <medium M>
    void ask_early(M& m) {
        // If each seek() found an answer, it would never come to the jobs.
        if (m.jobs_waiting()) return;
        if ((m.attention() & bits::start) != 0) return;
        if (all_home(m)) prefetch(m);
    }

    // The sleeping protocol, for a worker whose deque is empty:
    //   1. its request rests in the lobby or is being answered (or is home, if it asks for nothing:
    //      then the driver sleeps for a limited time); a second one is home or being answered;
    //   2. it closes its mailbox and forwards what is left in it, so nothing waits for a sleeper;
    //   3. it marks its attention word asleep, which fails if a waking bit is set;
    //   4. it looks once more at what those bits announce, and at the jobs from outside;
    //   5. the driver looks once more at what it waits for, and sleeps, or calls wake_up at once.
    // No wake-up is lost (I8): tasks, news, release and stop come with raise_and_wake after the
    // fact (see sync/attention.hpp); a job's sender looks into the lobby after sending it, and
    // finds this request there or 4 finds the job.
    // True: asleep after step 4.
    template <medium M>
    bool go_to_sleep(M& m, asking what = asking::as_strategy) {
        if (what != asking::nothing || m.state(own()) != request_state::home) rest(m);
        if (how_.requests() > 1) withdraw(m, own_early());
        m.close_mailbox();
        while (const std::optional<travel> t = m.receive_request()) handle(m, *t, having::nothing);
        if (!m.prepare_to_sleep()) {
            open_where_it_is_a_victim(m);
            return false;
        }
        if ((!away_ && m.jobs_waiting()) || anything_arrived(m)) {
            wake_up(m);
            return false;
        }
        m.note(event::sleep);
        return true;
    }

    template <medium M>
    void wake_up(M& m) {
        m.cancel_sleep();
        open_where_it_is_a_victim(m);
    }

    // Moves what has arrived into the empty deque.
    template <medium M>
    bool receive(M& m) {
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (receive(m, own(slot))) return true;
        return false;
    }

    // Worker 0 comes in: its mailbox opens, and it learns whether somebody rests (I11).
    template <medium M>
    void enter(M& m) {
        m.open_mailbox();
        idleness_.become_active(m);
        if (!m.lobby_empty()) m.raise(self_, bits::lobby);
    }

    // Worker 0 goes. True: it is nobody's victim any more and its requests are home. False: an answer
    // is on its way to it, or waits until the deque is empty; call again until all have come. What is in
    // the deque after each call is the driver's to hand on, as jobs.
    template <medium M>
    bool leave(M& m) {
        withdraw(m);
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (m.state(own(slot)) == request_state::taken && (m.spare() > 0 || !receive(m, own(slot)))) return false;
        m.close_mailbox();
        while (const std::optional<travel> t = m.receive_request()) handle(m, *t, having::task);
        return true;
    }

    // Suspended between two tasks: it has left, and the driver has handed on what was in the deque. Nobody's victim,
    // with no request out, it counts as idle; it takes no jobs, and serve() and go_to_sleep() (asking for nothing)
    // are all that may be called until it comes back or the runtime ends. Worker 0 is never suspended.
    //
    // A manager leaves its role to worker 0, for good: two that scan at a time could both announce the end. It gives
    // the role away first and looks at the barrier then; who waits at the barrier opens it first and asks for the
    // manager then. A scan that is asked of it all the same it passes on (serve).
    template <medium M>
    void stay_away(M& m) {
        away_ = true;
        const bool was_manager = self_ == manager_of(workers_) && m.manager() == self_;
        if (was_manager) m.set_manager(0);
        idleness_.say_idle(m);
        if (was_manager && m.barrier_open()) m.raise_and_wake(0, bits::scan);
    }
    template <medium M>
    void come_back(M& m) {
        away_ = false;
        enter(m);
    }
    [[nodiscard]] bool is_away() const noexcept { return away_; }

    template <medium M>
    void open_barrier(M& m) {
        m.set_barrier_open(true);
    }

    // Worker 0 was released: the release counts as an answer received. False: call again (never here).
    template <medium M>
    bool close_barrier(M& m) {
        m.set_barrier_open(false);
        m.lower(bits::released);
        idleness_.become_active(m);
        m.publish_received();
        return true;
    }

    friend bool operator==(const worker&, const worker&) = default;

private:
    enum class having : std::uint8_t { task, interrupted_task, nothing };

    static constexpr std::uint32_t all_of_them = ~std::uint32_t{0};

    // `answers`: that it gives to requests that rest, at most.
    template <medium M>
    void serve(M& m, having what, std::uint32_t answers = all_of_them) {
        if (what == having::task) open_after_dry(m);
        const bits::word seen = m.attention();
        if ((seen & (bits::tasks | bits::news)) != 0) m.lower(seen & (bits::tasks | bits::news));
        if ((seen & bits::mail) != 0) serve_mail(m, what);
        if ((seen & bits::jobs) != 0) {
            m.lower(bits::jobs);  // before taking: a later job raises it again
            if (what == having::task)
                while (take_job(m)) {}
        }
        if ((seen & bits::lobby) != 0) feed_lobby(m, what, answers);
        if ((seen & bits::scan) != 0) {
            m.lower(bits::scan);  // before scanning: who runs dry meanwhile raises it again
            if (const worker_id manager = m.manager(); manager != self_) m.raise_and_wake(manager, bits::scan);
            else idleness_.announce_if_terminated(m, workers_);
        }
    }

    template <medium M>
    void open_where_it_is_a_victim(M& m) {
        if (!closed_while_dry_ && !away_) m.open_mailbox();
    }

    template <medium M>
    void serve_mail(M& m, having what) {
        m.lower(bits::mail);  // before receiving: a later request raises it again
        while (const std::optional<travel> t = m.receive_request()) handle(m, *t, what);
    }

    // A worker with a task gives whatever is in its deque; if that is empty, what has arrived late.
    // A worker without one starts what arrives instead of passing it on.
    template <medium M>
    bool can_give(M& m, having what) {
        return m.spare() > 0 || (what == having::task && receive(m));
    }
    // Never the last one to a thief that still has some, and nothing while others have nothing.
    template <medium M>
    bool can_give_early(M& m) {
        return m.spare() > 1 && m.lobby_empty();
    }

    template <medium M>
    void handle(M& m, travel t, having what) {
        if (m.state(t.request) != request_state::circulating) {
            m.land(t.request);  // withdrawn meanwhile
            return;
        }
        const bool looks_on = t.samples > 0 && victims_.looks_on(t, self_, m.spare());
        if (!looks_on && can_give_to(m, t, what)) give_to(m, t);
        else forward(m, t, what);
    }

    template <medium M>
    bool can_give_to(M& m, const travel& t, having what) {
        return t.early() ? can_give_early(m) : can_give(m, what);
    }

    // Landed before it is answered: the thief may then circulate again at once.
    template <medium M>
    void give_to(M& m, const travel& t) {
        const bool won = m.claim(t.request, request_state::circulating, request_state::taken);
        m.land(t.request);
        if (won) answer(m, t.request);
    }

    // Without acknowledgement (CH figure 1b): the next victim gets it, the thief hears nothing. This worker
    // may be the next: the richest of those that were looked at, with nobody else to look at.
    template <medium M>
    void forward(M& m, travel t, having what) {
        while (const std::optional<worker_id> victim = victims_.next(t, workers_)) {
            if (*victim == self_) {
                if (!can_give_to(m, t, what)) continue;
                give_to(m, t);
                return;
            }
            m.note(event::message);
            if (m.send_request(*victim, t)) return;
        }
        m.note(event::failed_request);
        const bool comes_home = t.early() || how_.failure() == after_failure::comes_home;
        const bool stays_out =
            m.claim(t.request, request_state::circulating, comes_home ? request_state::home : request_state::resting);
        m.land(t.request);
        if (stays_out && !comes_home && m.deposit(t.request)) ring(m);
    }

    template <medium M>
    void ask(M& m, asking what) {
        m.set_wish(own(), what == asking::one ? amount::one : what == asking::half ? amount::half : stealing_.wish());
        if (workers_ > 1 && m.may_travel(own())) send_out(m, own(), false);
        // Its letter is out. It lands with the next worker that looks at it; until then this one waits as for an answer,
        // and the driver lets its request rest if nobody does: with many workers the lobby is what they queue for
        // (docs/evidence/simulated.md). Once is enough for one letter. And where failures come home, the driver takes a
        // request at home for one that has failed.
        else if (workers_ == 1 || gave_up_on_letter_ || how_.failure() == after_failure::comes_home) rest(m);
    }

    template <medium M>
    void prefetch(M& m) {
        if (workers_ == 1 || !m.may_travel(own_early())) return;
        m.set_wish(own_early(), stealing_.wish());
        send_out(m, own_early(), true);
    }

    template <medium M>
    void send_out(M& m, request_id r, bool early) {
        if (r == own()) gave_up_on_letter_ = false;
        m.set_state(r, request_state::circulating);
        m.take_off(r);
        travel t = victims_.begin(r, workers_, random_);
        t.status = early ? status::working : status::idle;
        forward(m, t, having::nothing);
    }

    template <medium M>
    bool receive(M& m, request_id r) {
        if (m.state(r) != request_state::taken || !m.tasks_arrived(r)) return false;
        idleness_.become_active(m);  // idle off, then received, then run (Mattern 1987)
        m.publish_received();
        if (victims_.remembers())
            if (const worker_id victim = m.victim_of(r); victim != no_worker) victims_.stole_from(victim);
        if (stealing_.remembers()) stealing_.stole(m.tasks_run());
        m.receive_tasks(r);
        m.set_state(r, request_state::home);
        m.note(event::steal);
        open_after_dry(m);
        return true;
    }
    // Others need not be told: they find the mailbox closed and go on to the next victim (CH §2.1).
    template <medium M>
    void close_while_dry(M& m) {
        if (closed_while_dry_) return;
        closed_while_dry_ = true;
        m.close_mailbox();
        while (const std::optional<travel> t = m.receive_request()) handle(m, *t, having::nothing);
    }
    template <medium M>
    void feed_lobby(M& m, having what, std::uint32_t answers = all_of_them) {
        while (answers > 0 && can_give(m, what)) {
            const std::optional<request_id> r = m.take_resting();
            if (!r) {
                m.lower(bits::lobby);
                if (m.lobby_empty()) return;  // looked once more, after lowering the bit
                m.raise(self_, bits::lobby);
                continue;
            }
            if (thief_of(*r) == self_) {
                // The own one, while there is something to do: nobody has to answer it.
                (void)m.claim(*r, request_state::resting, request_state::home);
            } else if (m.claim(*r, request_state::resting, request_state::taken)) {
                answer(m, *r);
                --answers;
            }
        }
    }

    template <medium M>
    void answer(M& m, request_id r) {
        m.publish_sent();  // before sending: a task in a channel is always counted (I4)
        m.send_tasks(r, m.wish(r));
        m.raise_and_wake(thief_of(r), bits::tasks);
        m.note(event::message);
        if (victims_.remembers()) victims_.gave_to(thief_of(r));
    }

    template <medium M>
    bool take_job(M& m) {
        if (!m.jobs_waiting()) return false;
        idleness_.become_active(m);
        if (!m.take_job()) return false;
        m.publish_received();
        withdraw(m);
        return true;
    }

    idleness idleness_;
    bool away_ = false;
    base::rng random_;
    [[no_unique_address]] Stealing stealing_;
    [[no_unique_address]] Victims victims_;
};

}  // namespace parley::inline v0::protocol
