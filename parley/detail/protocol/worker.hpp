// One worker's side of the protocol: a state machine that exchanges messages. It has no thread, no clock, and no memory
// but its members. It asks its medium for everything else.
//
// The driver (the wait loop of the runtime, or a simulator) calls:
//   serve               when the attention word is not zero: at a fork, a spawn, a poll, in the wait loop
//   serve_briefly       instead of serve, for a producer that very many workers ask
//   serve_interrupted   instead of serve, in a signal handler that has interrupted a task
//   seek                once per turn of the wait loop, for a worker without a task
//   ask_early           for a worker that will soon have no task
//   take_back           for a worker without a task whose answer lies with a thief that does not begin it
//   rest                for a worker without a task whose request got no answer for a while
//   go_to_sleep         before sleeping
//   wake_up             after sleeping
//   withdraw            when the worker stops waiting
//   enter, leave        when worker 0 comes into the runtime, and when it goes
//   leave, stay_away    when a worker is suspended between two tasks (BI §3)
//   come_back           when it goes on
//   open_barrier, close_barrier   for worker 0's root task
#pragma once

#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/idleness.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/own_requests.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/protocol/spreading.hpp>

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

    // Do the strategies want to know of tasks that were run, and of victims?
    [[nodiscard]] bool counts_tasks() const noexcept { return stealing_.remembers(); }
    [[nodiscard]] bool remembers_victims() const noexcept { return victims_.remembers(); }
    [[nodiscard]] static constexpr bool circulates() noexcept { return false; }
    // Whom it serves first (spreading.hpp).
    [[nodiscard]] const range& serves() const noexcept { return range_; }
    // Called when a burst of the root task begins, and when a loop has ended.
    void serves_everybody() noexcept { range_.becomes_everybody(); }
    [[nodiscard]] static constexpr bool sleeps_with_open_mailbox() noexcept { return false; }

    worker(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing = {}, Victims victims = {},
           Requesting how = {}) noexcept
        : requests_of_this(self, workers, how), random_(seed), stealing_(stealing), victims_(victims) {}

    // Does whatever the attention word asks for, between two steps of a running task. True: call again. This machine
    // never returns true, the one of lab/papers does.
    template <medium M>
    bool serve(M& m) {
        serve(m, away_ ? having::nothing : having::task);
        return false;
    }

    // Does what serve() does, but answers at most one resting request, so that more is left for the next one. For a
    // worker that makes tasks and looks again soon. The lobby bit stays up, so the worker must call serve() before it
    // turns to anything else.
    template <medium M>
    bool serve_briefly(M& m) {
        serve(m, away_ ? having::nothing : having::task, 1);
        return false;
    }

    // Answers requests out of what this worker has, and takes nothing in. All other bits wait for the next serve().
    template <medium M>
    void serve_interrupted(M& m) {
        const bits::word seen = m.attention();
        if ((seen & bits::mail) != 0) serve_mail(m, having::interrupted_task);
        if ((seen & bits::lobby) != 0) feed_lobby(m, having::interrupted_task);
    }

    // One turn of a worker without a task. True: the deque has tasks now. The first of them must be started before
    // serve() is called again, or two idle workers would send one task to and fro.
    template <medium M>
    bool seek(M& m, standing where, asking what = asking::as_strategy) {
        if (receive(m)) return true;
        range_.becomes_everybody();
        if (how_.dry() == when_dry::is_closed) close_while_dry(m);
        serve(m, having::nothing);
        if (take_job(m, having::nothing)) return true;
        if (where == standing::between_tasks) idleness_.say_idle(m);
        if (what != asking::nothing && m.state(own()) == request_state::home) {
            ask(m, what);
            // The second request is not sent while the first one waits for its letter.
            if (how_.requests() > 1 && m.state(own()) != request_state::home && m.state(own_early()) == request_state::home)
                prefetch(m);
        }
        return false;
    }

    // A worker without a task asks for the first time. Nobody has work yet whom its letter could find.
    template <medium M>
    void begin_at_rest(M& m) {
        m.set_wish(own(), stealing_.wish());
        rest(m);
    }

    // Asks while there still is a task to run (TH §3.3.1), so that the answer may be there when it is needed. The
    // answer waits in the task channel. Does nothing while any request is out. Does nothing either before the other
    // workers have started: a letter to a worker that never starts would not come back.
    template <medium M>
    void ask_early(M& m) {
        // If each seek() found an answer, the worker would never take a job (I11).
        if (m.jobs_waiting()) return;
        if ((m.attention() & bits::start) != 0) return;
        if (all_home(m)) prefetch(m);
    }

    // A worker whose deque is empty falls asleep in five steps:
    //   1. Its first request rests or is being answered. If it asks for nothing, the request may be home, and the driver
    //      sleeps for a limited time. A second request is home or being answered.
    //   2. It closes its mailbox and forwards the letters that are left, so that nothing waits for a sleeper.
    //   3. It marks its attention word asleep. That fails if a waking bit is set.
    //   4. It looks once more for answers and for jobs from outside.
    //   5. The driver looks once more at the condition of its wait. Then it sleeps, or calls wake_up at once.
    // No wake-up is lost (I8): driver/sleeping.md has the races and the proof. Returns true if the worker is
    // asleep after step 4.
    template <medium M>
    bool go_to_sleep(M& m, asking what = asking::as_strategy) {
        if (what != asking::nothing || m.state(own()) != request_state::home) rest(m);
        if (how_.requests() > 1) withdraw(m, own_early());
        m.close_mailbox();
        while (const std::optional<letter> t = m.receive_request()) handle(m, *t, having::nothing);
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

    // Moves an answer that has arrived into the empty deque.
    template <medium M>
    bool receive(M& m) {
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (receive(m, own(slot))) return true;
        return false;
    }

    // Takes back an answer that this worker has sent and its thief has not begun. The worker's deque is empty. True: it has
    // tasks now. Nothing is taken back while an answer is on its way to this worker. That one begins first. Its victim may
    // wait for it in an isolated region, and what is taken back could block on what that region keeps.
    // 1. Victim and thief take the answer out of the task channel by one atomic operation. So one of them has it (I2), and
    //    that one counts it as received (I4).
    // 2. The request goes home without an answer. Until then it is taken, so its thief does not ask again (I1, I5).
    // 3. The thief is woken after that. It may have fallen asleep because its request was taken (I8). It asks when it
    //    runs, so it is not fed before it does.
    template <medium M>
    bool take_back(M& m) {
        if (!may_take_back(m)) return false;
        withdraw(m);
        if (!all_home(m)) return false;
        const std::optional<request_id> r = m.take_back();
        if (!r) return false;
        idleness_.become_active(m);
        m.publish_received();
        m.set_state(*r, request_state::home);
        m.raise_and_wake(thief_of(*r), bits::tasks);
        m.note(event::steal);  // as each answer that is received
        return true;
    }

    // Worker 0 comes in: its mailbox opens, and it learns whether requests rest (I11).
    template <medium M>
    void enter(M& m) {
        m.open_mailbox();
        idleness_.become_active(m);
        if (!m.lobby_empty()) m.raise(self_, bits::lobby);
    }

    // Worker 0 goes. True: its mailbox is closed, and its requests are home (I10, I11). False: an answer is on its way,
    // or waits until the deque is empty; call again. After each call the driver hands on as jobs what is in the deque.
    // What is left of running loops may stay. So it does not keep an answer waiting.
    template <medium M>
    bool leave(M& m) {
        withdraw(m);
        for (std::uint32_t slot = 0; slot < how_.requests(); ++slot)
            if (m.state(own(slot)) == request_state::taken && (has_tasks(m) || !receive(m, own(slot)))) return false;
        m.close_mailbox();
        while (const std::optional<letter> t = m.receive_request()) handle(m, *t, having::task);
        return true;
    }

    // Suspends a worker between two tasks. Before that it must have left, and the driver must have handed on its deque.
    // The worker counts as idle, has no request out and takes no jobs. Until come_back() or the runtime's end, only
    // serve() and go_to_sleep() (asking for nothing) may be called. Worker 0 is never suspended.
    //
    // A manager gives its role to worker 0 for good, since two managers could both announce the end (I4):
    // 1. The manager gives the role away before it looks at the barrier.
    // 2. A worker that waits at the barrier opens it before it asks for the manager. So one of the two sees the other.
    // 3. A scan that is asked of the former manager all the same is passed on (serve).
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

    // Worker 0 was released. The release counts as an answer received (I4). Always true; other machines return false if
    // they must be called again.
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

    // Gives at most `answers` answers to resting requests.
    template <medium M>
    void serve(M& m, having what, std::uint32_t answers = all_of_them) {
        if (what == having::task) open_after_dry(m);
        const bits::word seen = m.attention();
        if ((seen & (bits::tasks | bits::news)) != 0) m.lower(seen & (bits::tasks | bits::news));
        if ((seen & bits::mail) != 0) serve_mail(m, what);
        if ((seen & bits::jobs) != 0) {
            m.lower(bits::jobs);  // before taking: a later job raises the bit again
            if (what == having::task)
                while (take_job(m, what)) {}
        }
        if ((seen & bits::lobby) != 0) feed_lobby(m, what, answers);
        if ((seen & bits::scan) != 0) {
            m.lower(bits::scan);  // before scanning: a worker that runs dry meanwhile raises it again
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
        m.lower(bits::mail);  // before receiving: a later letter raises the bit again
        while (const std::optional<letter> t = m.receive_request()) handle(m, *t, what);
    }

    // A worker in a task gives what is in its deque. If the deque is empty, it gives an answer of its own that came
    // late. A worker without a task starts such an answer itself.
    template <medium M>
    bool can_give(M& m, having what, worker_id thief) {
        if (m.spare() == 0) return what == having::task && receive(m);
        return what != having::task || !keeps_back(m, thief);
    }

    template <medium M>
    void handle(M& m, letter t, having what) {
        if (m.state(t.request) != request_state::circulating) {
            m.land(t.request);  // its thief has withdrawn it
            return;
        }
        const bool looks_on = t.samples > 0 && victims_.looks_on(t, self_, m.spare());
        if (!looks_on && can_give_to(m, t, what)) give_to(m, t);
        else forward(m, t, what);
    }

    template <medium M>
    bool can_give_to(M& m, const letter& t, having what) {
        // An early request gets nobody's last task, and nothing while other requests rest (I9).
        if (t.early()) return m.spare() > 1 && m.lobby_empty();
        return can_give(m, what, thief_of(t.request));
    }

    // The letter lands before the answer is sent, because the thief may circulate again at once (I6).
    template <medium M>
    void give_to(M& m, const letter& t) {
        const bool won = m.claim(t.request, request_state::circulating, request_state::taken);
        m.land(t.request);
        if (won) answer(m, {t.request});
    }

    // Sends the letter to the next victim. The thief hears nothing of it (CH figure 1b). The next victim may be this
    // worker, if it is the richest of those that were looked at.
    template <medium M>
    void forward(M& m, letter t, having what) {
        const bool is_own = thief_of(t.request) == self_;
        const bool may_rest = !t.early() && how_.failure() == after_failure::rests;
        if (may_rest && !t.preferred_waits && t.samples == 0 && would_wander(m, is_own)) return put_to_rest(m, t);
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
        if (may_rest) return put_to_rest(m, t);
        (void)m.claim(t.request, request_state::circulating, request_state::home);
        m.land(t.request);
    }

    template <medium M>
    void put_to_rest(M& m, const letter& t) {
        const bool stays_out = m.claim(t.request, request_state::circulating, request_state::resting);
        m.land(t.request);
        if (stays_out && m.deposit(t.request)) ring(m);
    }

    template <medium M>
    void ask(M& m, asking what) {
        m.set_wish(own(), what == asking::one ? amount::one : what == asking::half ? amount::half : stealing_.wish());
        if (workers_ > 1 && m.may_travel(own())) send_out(m, own(), false);
        // The letter is still out, until a worker that looks drops it. This worker waits for it once, as for an answer;
        // then the driver lets the request rest. Later the request rests at once, since with many workers most answers
        // come by the lobby (docs/evidence/simulated.md). It also does where failed requests come home: there the
        // driver takes a request at home for a failed one.
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
        letter t = victims_.begin(r, workers_, random_);
        t.status = early ? status::working : status::idle;
        forward(m, t, having::nothing);
    }

    template <medium M>
    bool receive(M& m, request_id r) {
        if (m.state(r) != request_state::taken || !m.tasks_arrived(r)) return false;
        if (!take_answer(m, r)) return false;
        idleness_.become_active(m);  // the order for I4: idle off, then received, then run (Mattern 1987)
        m.publish_received();
        if (victims_.remembers())
            if (const worker_id victim = m.victim_of(r); victim != no_worker) victims_.stole_from(victim);
        if (stealing_.remembers()) stealing_.stole(m.tasks_run());
        range_.comes_with(m, r);
        m.receive_tasks(r);
        m.set_state(r, request_state::home);
        m.note(event::steal);
        open_after_dry(m);
        return true;
    }
    // Other workers are not told. They find the mailbox closed and go on to the next victim (CH §2.1).
    template <medium M>
    void close_while_dry(M& m) {
        if (closed_while_dry_) return;
        closed_while_dry_ = true;
        m.close_mailbox();
        while (const std::optional<letter> t = m.receive_request()) handle(m, *t, having::nothing);
    }
    template <medium M>
    void feed_lobby(M& m, having what, std::uint32_t answers = all_of_them) {
        while (answers > 0 && can_give(m, what, no_worker)) {
            std::optional<asker> a = range_.take_asker(m, seats_of(m, workers_));
            if (!a && what == having::task && leaves_at_rest(m)) return;  // the bell goes on ringing
            if (!a)
                if (const std::optional<request_id> r = m.take_resting()) a = asker{*r};
            if (!a) {
                m.lower(bits::lobby);
                if (m.lobby_empty()) return;  // a second look, after lowering the bit (I9)
                m.raise(self_, bits::lobby);
                continue;
            }
            if (thief_of(a->request) == self_) {
                // The worker has something to do, so it takes its own request back, and nobody has to answer that.
                (void)m.claim(a->request, request_state::resting, request_state::home);
            } else if (m.claim(a->request, request_state::resting, request_state::taken)) {
                answer(m, *a);
                --answers;
            }
        }
    }

    template <medium M>
    void answer(M& m, const asker& a) {
        const request_id r = a.request;
        range_.divide(m, a, seats_of(m, workers_));
        m.publish_sent();  // before sending: a task in a channel is always counted (I4)
        m.send_tasks(r, m.wish(r));
        m.raise_and_wake(thief_of(r), bits::tasks);
        m.note(event::message);
        if (victims_.remembers()) victims_.gave_to(thief_of(r));
    }

    // Some jobs may not wait below a task that runs (runtime/isolation.hpp). A medium that has such leaves them to others.
    template <medium M>
    static bool take_one(M& m, having what) {
        if constexpr (requires { m.take_job_in_task(); })
            if (what == having::task) return m.take_job_in_task();
        return m.take_job();
    }

    template <medium M>
    bool take_job(M& m, having what) {
        if (!m.jobs_waiting()) return false;
        idleness_.become_active(m);
        if (!take_one(m, what)) return false;
        range_.becomes_everybody();
        m.publish_received();
        withdraw(m);
        return true;
    }

    idleness idleness_;
    range range_;
    bool away_ = false;
    base::rng random_;
    [[no_unique_address]] Stealing stealing_;
    [[no_unique_address]] Victims victims_;
};

}  // namespace parley::inline v0::protocol
