// The papers' own protocol (CH §2, TH chapters 3 and 4), beside that of worker.hpp, for comparison. It has the same
// driver, which calls the same members at the same times.
//
// A request is a message; whoever receives it holds it, and nobody else can do anything about it. It goes from
// worker to worker until somebody has a task, and home when nobody has. There its thief, if it is idle by then,
// says so, and the manager registers it; a thief that is registered may pause. The request of a registered thief,
// when it is answered, goes on to the manager, to say that the thief is not idle any more.
//
// What follows from that, and is otherwise in worker.hpp:
//   - A request that is held by a worker that does not look up is lost for as long (no I9), and whoever leaves the
//     runtime waits for it.
//   - Nobody sleeps without an end. Pauses are sleep, with a closed mailbox; the manager's stays open.
//   - One request is pending at a time (I1). A worker has two letters nevertheless: one may still be a message on its
//     way to the manager when the next request sets out. Who has neither at home asks later.
#pragma once

#include <parley/base/rng.hpp>
#include <parley/protocol/circulating_request.hpp>
#include <parley/protocol/medium.hpp>
#include <parley/protocol/request.hpp>
#include <parley/protocol/worker.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing>
class circulating_worker : public circulating_request {
public:
    circulating_worker(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing = {},
                       Victims victims = {}, circulating how = {}) noexcept
        : circulating_request(self, workers, how), random_(seed), stealing_(stealing), victims_(victims) {}

    [[nodiscard]] bool counts_tasks() const noexcept { return stealing_.remembers(); }
    [[nodiscard]] bool remembers_victims() const noexcept { return victims_.remembers(); }
    [[nodiscard]] static constexpr bool circulates() noexcept { return true; }

    // One letter at a time: others may send faster than this worker forwards. True: there may be more.
    template <medium M>
    bool serve(M& m) {
        return serve(m, having::task, standing::in_task);
    }

    // The papers' workers look when they look.
    template <medium M>
    void serve_interrupted(M&) noexcept {}

    template <medium M>
    bool seek(M& m, standing where, asking what = asking::as_strategy) {
        if (receive(m)) return true;
        (void)serve(m, having::nothing, where);
        if (idle_.is_dedicated()) {
            register_itself(m);
            return false;
        }
        if (take_job(m)) return true;
        if (!is_out_) ask(m, where, what);
        if (how_.detects == detection::by_shared_counter && self_ == 0 && where == standing::between_tasks &&
            m.barrier_open() && idle_.all_are_counted(m))
            m.raise_and_wake(0, bits::released);
        return false;
    }

    // Says that it still has tasks (TH §4.1.1: a speculative request).
    template <medium M>
    void ask_early(M& m) {
        if (!is_out_ && !idle_.is_dedicated()) send_out(m, status::working, stealing_.wish());
    }

    // There is no place to rest, and what is on its way cannot be called back.
    template <medium M>
    void rest(M&) noexcept {}
    template <medium M>
    void withdraw(M&) noexcept {}

    // A pause, or a wait that takes no work; not while its request may come home to a closed mailbox. The manager's
    // stays open: it is woken for each letter.
    template <medium M>
    bool go_to_sleep(M& m, asking what = asking::as_strategy) {
        if (what != asking::nothing || is_out_) return false;
        if (!sleeps_with_open_mailbox()) close_mailbox(m, having::nothing);
        if (!m.prepare_to_sleep()) {
            m.open_mailbox();
            return false;
        }
        // The bell of a letter may have been lowered with an earlier one's; the mail bit was raised before it.
        const bool has_mail = sleeps_with_open_mailbox() && (m.attention() & bits::mail) != 0;
        if (has_mail || (m.jobs_waiting() && !idle_.is_dedicated())) {
            wake_up(m);
            return false;
        }
        m.note(event::sleep);
        return true;
    }
    template <medium M>
    void wake_up(M& m) {
        m.cancel_sleep();
        m.open_mailbox();
    }

    // Moves what has arrived into the empty deque. What has arrived may be a task without work: then the next
    // request goes to worker 0 (TH §4.2.1).
    template <medium M>
    bool receive(M& m) {
        if (!is_out_ || !m.tasks_arrived(own(slot_))) return false;
        const worker_id victim = m.victim_of(own(slot_));
        const bool has_tasks = m.receive_tasks(own(slot_));
        is_out_ = is_out_of_date_ = is_registered_ = is_unanswered_ = false;
        asks_root_ = !has_tasks;
        if (!has_tasks) return false;
        if (victims_.remembers()) victims_.stole_from(victim);
        if (stealing_.remembers()) stealing_.stole(m.tasks_run());
        m.note(event::steal);
        return true;
    }

    template <medium M>
    void enter(M& m) {
        m.open_mailbox();
    }
    // False: call again. Its request must have come home: an answer would find nobody. Who ends waits for its letters
    // from the manager, too. What is sent to the manager meanwhile it reads when it comes back.
    template <medium M>
    bool leave(M& m) {
        (void)serve(m, having::left, standing::in_task);
        if (is_out_ && m.spare() == 0) (void)receive(m);
        if (is_out_) return false;
        const bool ends = (m.attention() & bits::stop) != 0;
        if (ends && !(m.may_travel(own(0)) && m.may_travel(own(1)))) return false;
        close_mailbox(m, having::left);
        if (idle_.is_manager()) read_messages(m);
        return true;
    }

    template <medium M>
    void open_barrier(M& m) {
        m.set_barrier_open(true);
    }
    // Worker 0 was released and goes on with the root task; who knows it as idle must learn of that. False: call
    // again.
    template <medium M>
    bool close_barrier(M& m) {
        if (m.barrier_open()) {
            m.set_barrier_open(false);
            m.lower(bits::released);
        }
        if (idle_.changes_set()) {
            idle_.root_goes_on(m);
            goes_on();
            return true;
        }
        if (is_out_) (void)receive(m);
        if (is_out_ && !revoke(m)) return false;
        if (is_out_) goes_on();
        else if (!tell(m, status::update_and_root)) return false;
        return true;
    }

    friend bool operator==(const circulating_worker&, const circulating_worker&) = default;

private:
    enum class having : std::uint8_t { task, nothing, left };

    template <medium M>
    void close_mailbox(M& m, having what) {
        m.close_mailbox();
        while (const std::optional<travel> t = m.receive_request()) handle(m, *t, what, standing::in_task);
    }

    template <medium M>
    bool serve(M& m, having what, standing where) {
        const bits::word seen = m.attention();
        constexpr bits::word heard = bits::tasks | bits::news | bits::scan;
        if ((seen & heard) != 0) m.lower(seen & heard);
        if ((seen & bits::scan) != 0 && idle_.is_manager()) read_messages(m);
        bool came = false;
        if ((seen & bits::mail) != 0) {
            m.lower(bits::mail);  // before receiving: a later letter raises it again
            if (const std::optional<travel> t = m.receive_request()) {
                came = true;
                m.raise(self_, bits::mail);
                handle(m, *t, what, where);
            }
        }
        if ((seen & bits::jobs) != 0) {
            m.lower(bits::jobs);
            if (what == having::task)
                while (take_job(m)) {
                }
        }
        if (what == having::nothing && idle_.is_manager() && idle_.all_seem_idle(m)) {
            read_messages(m);
            idle_.announce(m);
        }
        return came;
    }

    // TH figures 4.1 and 4.4.
    template <medium M>
    void handle(M& m, travel t, having what, standing where) {
        if (thief_of(t.request) == self_) {
            has_come_back(m, t, what, where);
        } else {
            const bool gives = can_give(m, what);
            if (!gives) register_thief(m, t);
            const bool looks_on = t.samples > 0 && victims_.looks_on(t, self_, m.spare());
            if (gives && !looks_on) answer(m, t);
            else forward(m, t, what);
        }
    }

    template <medium M>
    bool can_give(M& m, having what) {
        return m.spare() > 0 || (what == having::task && receive(m));
    }

    template <medium M>
    void register_thief(M& m, travel& t) {
        if (t.status != status::idle || !idle_.is_manager()) return;
        read_messages(m);  // what was sent before this request comes before it: figure 4.3
        m.register_idle(thief_of(t.request));
        t.status = status::registered_idle;
    }

    // To the next victim; to its thief, if it has been everywhere, or if that is to choose.
    template <medium M>
    void forward(M& m, travel t, having what) {
        const worker_id thief = thief_of(t.request);
        if (how_.refuses == refusal::forwards || thief == self_) {
            while (const std::optional<worker_id> victim = victims_.next(t, workers_)) {
                if (*victim == self_) {  // the richest that was looked at
                    if (!can_give(m, what)) continue;
                    answer(m, t);
                    return;
                }
                if (send(m, *victim, t)) return;
            }
        }
        if (thief == self_) comes_home(m, t);
        else (void)send(m, thief, t);  // open as long as its request is out
    }

    template <medium M>
    void has_come_back(M& m, const travel& t, having what, standing where) {
        if (how_.refuses == refusal::acknowledges && what == having::nothing) {
            forward(m, t, what);
            if (is_out_) return;
        } else {
            comes_home(m, t);
        }
        if (what == having::task) {
            // No longer needed (figure 4.4, lines 16 to 18). If the manager cannot be told now, the next request says
            // that this worker is registered still.
            if (is_registered_) (void)tell(m, status::update);
        } else if (where == standing::between_tasks && idle_.changes_set()) {
            register_itself(m);
        }
    }

    template <medium M>
    void answer(M& m, const travel& t) {
        const worker_id thief = thief_of(t.request);
        const amount wish = m.wish(t.request);
        if (t.status != status::registered_idle) m.land(t.request);
        else if (idle_.changes_set()) unregister(m, t);
        else report(m, t, status::update);
        m.send_tasks(t.request, wish);
        m.raise_and_wake(thief, bits::tasks);
        m.note(event::message);
        if (victims_.remembers()) victims_.gave_to(thief);
    }
    template <medium M>
    void ask(M& m, standing where, asking what) {
        const bool is_idle = where == standing::between_tasks;
        // Worker 0 never pauses in a barrier (TH §4.2.2), and who is not registered must ask to be.
        const bool holds_back = what == asking::nothing && (!is_idle || (is_registered_ && self_ != 0));
        if (is_idle && is_unanswered_ && idle_.changes_set()) register_itself(m);
        if (workers_ == 1 && is_idle) register_itself(m);
        if (holds_back || workers_ == 1) return;
        const amount wish = what == asking::one    ? amount::one
                            : what == asking::half ? amount::half
                                                   : stealing_.wish();
        send_out(m, !is_idle ? status::working : is_registered_ ? status::registered_idle : status::idle, wish);
    }

    // Not before there are others: a letter to a worker that never starts would not come back.
    template <medium M>
    void send_out(M& m, status as, amount wish) {
        if (workers_ == 1 || (m.attention() & bits::start) != 0) return;
        const std::optional<request_id> r = free_letter(m);
        if (!r) return;
        slot_ = slot_of(*r);
        is_out_ = true;
        asked_as_ = as;
        m.set_wish(*r, wish);
        m.take_off(*r);
        travel t = victims_.begin(*r, workers_, random_);
        t.status = as;
        if (asks_root_) {
            asks_root_ = false;
            if (send(m, 0, t)) return;
        }
        // Once a round has failed: "I am idle" (figure 4.1, lines 18 to 20).
        if (as == status::idle && is_unanswered_ && how_.detects != detection::by_shared_counter &&
            send(m, manager_of(workers_), t))
            return;
        forward(m, t, having::nothing);
    }

    // Not while a request may be on its way that says that this worker is idle: the manager would believe it.
    template <medium M>
    bool take_job(M& m) {
        if (idle_.is_dedicated() || !m.jobs_waiting()) return false;
        if (is_out_ && asked_as_ != status::working && !is_out_of_date_) return false;
        if (is_registered_ && !is_out_of_date_ && !tell(m, status::update)) return false;
        if (!m.take_job()) return false;
        m.publish_received();
        return true;
    }

    // Its own request is in its hand, or another one's is taken out of circulation. Everybody is registered then; one
    // that says otherwise belongs to somebody who has taken a job.
    template <medium M>
    bool revoke(M& m) {
        m.lower(bits::mail);
        const std::optional<travel> t = m.receive_request();
        if (!t) return false;
        m.raise(self_, bits::mail);
        if (thief_of(t->request) == self_) {
            comes_home(m, *t);
            return true;
        }
        if (how_.revokes == revocation::own || t->status != status::registered_idle) {
            handle(m, *t, having::nothing, standing::between_tasks);
            return false;
        }
        report(m, *t, status::update_and_root);
        m.send_nothing(t->request);
        m.raise_and_wake(thief_of(t->request), bits::tasks);
        m.note(event::message);
        return true;
    }

    bool asks_root_ = false;  // first
    base::rng random_;
    [[no_unique_address]] Stealing stealing_;
    [[no_unique_address]] Victims victims_;
};

}  // namespace parley::inline v0::protocol
