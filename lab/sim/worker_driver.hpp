// A virtual worker: the one wait loop (driver/wait_loop.hpp), a worker's thread, and the visits of
// worker 0 (runtime/pool.cpp), one step at a time.
#pragma once

#include <lab/sim/sleeping_driver.hpp>

#include <algorithm>
#include <cstdint>

namespace parley::inline v0::sim {

template <class Medium, class Machine>
class worker_driver : sleeping_driver<Medium, Machine> {
    using base = sleeping_driver<Medium, Machine>;
    using base::all_, base::shared_, base::who_, base::driving_, base::me_, base::mine_;
    using base::did, base::handle, base::handle_then;

public:
    worker_driver(scene<Machine>& all, protocol::worker_id self, const driving& d) : base(all, self, d) {}

    // At least one step, at most as many as the budget says; in between a turn of the driver that
    // touches nothing shared.
    void step() {
        if (me_.tells_on) {
            this->pass_on();
            return;
        }
        switch (me_.at) {
            case point::in_code: this->run_code(); break;
            case point::serving:
            case point::serving_between: this->serve(); break;
            case point::between_tasks: this->look_up_between(); break;
            case point::telling: this->tell(); break;
            case point::asking_early: handle_then(point::beginning, [](Machine& p, Medium& m) { p.ask_early(m); }); break;
            case point::beginning: this->begin_chosen(); break;
            case point::locked_out: this->run_code(); break;
            case point::waking_waiters: this->wake_waiters(); break;
            case point::serving_alone:
            case point::withdrawing_alone:
            case point::receiving_late: this->wait_alone(); break;
            case point::lending:
            case point::calling_stand_ins:
            case point::serving_to_block:
            case point::withdrawing_to_block:
            case point::taking_back:
            case point::calling_back_stand_ins:
            case point::entering_again: this->begin_or_end_block(); break;
            case point::looking:
            case point::taking:
            case point::paying:
            case point::calling_back:
            case point::seeking:
            case point::resting:
            case point::retaking: turn(); break;
            case point::falling_asleep:
            case point::looking_again:
            case point::looking_for_jobs:
            case point::wanting_jobs:
            case point::committing:
            case point::asleep:
            case point::rising:
            case point::waking_up: this->sleep(); break;
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
                if (!done && this->leaves()) break;
                me_.at = done ? point::withdrawing : point::taking;
                this->did_freely(done, operation::look, who_, 0, encode(done));
                break;
            }
            case point::taking: take(); break;
            case point::paying:
                me_.at = after_paying();
                this->pay();
                break;
            case point::calling_back: handle_then(point::seeking, [](Machine& p, Medium& m) { p.withdraw(m); }); break;
            case point::seeking: seek(); break;
            case point::retaking: take_back(); break;
            default: handle_then(point::looking, [](Machine& p, Medium& m) { p.rest(m); }); break;
        }
    }
    void take() {
        if (mine_.deque.size() > mine_.held) {
            me_.chosen = mine_.deque.back();
            mine_.deque.pop_back();
            me_.at = mine_.deque.size() < all_.set.how.early_below ? point::asking_early : point::beginning;
            return;
        }
        me_.goes = this->is_to_go();
        me_.asks = me_.goes || mine_.isolated ? protocol::asking::nothing
                                              : static_cast<protocol::asking>(driving_.decide.choose(choice::asking, 4));
        me_.at = me_.news_group != no_task ? point::paying : after_paying();
    }
    [[nodiscard]] point after_paying() const {
        return mine_.isolated ? point::serving_alone : me_.goes ? point::calling_back : point::seeking;
    }
    void seek() {
        const frame_kind kind = me_.stack.back().kind;
        const bool in_task = kind != frame_kind::barrier && kind != frame_kind::stop;
        const auto where = in_task ? protocol::standing::in_task : protocol::standing::between_tasks;
        const auto found = handle([&](Machine& p, Medium& m) { return p.seek(m, where, me_.asks); });
        if (!found) return;
        me_.at = point::looking;
        if (mine_.lends_a_hand == hand::offered) mine_.lends_a_hand = hand::lent;
        if (*found) return;
        const std::uint32_t advice = driving_.decide.choose(choice::advice, shared_.takes_back && !me_.goes ? 4 : 3);
        if (advice == 1 && !me_.sleeps_briefly()) me_.at = point::resting;
        if (advice == 2) me_.at = point::falling_asleep;
        if (advice == 3) me_.at = point::retaking;
    }
    void take_back() {
        handle_then(point::looking, [](Machine& p, Medium& m) {
            if constexpr (requires { p.take_back(m); }) p.take_back(m);
        });
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
            case frame_kind::visit: me_.at = point::serving_to_block; break;  // blocking_paused::go_on()
            default: me_.at = point::in_code; break;
        }
    }
    void after_barrier() { me_.at = me_.stack.empty() ? point::handing_on : point::in_code; }

    // --- threads and visits ----------------------------------------------------------------------
    void visit() {
        switch (me_.at) {
            case point::unstarted: this->wait(frame_kind::stop); break;
            case point::outside: me_.at = point::entering; break;
            case point::entering:
                if (handle([](Machine& p, Medium& m) { p.enter(m); })) begin_visit();
                break;
            case point::opening_barrier:
                if (handle([](Machine& p, Medium& m) { p.open_barrier(m); })) this->wait(frame_kind::barrier);
                break;
            case point::uncancelling: uncancel(); break;
            case point::handing_on: hand_on(); break;
            case point::leaving: leave(); break;
            case point::staying_away:
            case point::coming_back:
            case point::serving_away: this->away(); break;
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
        me_.stack.push_back({.kind = frame_kind::task, .task = root});
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
    [[nodiscard]] bool hands_on() const {
        switch (me_.hands_on) {
            case handing::to_go: return Medium::hands_on_before_going();
            case handing::to_block: return Medium::hands_on_before_blocking();
            case handing::to_sleep: break;
        }
        return true;
    }
    // Worker 0 sends its tasks as jobs, before it leaves and after; so does who is suspended. The others have none left.
    void hand_on() {
        if (!mine_.deque.empty() && hands_on()) {
            me_.job = mine_.deque.front();
            mine_.deque.erase(mine_.deque.begin());
            mine_.held -= std::min(mine_.held, 1u);
            me_.at = point::counting_job;
        } else if (me_.hands_on == handing::to_sleep) {
            me_.at = point::receiving_late;
        } else if (me_.hands_on == handing::to_block) {
            if (me_.has_left) this->is_blocked();
            else me_.at = point::leaving;
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
            if (mine_.deque.empty() || !Medium::hands_on_before_going()) return;
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
