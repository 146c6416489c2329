#include <lab/sim/timed/driver.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace parley::inline v0::sim::timed {

namespace {

// At a time, so that a run can be stopped.
constexpr unsigned most_steps = 256;

}  // namespace

void driver::go_on(moment now) {
    resume(now);
    if (me_.does == mode::computes || stalls()) return;
    for (unsigned left = most_steps; left > 0 && me_.now <= home_.queue.next(); --left) {
        step();
        if (me_.does != mode::runs || home_.released != never) return;
    }
    home_.queue.set(me_.id, me_.now);
}

void driver::resume(moment now) {
    switch (me_.does) {
        case mode::runs: break;
        case mode::computes:
            me_.count.time[static_cast<std::size_t>(spent::running)] += now - me_.parked_at;
            me_.now = now;
            me_.does = mode::runs;
            if (now >= me_.until) return after_computing();
            handle_signal();
            return goes_on_computing();
        case mode::spins:
            me_.count.time[static_cast<std::size_t>(spent::idle)] += now - me_.parked_at;
            me_.now = now;
            me_.does = mode::runs;
            return;
        case mode::sleeps:
            me_.count.time[static_cast<std::size_t>(spent::idle)] += now - me_.parked_at;
            me_.now = now;
            me_.does = mode::runs;
            if (!me_.woken && me_.watch_pause != 0) return watch_again();
            return wake_up();
    }
}

bool driver::stalls() {
    const faults& f = home_.chosen().faults;
    if (me_.does != mode::runs) return true;
    if (f.stall_chance == 0 || me_.chance.below(1U << 16) >= f.stall_chance) return false;
    me_.now += f.stall;
    me_.count.time[static_cast<std::size_t>(spent::idle)] += f.stall;
    home_.queue.set(me_.id, me_.now);
    return true;
}

void driver::step() {
    frame& f = top();
    if (f.waits) return wait_turn();
    if (f.kind == frame_kind::loop) return run_loop();
    run_task();
}

// --- a task --------------------------------------------------------------------------------------

void driver::enter_root() {
    home_.show(me_, doing::run, phase::begins);
    me_.machine.enter(medium_);
}

void driver::run_task() {
    const std::uint32_t here = me_.running.back();
    frame& f = top();
    if (f.left > 0) return compute(f);
    const bool is_root = me_.id == 0 && me_.running.size() == 1 && f.kind == frame_kind::task;
    if (is_root && f.act.step == 0 && !f.counted) {
        f.counted = true;  // it has come in
        enter_root();
    }
    const bool by_barriers = home_.chosen().barriers_for_waits;
    const next_deed d = home_.program.next(f.act, home_.chosen().barrier);
    switch (d.what) {
        case deed::work: {
            const duration took = home_.task_on(me_, d.length);
            home_.count_work(d.length);
            f.left = took;
            break;
        }
        case deed::spawn: spawn(d, is_root && by_barriers ? nobody : here, task_kind::plain); break;
        case deed::spawn_beside: {
            const bool nobody_awaits = is_root && home_.chosen().barrier;
            spawn(d, nobody_awaits ? nobody : is_root ? here : f.group, task_kind::plain);
            break;
        }
        case deed::spawn_alone: spawn(d, nobody, task_kind::plain); break;
        case deed::fork: spawn(d, here, task_kind::forked); break;
        case deed::call: {
            const std::uint32_t called = home_.new_frame(frame_kind::call, me_.id);
            home_.frame_of(called).act.kind = d.kind;
            home_.frame_of(called).act.words = d.words;
            home_.frame_of(called).group = f.group;
            me_.running.push_back(called);
            break;
        }
        case deed::join: take_back_fork(); break;
        case deed::wait:
            if (is_root && by_barriers) open_barrier();
            else if (f.open > 0) f.waits = true;
            break;
        case deed::barrier:
            if (!is_root) throw std::logic_error("a barrier in a child task");
            open_barrier();
            break;
        case deed::loop: begin_loop(d); break;
        case deed::end: end_task(); break;
    }
}

// Who polls computes in pieces. The times are the worker's own: slow cores take longer.
void driver::compute(const frame& f) { begins_to_compute(piece_of(f)); }
duration driver::piece_of(const frame& f) const {
    const duration every = home_.task_on(me_, home_.program.poll_every(f.act));
    return every > 0 ? std::min(f.left, every) : f.left;
}
// A signal that has come before finds no task, and is over.
void driver::begins_to_compute(duration d) {
    if (me_.signal_at <= me_.now) {
        home_.let_others_catch_up(me_);
        me_.signal_at = never;
        me_.called = false;
    }
    me_.until = me_.now + d;
    home_.computes_until(me_.until);
    goes_on_computing();
}
void driver::goes_on_computing() {
    me_.parked_at = me_.now;
    const bool is_called = me_.signal_at < me_.until;
    const moment next = is_called ? std::max(me_.signal_at, me_.now) : me_.until;
    if (!is_called && next <= home_.queue.next()) {
        me_.count.time[static_cast<std::size_t>(spent::running)] += next - me_.now;
        me_.now = next;
        me_.does = mode::runs;
        return after_computing();
    }
    me_.does = mode::computes;
    home_.queue.set(me_.id, next);
}
void driver::after_computing() {
    frame& f = top();
    f.left -= piece_of(f);
    // A loop looks after each block in any case.
    if (home_.program.poll_every(f.act) > 0 && (f.kind != frame_kind::loop || f.left > 0)) look();
}

void driver::handle_signal() {
    const moment before = me_.now;
    me_.signal_at = never;
    me_.called = false;
    spend(spent::requests, cost_.handler);
    me_.machine.serve_interrupted(medium_);
    show_whether_it_has_looked();
    me_.until += me_.now - before;
}

void driver::spawn(const next_deed& d, std::uint32_t group, task_kind what) {
    task t;
    t.serial = home_.next_serial();
    t.words = d.words;
    t.kind = d.kind;
    t.group = group;
    t.what = what;
    t.maker = me_.id;
    if (group != nobody) ++home_.frame_of(group).open;
    if (what == task_kind::forked) top().forked = t.serial;
    spend(spent::queue, cost_.push);
    me_.tasks.push(t);
    look(what != task_kind::forked);
}

// The join of a fork: nearly always it is still the newest.
void driver::take_back_fork() {
    frame& f = top();
    if (!me_.tasks.newest_is(f.forked)) {
        if (f.open > 0) f.waits = true;
        return;
    }
    spend(spent::queue, cost_.pop);
    const task t = me_.tasks.pop();
    begin(t);
}

// Shown: it was taken from the deque, or is a job. What is in a message is shown when it comes out of the deque.
void driver::begin(const task& t, bool is_shown) {
    if (t.what == task_kind::message) return unpack(t);
    if (is_shown) home_.show(me_, doing::task, phase::begins);
    if (me_.news_for != protocol::no_worker && me_.news_group != t.group) turn_away();
    home_.begun(t);
    if (t.maker != me_.id) home_.fetch(me_, t.maker, home_.chosen().task_lines, spent::queue);
    ++me_.tasks_run;
    const bool is_part = t.what == task_kind::part_of_loop;
    const std::uint32_t f = home_.new_frame(is_part ? frame_kind::loop : frame_kind::task, me_.id);
    frame& begun = home_.frame_of(f);
    begun.act.kind = t.kind;
    begun.act.words = t.words;
    begun.group = t.group;
    begun.told = t.what;
    begun.counted = true;
    begun.is_shown = is_shown;
    me_.running.push_back(f);
    if (is_part) {
        begun.from = t.words[0];
        begun.to = t.words[1];
        begun.all = t.words[2];
        begun.chunks = t.chunks;
        enter_loop(f);
    }
}

void driver::end_task() {
    const std::uint32_t f = me_.running.back();
    const std::uint32_t group = top().group;
    const task_kind told = top().told;
    if (top().kind == frame_kind::call) {
        me_.running.pop_back();
        home_.free_frame(f);
        return;
    }
    if (me_.id == 0 && me_.running.size() == 1) {  // the root task; the barrier follows
        home_.root_done = me_.now;
        return open_barrier();
    }
    if (top().is_shown) home_.show(me_, doing::task, phase::ends);
    me_.running.pop_back();
    home_.free_frame(f);
    home_.ended(me_.now);
    complete(group, told);
    if (top().waits && me_.attention != 0) serve_others();  // between two tasks
}

// Whoever awaits it is told at once, or when this worker turns to something else (scope_core.hpp).
void driver::complete(std::uint32_t group, task_kind told) {
    if (group == nobody) return;
    frame& waiting = home_.frame_of(group);
    --waiting.open;
    if (me_.news_group != group) turn_away();
    if (waiting.owner == me_.id) return;
    me_.news_for = waiting.owner;
    me_.news_group = group;
    if (told == task_kind::forked) turn_away();
}
void driver::turn_away() {
    if (me_.news_for == protocol::no_worker) return;
    const worker_id whom = std::exchange(me_.news_for, protocol::no_worker);
    me_.news_group = nobody;
    medium_.raise_and_wake(whom, bits::news);
}

}  // namespace parley::inline v0::sim::timed
