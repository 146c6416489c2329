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
//   - One request is pending at a time (I1). A worker has two letters nevertheless: one may still be on its way to
//     the manager when the next request sets out. It is never both: the manager registers a thief again only after it
//     has received what was sent before, so a request that has to be reported finds the other letter at home.
#pragma once

#include <parley/base/rng.hpp>
#include <parley/protocol/circulating.hpp>
#include <parley/protocol/idle_workers.hpp>
#include <parley/protocol/medium.hpp>
#include <parley/protocol/request.hpp>
#include <parley/protocol/worker.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing>
class circulating_worker {
public:
    circulating_worker(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing = {},
                       Victims victims = {}, circulating how = {}) noexcept
        : self_(self), workers_(workers), how_(how), idle_(self, workers, how.detects), random_(seed),
          stealing_(stealing), victims_(victims) {}

    [[nodiscard]] worker_id id() const noexcept { return self_; }
    [[nodiscard]] static constexpr std::uint32_t requests() noexcept { return 2; }  // letters
    [[nodiscard]] bool counts_tasks() const noexcept { return stealing_.remembers(); }
    [[nodiscard]] bool remembers_victims() const noexcept { return victims_.remembers(); }
    [[nodiscard]] static constexpr bool circulates() noexcept { return true; }
    [[nodiscard]] bool sleeps_with_open_mailbox() const noexcept { return keeps_mailbox_open(); }

    // One letter at a time: others may send faster than this worker forwards. True: there may be more.
    template <medium M>
    bool serve(M& m) {
        return serve(m, having::task, standing::in_task);
    }

    template <medium M>
    bool seek(M& m, standing where, asking what = asking::as_strategy) {
        if (receive(m)) return true;
        (void)serve(m, having::nothing, where);
        if (idle_.is_dedicated()) {
            holds_back_ = true;
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

    // May it pause before it asks again? "Provided it has been registered as idle" (TH §4.2.2).
    template <medium M>
    bool is_home(M&) const noexcept {
        return !is_out_ && is_registered_;
    }
    template <medium M>
    bool all_home(M&) const noexcept {
        return !is_out_;
    }

    // A pause; not while its request may come home to a closed mailbox. The manager is woken for each letter.
    template <medium M>
    bool go_to_sleep(M& m, asking what = asking::as_strategy) {
        if (!may_pause(what)) return false;
        if (!keeps_mailbox_open()) {
            m.close_mailbox();
            while (const std::optional<travel> t = m.receive_request())
                handle(m, *t, having::nothing, standing::in_task);
        }
        if (!m.prepare_to_sleep()) {
            open_mailbox(m);
            return false;
        }
        // The bell of a letter may have been lowered with an earlier one's; the mail bit was raised before it.
        const bool has_mail = keeps_mailbox_open() && (m.attention() & bits::mail) != 0;
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
        open_mailbox(m);
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
        open_mailbox(m);
    }
    // False: call again. Its request must have come home: an answer would find nobody. Who ends has received its
    // letters from the manager, too.
    template <medium M>
    bool leave(M& m) {
        (void)serve(m, having::task, standing::in_task);
        if (is_out_ && (m.spare() > 0 || !receive(m)) && is_out_) return false;
        const bool ends = (m.attention() & bits::stop) != 0;
        if (ends && !(m.may_travel(own(0)) && m.may_travel(own(1)))) return false;
        if (is_registered_ && !ends && !tell(m, status::update)) return false;
        // The manager's stays open while it blocks: a message that it does not get would be missed for ever.
        if (ends || !keeps_mailbox_open()) m.close_mailbox();
        if (ends || !keeps_mailbox_open())
            while (const std::optional<travel> t = m.receive_request())
                handle(m, *t, having::task, standing::in_task);
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
    enum class having : std::uint8_t { task, nothing };

    [[nodiscard]] request_id own(std::uint32_t slot) const noexcept { return request_of(self_, slot); }
    [[nodiscard]] bool keeps_mailbox_open() const noexcept { return idle_.is_manager() && workers_ > 1; }
    [[nodiscard]] bool may_pause(asking what) const noexcept {
        return what == asking::nothing && !is_out_ && holds_back_ && !idle_.about_to_announce();
    }
    template <medium M>
    void open_mailbox(M& m) {
        if (!keeps_mailbox_open()) m.open_mailbox();
    }

    // The bell comes after the letter.
    template <medium M>
    bool send(M& m, worker_id to, const travel& t) {
        m.note(event::message);
        if (!m.send_request(to, t)) return false;
        if (how_.detects != detection::by_shared_counter && to == manager_of(workers_))
            m.raise_and_wake(to, bits::scan);
        return true;
    }

    template <medium M>
    bool serve(M& m, having what, standing where) {
        const bits::word seen = m.attention();
        constexpr bits::word heard = bits::tasks | bits::news | bits::scan;
        if ((seen & heard) != 0) m.lower(seen & heard);
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
        if (what == having::nothing && idle_.is_manager()) idle_.announce_if_all_are_idle(m, !came);
        return came;
    }

    // TH figures 4.1 and 4.4.
    template <medium M>
    void handle(M& m, travel t, having what, standing where) {
        if (t.status == status::update || t.status == status::update_and_root) {
            idle_.learn(m, t);
        } else if (thief_of(t.request) == self_) {
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
        m.register_idle(thief_of(t.request));
        t.status = status::registered_idle;
    }
    template <medium M>
    void register_itself(M& m) {
        if (is_registered_) return;
        m.register_idle(self_);
        is_registered_ = true;
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
    // Failed everywhere. That a worker is registered is what its request says, unless it has said otherwise since.
    template <medium M>
    void comes_home(M& m, const travel& t) {
        m.note(event::failed_request);
        is_registered_ = t.status == status::registered_idle && !is_out_of_date_;
        is_out_ = is_out_of_date_ = false;
        is_unanswered_ = true;
        m.land(t.request);
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
    void unregister(M& m, const travel& t) {
        m.unregister_idle(thief_of(t.request));
        m.land(t.request);
    }
    // The request itself is the message. Without a manager, at the end of all, nobody needs it.
    template <medium M>
    void report(M& m, travel t, status as) {
        t.status = as;
        if (!send(m, manager_of(workers_), t)) m.land(t.request);
    }

    // That this worker is not idle any more, by a letter of its own. False: none is at home, call again.
    template <medium M>
    bool tell(M& m, status as) {
        if (idle_.changes_set()) {
            m.unregister_idle(self_);
        } else {
            const std::optional<request_id> r = free_letter(m);
            if (!r) return false;
            m.take_off(*r);
            report(m, travel{.request = *r}, as);
        }
        is_registered_ = false;
        return true;
    }
    template <medium M>
    std::optional<request_id> free_letter(M& m) {
        for (std::uint32_t slot = 0; slot < requests(); ++slot)
            if (m.may_travel(own(slot))) return own(slot);
        return std::nullopt;
    }

    template <medium M>
    void ask(M& m, standing where, asking what) {
        const bool is_idle = where == standing::between_tasks;
        // Worker 0 never pauses in a barrier (TH §4.2.2), and who is not registered must ask to be.
        holds_back_ = what == asking::nothing && (!is_idle || (is_registered_ && self_ != 0));
        if (is_idle && is_unanswered_ && idle_.changes_set()) register_itself(m);
        if (workers_ == 1 && is_idle) register_itself(m);
        if (holds_back_ || workers_ == 1) return;
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

    // Worker 0 is out of the barrier, and its own request still says that it is idle.
    void goes_on() noexcept {
        is_registered_ = false;
        is_out_of_date_ = is_out_;
    }
    // Its own request has come home, or another one's is taken out of circulation. Everybody is registered then; one
    // that says otherwise belongs to somebody who has taken a job.
    template <medium M>
    bool revoke(M& m) {
        if (how_.revokes == revocation::own || (m.attention() & bits::mail) == 0) {
            (void)serve(m, having::nothing, standing::between_tasks);
            return !is_out_;
        }
        const std::optional<travel> t = m.receive_request();
        if (!t) {
            (void)serve(m, having::nothing, standing::between_tasks);
        } else if (thief_of(t->request) == self_ || t->status != status::registered_idle) {
            handle(m, *t, having::nothing, standing::between_tasks);
        } else {
            report(m, *t, status::update_and_root);
            m.send_nothing(t->request);
            m.raise_and_wake(thief_of(t->request), bits::tasks);
            return true;
        }
        return !is_out_;
    }

    worker_id self_;
    std::uint32_t workers_;
    circulating how_;
    idle_workers idle_;
    std::uint32_t slot_ = 0;          // of the request that is out
    status asked_as_ = status::idle;  // the same
    bool is_out_ = false;
    bool is_out_of_date_ = false;  // out, and what it says of this worker is not so any more
    bool is_registered_ = false;   // as far as this worker knows, and nothing has been said since
    bool is_unanswered_ = false;   // the last request came home
    bool asks_root_ = false;       // first
    bool holds_back_ = false;
    base::rng random_;
    [[no_unique_address]] Stealing stealing_;
    [[no_unique_address]] Victims victims_;
};

}  // namespace parley::inline v0::protocol
