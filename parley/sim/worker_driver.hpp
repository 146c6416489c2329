// A virtual worker: the one wait loop (runtime/wait_loop.hpp), a worker's thread, and the visits of
// worker 0 (runtime/pool.cpp), one step at a time.
#pragma once

#include <parley/sim/task_driver.hpp>

#include <cstdint>

namespace parley::inline v0::sim {

template <class Medium, class Machine>
class worker_driver : task_driver<Medium, Machine> {
    using base = task_driver<Medium, Machine>;
    using base::all_, base::shared_, base::who_, base::driving_, base::me_, base::mine_;
    using base::did, base::handle, base::handle_then;

public:
    worker_driver(scene<Machine>& all, protocol::worker_id self, const driving& d)
        : base(all, self, d) {}

    // At least one step, at most as many as the budget says; in between a turn of the driver that
    // touches nothing shared.
    void step() {
        switch (me_.at) {
            case point::in_code: this->run_code(); break;
            case point::serving:
            case point::serving_between: this->serve(); break;
            case point::between_tasks: this->look_up_between(); break;
            case point::telling: this->tell(); break;
            case point::asking_early:
                handle_then(point::beginning, [](Machine& p, Medium& m) { p.ask_early(m); });
                break;
            case point::beginning: this->begin_chosen(); break;
            case point::looking:
            case point::taking:
            case point::paying:
            case point::calling_back:
            case point::seeking:
            case point::resting: turn(); break;
            case point::falling_asleep:
            case point::looking_again:
            case point::looking_for_jobs:
            case point::wanting_jobs:
            case point::committing:
            case point::asleep:
            case point::rising:
            case point::waking_up: sleep(); break;
            case point::withdrawing:
            case point::paying_out:
            case point::closing_barrier: stop_waiting(); break;
            default: visit(); break;
        }
    }

private:
    // --- one turn of the wait loop ---------------------------------------------------------------
    void turn() {
        switch (me_.at) {
            case point::looking: {
                const bool done = holds(all_, who_, me_.stack.back());
                if (!done && leaves()) break;
                me_.at = done ? point::withdrawing : point::taking;
                this->did_freely(done, operation::look, who_, 0, encode(done));
                break;
            }
            case point::taking: take(); break;
            case point::paying:
                me_.at = me_.goes ? point::calling_back : point::seeking;
                this->pay();
                break;
            case point::calling_back:
                handle_then(point::seeking, [](Machine& p, Medium& m) { p.withdraw(m); });
                break;
            case point::seeking: seek(); break;
            default:
                handle_then(point::looking, [](Machine& p, Medium& m) { p.rest(m); });
                break;
        }
    }
    void take() {
        if (!mine_.deque.empty()) {
            me_.chosen = mine_.deque.back();
            mine_.deque.pop_back();
            me_.at = mine_.deque.size() < all_.set.how.early_below ? point::asking_early : point::beginning;
            return;
        }
        me_.goes = this->is_to_go();
        me_.asks = me_.goes ? protocol::asking::nothing
                            : static_cast<protocol::asking>(driving_.decide.choose(choice::asking, 4));
        me_.at = me_.news_group != no_task ? point::paying : me_.goes ? point::calling_back : point::seeking;
    }
    void seek() {
        const frame_kind kind = me_.stack.back().kind;
        const auto where = kind == frame_kind::join ? protocol::standing::in_task
                                                    : protocol::standing::between_tasks;
        const auto found = handle(
            [&](Machine& p, Medium& m) { return p.seek(m, where, me_.asks); });
        if (!found) return;
        me_.at = point::looking;
        if (mine_.lends_a_hand == hand::offered) mine_.lends_a_hand = hand::lent;
        if (*found) return;
        const std::uint32_t advice = driving_.decide.choose(choice::advice, 3);
        if (advice == 1 && !me_.sleeps_briefly()) me_.at = point::resting;
        if (advice == 2) me_.at = point::falling_asleep;
    }

    // --- suspension (runtime/suspension.hpp) ------------------------------------------------------
    // What it hands on goes as single jobs here.
    bool leaves() {
        const bool away = is_away(me_.machine);
        if (!this->is_to_go() && !away) return false;
        if (!away) {
            if (mine_.lends_a_hand == hand::offered) return false;
            if (mine_.lends_a_hand == hand::lent && !mine_.deque.empty()) return false;
            mine_.lends_a_hand = hand::no;
            if (me_.stack.back().kind != frame_kind::stop && mine_.deque.empty()) return false;
        }
        if (me_.news_group != no_task) {
            this->pay();
            return true;
        }
        if (!away) {
            me_.has_left = false;
            me_.at = point::handing_on;
        } else if (this->is_to_go() && mine_.lends_a_hand != hand::offered) {
            me_.at = point::serving_away;
        } else {
            me_.at = point::coming_back;
        }
        did(operation::look, who_, 0, encode(false));
        return true;
    }
    void away() {
        if constexpr (requires(Machine& p, Medium& m) { p.stay_away(m); }) {
            switch (me_.at) {
                case point::staying_away:
                    handle_then(point::looking, [](Machine& p, Medium& m) { p.stay_away(m); });
                    break;
                case point::coming_back:
                    handle_then(point::looking, [](Machine& p, Medium& m) { p.come_back(m); });
                    break;
                default:
                    me_.asks = protocol::asking::nothing;
                    handle_then(point::falling_asleep, [](Machine& p, Medium& m) { (void)p.serve(m); });
                    break;
            }
        }
    }

    // --- sleeping --------------------------------------------------------------------------------
    void sleep() {
        switch (me_.at) {
            case point::falling_asleep: fall_asleep(); break;
            case point::looking_again: {
                const bool away = is_away(me_.machine);
                me_.goes = !away && this->is_to_go();
                const bool done = holds(all_, who_, me_.stack.back()) || (away && !this->is_to_go());
                me_.at = done                ? point::waking_up
                         : away || me_.goes ? point::looking_for_jobs
                                            : point::committing;
                this->did_freely(done && !away, operation::look, who_, 0, encode(done));
                break;
            }
            case point::looking_for_jobs:
                me_.at = shared_.jobs.empty() ? point::wanting_jobs : point::committing;
                did(operation::look, who_, 0, encode(shared_.jobs.empty()));
                break;
            case point::wanting_jobs:
                mine_.attention |= bits::wants_jobs;
                me_.at = point::committing;
                did(operation::raise, who_, bits::wants_jobs);
                break;
            case point::committing: commit(); break;
            case point::asleep:  // woken, or for no reason, or the time is up
                if (!mine_.woken && looks_after_jobs(all_, who_)) {
                    // Whether others would take it is a matter of time, that is of chance.
                    if (!shared_.jobs.empty()) mine_.lends_a_hand = hand::offered;
                    me_.at = point::rising;
                    did(operation::look, who_, 0, encode(shared_.jobs.empty()));
                    break;
                }
                me_.at = !mine_.woken && me_.sleeps_briefly() ? point::rising : point::committing;
                break;
            case point::rising:
                mine_.attention &= ~(asleep_mark | bits::wants_jobs);
                me_.at = point::waking_up;
                this->did_freely(true, operation::cancel_sleep, who_);
                break;
            default:
                handle_then(point::looking, [](Machine& p, Medium& m) { p.wake_up(m); });
                break;
        }
    }
    void fall_asleep() {
        const auto asleep = handle(
            [&](Machine& p, Medium& m) { return p.go_to_sleep(m, me_.asks); });
        if (asleep) me_.at = *asleep ? point::looking_again : point::looking;
    }
    void commit() {
        const bool wants_jobs = (mine_.attention & bits::wants_jobs) != 0;
        const bool awake = (mine_.attention & (bits::waking | (wants_jobs ? bits::jobs : 0))) != 0;
        me_.at = awake ? point::rising : point::asleep;
        mine_.woken = false;
        did(operation::sleep, who_, mine_.attention, encode(!awake));
    }

    // --- the end of a wait -----------------------------------------------------------------------
    void stop_waiting() {
        if (me_.at == point::withdrawing) {
            handle_then(point::paying_out, [](Machine& p, Medium& m) { p.withdraw(m); });
        } else if (me_.at == point::paying_out) {
            if (me_.news_group != no_task) this->pay();
            else resume();
        } else if (const auto closed = handle([](Machine& p, Medium& m) { return p.close_barrier(m); })) {
            if (*closed) after_barrier();
        }
    }
    void resume() {
        const frame_kind kind = me_.stack.back().kind;
        me_.stack.pop_back();
        if (mine_.lends_a_hand == hand::offered) mine_.lends_a_hand = hand::no;  // wait_loop()
        switch (kind) {
            case frame_kind::barrier: me_.at = point::closing_barrier; break;
            case frame_kind::stop: me_.at = point::leaving; break;
            default: me_.at = point::in_code; break;
        }
    }
    void after_barrier() {
        me_.at = me_.stack.empty() ? point::handing_on : point::in_code;
    }

    // --- threads and visits ----------------------------------------------------------------------
    void visit() {
        switch (me_.at) {
            case point::unstarted: this->wait(frame_kind::stop); break;
            case point::outside: me_.at = point::entering; break;
            case point::entering:
                if (handle([](Machine& p, Medium& m) { p.enter(m); })) begin_visit();
                break;
            case point::opening_barrier:
                if (handle([](Machine& p, Medium& m) { p.open_barrier(m); }))
                    this->wait(frame_kind::barrier);
                break;
            case point::uncancelling: uncancel(); break;
            case point::handing_on: hand_on(); break;
            case point::leaving: leave(); break;
            case point::staying_away:
            case point::coming_back:
            case point::serving_away: away(); break;
            case point::stopping: stop_next(); break;
            default:
                if (this->send_job()) me_.at = point::handing_on;
                break;
        }
    }
    [[nodiscard]] bool is_last_visit() const { return me_.visit > all_.what->roots.size(); }

    void begin_visit() {
        me_.has_left = false;
        me_.next = 0;
        ++me_.visit;
        if (is_last_visit()) {
            const bool barrier = shared_.threads_started || all_.worker_count() == 1;
            me_.at = barrier ? point::opening_barrier : point::handing_on;
            return;
        }
        const task_id root = all_.what->roots[me_.visit - 1];
        shared_.tasks[root].status = task_status::running;
        shared_.tasks[root].worker = who_;
        me_.stack.push_back({frame_kind::task, root, 0, 0});
        me_.at = point::in_code;
        did(operation::come_in, who_, root);
    }
    // The root task has ended: others' bits are lowered by this thread.
    void uncancel() {
        if (!shared_.cancelling) {
            me_.at = point::handing_on;
            return;
        }
        shared_.workers[me_.next].attention &= ~bits::cancel;
        const protocol::worker_id w = me_.next++;
        if (me_.next == all_.worker_count()) {
            me_.next = 0;
            shared_.cancelling = false;
        }
        did(operation::lower, w, bits::cancel);
    }
    // Worker 0 sends its tasks as jobs, before it leaves and after; so does who is suspended. The others have none left.
    void hand_on() {
        if (!mine_.deque.empty()) {
            me_.job = mine_.deque.front();
            mine_.deque.erase(mine_.deque.begin());
            me_.at = point::counting_job;
        } else if (!me_.stack.empty() && me_.stack.back().kind != frame_kind::stop) {
            me_.at = me_.stack.back().kind == frame_kind::task ? point::in_code : point::looking;
        } else if (!me_.has_left) {
            me_.at = point::leaving;
        } else if (who_ != 0) {
            me_.at = point::staying_away;
        } else {
            me_.at = is_last_visit() ? point::stopping : point::outside;
            me_.next = 1;
            did(operation::go_out, who_);
        }
    }
    void leave() {
        const auto left = handle([](Machine& p, Medium& m) { return p.leave(m); });
        if (!left) return;
        if (!*left) {
            if (mine_.deque.empty()) return;
            if (ends()) violated("I10", "a thread ends with tasks, and hands none on");
            me_.at = point::handing_on;
            return;
        }
        me_.has_left = true;
        if (!ends()) {
            me_.at = point::handing_on;
            return;
        }
        me_.at = point::finished;
        did(operation::finished, who_);
    }
    // Does its thread end? It still waits for that while it is suspended.
    [[nodiscard]] bool ends() const { return who_ != 0 && me_.stack.empty(); }
    void stop_next() {
        if (me_.next == all_.worker_count()) {
            me_.at = point::finished;
            did(operation::finished, who_);
            return;
        }
        this->raise_and_wake(me_.next++, bits::stop);
    }
};

}  // namespace parley::inline v0::sim
