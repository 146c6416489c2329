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

#include <lab/papers/circulating_victim.hpp>
#include <lab/papers/medium.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

template <class Victims, class Stealing>
class circulating_worker : public circulating_victim<Victims, Stealing> {
    using as_victim = circulating_victim<Victims, Stealing>;
    using as_victim::asked_as_, as_victim::asks_root_, as_victim::how_, as_victim::idle_, as_victim::is_out_,
        as_victim::is_out_of_date_, as_victim::is_registered_, as_victim::is_unanswered_, as_victim::random_,
        as_victim::self_, as_victim::slot_, as_victim::stealing_, as_victim::victims_, as_victim::workers_;
    using as_victim::comes_home, as_victim::forward, as_victim::free_letter, as_victim::goes_on, as_victim::handle,
        as_victim::own, as_victim::read_messages, as_victim::register_itself, as_victim::report, as_victim::send,
        as_victim::tell;
    using typename as_victim::having;

public:
    circulating_worker(worker_id self, std::uint32_t workers, std::uint64_t seed, Stealing stealing = {},
                       Victims victims = {}, circulating how = {}) noexcept
        : as_victim(self, workers, seed, stealing, victims, how) {}

    using as_victim::receive, as_victim::sleeps_with_open_mailbox;
    [[nodiscard]] static constexpr bool circulates() noexcept { return true; }
    [[nodiscard]] static constexpr range serves() noexcept { return {}; }
    static constexpr void serves_everybody() noexcept {}
    template <papers_medium M>
    void begin_at_rest(M&) {}

    // One letter at a time: others may send faster than this worker forwards. True: there may be more.
    template <papers_medium M>
    bool serve(M& m) {
        return serve(m, having::task, standing::in_task) != found::nothing;
    }

    // Nobody rests here.
    template <papers_medium M>
    bool serve_briefly(M& m) {
        return serve(m);
    }

    // The papers' workers look when they look.
    template <papers_medium M>
    void serve_interrupted(M&) noexcept {}

    template <papers_medium M>
    bool seek(M& m, standing where, asking what = asking::as_strategy) {
        if (receive(m)) return true;
        if (serve(m, having::nothing, where) == found::tasks) return true;
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
    template <papers_medium M>
    void ask_early(M& m) {
        if (!is_out_ && !idle_.is_dedicated()) send_out(m, status::working, stealing_.wish());
    }

    // There is no place to rest, and what is on its way cannot be called back.
    template <papers_medium M>
    void rest(M&) noexcept {}
    template <papers_medium M>
    void withdraw(M&) noexcept {}

    // A pause, or a wait that takes no work; not while its request may come home to a closed mailbox. The manager's
    // stays open: it is woken for each letter.
    template <papers_medium M>
    bool go_to_sleep(M& m, asking what = asking::as_strategy) {
        if (what != asking::nothing || is_out_) return false;
        if (!sleeps_with_open_mailbox()) close_mailbox(m, having::left);
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
    template <papers_medium M>
    void wake_up(M& m) {
        m.cancel_sleep();
        m.open_mailbox();
    }

    template <papers_medium M>
    void enter(M& m) {
        m.open_mailbox();
    }
    // False: call again. Its request must have come home: an answer would find nobody. Who ends waits for its letters
    // from the manager, too. What is sent to the manager meanwhile it reads when it comes back.
    template <papers_medium M>
    bool leave(M& m) {
        (void)serve(m, having::left, standing::in_task);
        if (is_out_ && !protocol::has_tasks(m)) (void)receive(m);
        if (is_out_) return false;
        const bool ends = (m.attention() & bits::stop) != 0;
        if (ends && !(m.may_travel(own(0)) && m.may_travel(own(1)))) return false;
        close_mailbox(m, having::left);
        if (idle_.is_manager()) read_messages(m);
        return true;
    }

    template <papers_medium M>
    void open_barrier(M& m) {
        m.set_barrier_open(true);
    }
    // Worker 0 was released and goes on with the root task; who knows it as idle must learn of that. False: call
    // again.
    template <papers_medium M>
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
        if (is_out_ && m.spare() == 0) (void)receive(m);
        const bool says_idle = is_out_ && asked_as_ != status::working && !m.tasks_arrived(own(slot_));
        if (says_idle && !revoke(m)) return false;
        if (!says_idle || !is_out_) return tell(m, status::update_and_root);
        goes_on();
        return true;
    }

    friend bool operator==(const circulating_worker&, const circulating_worker&) = default;

private:
    template <papers_medium M>
    void close_mailbox(M& m, having what) {
        m.close_mailbox();
        while (const std::optional<letter> t = m.receive_request()) (void)handle(m, *t, what, standing::in_task);
    }

    enum class found : std::uint8_t { nothing, letter, tasks };

    template <papers_medium M>
    found serve(M& m, having what, standing where) {
        const bits::word seen = m.attention();
        constexpr bits::word heard = bits::tasks | bits::news | bits::message;
        if ((seen & heard) != 0) m.lower(seen & heard);
        if ((seen & bits::message) != 0 && idle_.is_manager()) read_messages(m);
        found came = found::nothing;
        if ((seen & bits::mail) != 0) {
            m.lower(bits::mail);  // before receiving: a later letter raises it again
            if (const std::optional<letter> t = m.receive_request()) {
                m.raise(self_, bits::mail);
                came = handle(m, *t, what, where) ? found::tasks : found::letter;
            }
        }
        if ((seen & bits::jobs) != 0) {
            m.lower(bits::jobs);
            if (what == having::task)
                while (take_job(m)) {}
        }
        if (what == having::nothing && came != found::tasks && idle_.is_manager() && idle_.all_seem_idle(m)) {
            read_messages(m);
            idle_.announce(m);
        }
        return came;
    }

    template <papers_medium M>
    void ask(M& m, standing where, asking what) {
        const bool is_idle = where == standing::between_tasks;
        // Worker 0 never pauses in a barrier (TH §4.2.2), and who is not registered must ask to be.
        const bool holds_back = what == asking::nothing && (!is_idle || (is_registered_ && self_ != 0));
        if (is_idle && is_unanswered_ && idle_.changes_set()) register_itself(m);
        if (workers_ == 1 && is_idle) register_itself(m);
        if (holds_back || workers_ == 1) return;
        const amount wish = what == asking::one ? amount::one : what == asking::half ? amount::half : stealing_.wish();
        send_out(m, !is_idle ? status::working : is_registered_ ? status::registered_idle : status::idle, wish);
    }

    // Not before there are others: a letter to a worker that never starts would not come back.
    template <papers_medium M>
    void send_out(M& m, status as, amount wish) {
        if (workers_ == 1 || (m.attention() & bits::start) != 0) return;
        const std::optional<request_id> r = free_letter(m);
        if (!r) return;
        slot_ = slot_of(*r);
        is_out_ = true;
        asked_as_ = as;
        m.set_wish(*r, wish);
        m.take_off(*r);
        if (how_.hijacks) m.set_taker(*r, self_);
        letter t = victims_.begin(*r, workers_, random_);
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
    template <papers_medium M>
    bool take_job(M& m) {
        if (idle_.is_dedicated() || !m.jobs_waiting()) return false;
        if (is_out_ && asked_as_ != status::working && !is_out_of_date_) return false;
        if (is_registered_ && !is_out_of_date_ && !tell(m, status::update)) return false;
        if (!m.take_job()) return false;
        m.publish_received();
        return true;
    }

    // Worker 0 is to go on after its release. True: it has its own request, or has taken another worker's out of
    // circulation.
    // 1. At the release all workers are registered. A request with another status belongs to a worker that works on what
    //    a job has brought, or that found no job left. So worker 0 takes a registered idle one only.
    // 2. Jobs may also come after the manager's last look (idle_workers.hpp). Then worker 0 may get some of that work, or
    //    find none left, and still be released for what it was before.
    // 3. In that case its own request, which set out as idle, is still to register worker 0. It must not do so after the
    //    root task has gone on. So worker 0 waits for its own request.
    // 4. No message says whose job it was. So 3 holds for good once there has been a job.
    template <papers_medium M>
    bool revoke(M& m) {
        m.lower(bits::mail);
        const std::optional<letter> t = m.receive_request();
        if (!t) return false;
        m.raise(self_, bits::mail);
        if (thief_of(t->request) == self_) {
            comes_home(m, *t);
            return !is_out_;  // else an answer has come, too
        }
        if (how_.revokes == revocation::own || t->status != status::registered_idle ||
            (asked_as_ == status::idle && m.jobs_sent() != 0)) {
            (void)handle(m, *t, having::left, standing::in_task);
            return false;
        }
        if (how_.continues) m.set_goes_on(t->request, false);
        report(m, *t, status::update_and_root);
        m.send_nothing(t->request);
        m.raise_and_wake(thief_of(t->request), bits::tasks);
        m.note(event::message);
        return true;
    }
};

}  // namespace parley::inline v0::protocol
