// A virtual worker that runs tasks: what runtime/worker.cpp and the words for users do around
// forks, spawns, polls and the end of a task.
#pragma once

#include <lab/sim/region_driver.hpp>
#include <lab/sim/violation.hpp>

#include <cstdint>

namespace parley::inline v0::sim {

template <class Medium, class Machine>
class task_driver : protected region_driver<Medium, Machine> {
protected:
    using base = region_driver<Medium, Machine>;
    using base::all_, base::shared_, base::who_, base::driving_, base::me_, base::mine_;
    using base::did, base::handle, base::handle_then, base::wait, base::is_to_go;

    using base::base;

    void serve() {
        const bool in_code = me_.at == point::serving;
        const bool ended =
            handle_then(in_code ? point::in_code : point::looking, [](Machine& p, Medium& m) { (void)p.serve(m); });
        const bool gives_up = is_to_go() && mine_.lends_a_hand == hand::no && !mine_.isolated && !mine_.deque.empty();
        if (ended && in_code && gives_up) me_.at = point::handing_on;  // worker::attend_quietly
    }
    // Between two tasks of a wait loop.
    void look_up_between() {
        const bits::word seen = mine_.attention;
        me_.at = seen != 0 ? point::serving_between : point::looking;
        did(operation::poll, no_task, seen);
    }

    // --- the code of a task ----------------------------------------------------------------------
    void run_code() {
        frame& f = me_.stack.back();
        const auto& code = all_.what->tasks[f.task].code;
        if (f.pc >= code.size()) {
            end_code(f.task);
            return;
        }
        const instruction i = code[f.pc];
        switch (i.what) {
            case action::work: work(f, i.operand); break;
            case action::poll:
                ++f.pc;
                look_up(operation::poll, f.task);
                break;
            case action::spawn: spawn(f, i.operand); break;
            case action::join:
                ++f.pc;
                join(f.task);
                break;
            case action::barrier: barrier(f); break;
            case action::poll_until_begun:
                if (shared_.tasks[i.operand].status > task_status::queued) ++f.pc;
                look_up(operation::poll, f.task);
                break;
            case action::hold_until_begun:
                if (shared_.tasks[i.operand].status > task_status::queued) ++f.pc;
                did(operation::work, f.task);
                break;
            case action::hold_until_done:
                if (shared_.tasks[i.operand].status > task_status::running) ++f.pc;
                did(operation::work, f.task);
                break;
            default: this->begin_region(f, i); break;
        }
    }

    void work(frame& f, std::uint32_t steps) {
        if (++f.worked >= steps) {
            f.worked = 0;
            ++f.pc;
        }
        did(operation::work, f.task);
    }

    void spawn(frame& f, task_id child) {
        ++f.pc;
        born(child);
        mine_.deque.push_back(child);
        look_up(operation::spawn, child);
    }
    void born(task_id child) {
        shared_.tasks[child].status = task_status::queued;
        const task_id waiting = all_.what->tasks[child].awaited_by;
        if (waiting != no_task) ++shared_.tasks[waiting].awaited;
    }

    // One load of the attention word; the slow path if it is not zero (worker::attend).
    void look_up(operation what, task_id about) {
        const bits::word seen = mine_.attention;
        if ((seen & bits::cancel) != 0) {
            unwind();
        } else if ((seen & bits::start) != 0) {
            this->start_threads();
            me_.at = point::serving;
            return;
        } else if (seen != 0) {
            me_.at = point::serving;
        }
        did(what, about, seen);
    }

    // Leaving by `cancelled`: the rest of the code is skipped, the children are awaited.
    void unwind() {
        frame& f = me_.stack.back();
        f.pc = static_cast<std::uint32_t>(all_.what->tasks[f.task].code.size());
        f.worked = 0;
        if (shared_.tasks[f.task].awaited > 0) wait(frame_kind::join, f.task);
    }

    void join(task_id t) {
        if (shared_.tasks[t].awaited > 0) wait(frame_kind::join, t);
        did(operation::look, t, 0, encode(shared_.tasks[t].awaited == 0));
    }
    // A barrier needs its manager, so it starts the threads if nobody did.
    void barrier(frame& f) {
        if ((mine_.attention & bits::start) != 0) {
            this->start_threads();
            return;
        }
        ++f.pc;
        me_.at = point::opening_barrier;
    }

    // --- the beginning and the end of a task -----------------------------------------------------
    void begin_chosen() {
        const task_id t = me_.chosen;
        const task_program& p = all_.what->tasks[t];
        const task_id group = p.tells == telling::when_turning ? p.awaited_by : no_task;
        if (me_.news_group != no_task && me_.news_group != group) {
            pay();
            return;
        }
        task_state& s = shared_.tasks[t];
        if (s.status != task_status::queued) violated("I2", "a task was begun twice");
        me_.chosen = no_task;
        s.worker = who_;
        ++mine_.tasks_run;
        if ((mine_.attention & bits::cancel) != 0) {
            end(t, task_status::dropped);
            did(operation::drop, t);
            return;
        }
        s.status = task_status::running;
        me_.stack.push_back({.kind = frame_kind::task, .task = t});
        if (Medium::runs_isolated(p)) this->isolate(me_.stack.back());
        me_.at = point::in_code;
        did(operation::begin, t);
    }
    void end_code(task_id t) {
        if (Medium::runs_isolated(all_.what->tasks[t])) this->end_isolation(me_.stack.back());
        me_.stack.pop_back();
        end(t, task_status::done);
        did(operation::finish, t);
    }
    // The result becomes visible; whom it concerns is told now or when this worker turns away.
    void end(task_id t, task_status how) {
        shared_.tasks[t].status = how;
        me_.at = this->complete(t) ? point::waking_waiters : after_task();
        const task_program& p = all_.what->tasks[t];
        if (p.awaited_by == no_task) return;
        --shared_.tasks[p.awaited_by].awaited;
        if (shared_.tasks[p.awaited_by].worker == who_) return;
        me_.news_group = p.awaited_by;
        if (p.tells == telling::at_once) me_.at = point::telling;
    }
    [[nodiscard]] point after_task() const { return me_.stack.empty() ? point::uncancelling : point::between_tasks; }
    void tell() {
        me_.at = after_task();
        pay();
    }
    void wake_waiters() {
        if (!this->wake_next()) me_.at = after_task();
    }
    // Tells whoever waits for the group that it may be complete.
    void pay() {
        const task_id group = me_.news_group;
        me_.news_group = no_task;
        this->raise_and_wake(shared_.tasks[group].worker, bits::news);
    }
};

}  // namespace parley::inline v0::sim
