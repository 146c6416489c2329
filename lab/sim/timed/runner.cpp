#include <lab/sim/timed/host.hpp>
#include <lab/sim/timed/runner.hpp>
#include <parley/detail/driver/looking_up.hpp>
#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/driver/weighing.hpp>
#include <parley/detail/policy/block_length.hpp>
#include <parley/detail/protocol/requesting.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

namespace {

// What block_length asks for the time.
struct virtual_clock {
    static inline thread_local clock_point at{};
    static clock_point now() noexcept { return at; }
};

// The conditions of wait_loop.
struct end_of_run {
    static constexpr bool may_hold() noexcept { return false; }
    bool operator()() const noexcept { return false; }  // the run ends before
};
struct all_are_done {
    pool* home;
    member* self;
    const scope* of;
    // What others have ended until now counts. Otherwise this worker could take note of their news, see no end, and be
    // parked.
    bool operator()() const noexcept {
        home->let_others_catch_up(*self);
        return of->open == 0;
    }
    bool may_hold() const noexcept { return of->open == 0; }
    const void* cause() const noexcept { return of; }
};
struct released {
    const member* self;
    barrier_report* report;
    bool operator()() const noexcept {
        if ((self->attention & bits::released) == 0) return false;
        if (report->heard == never) report->heard = self->now;
        return true;
    }
    static constexpr bool may_hold() noexcept { return false; }  // it comes by the attention word
};

}  // namespace

void runner::live() {
    if (me_.id == 0) return run_root();
    end_of_run ends;
    threading::wait_loop(virtual_host(me_), protocol::standing::between_tasks, ends);
}

// --- a task --------------------------------------------------------------------------------------

void runner::run_root() {
    if (home_.root_comes_later()) home_.root_begins(me_);
    home_.show(me_, doing::run, phase::begins);
    me_.machine.enter(medium_);
    frame root;
    root.is_root = true;
    run(root);
    home_.root_done = me_.now;
    for (; home_.barriers_left > 0; --home_.barriers_left) barrier();
    home_.released = me_.now;
    home_.show(me_, doing::run, phase::ends);
}

void runner::run(frame& f) {
    f.here.owner = me_.id;
    ++me_.calls;
    for (;;) {
        const next_deed d = home_.program.next(f.act, home_.chosen().barrier);
        if (d.what == deed::end) break;
        do_deed(f, d);
    }
    --me_.calls;
}

void runner::do_deed(frame& f, const next_deed& d) {
    switch (d.what) {
        case deed::work:
            home_.count_work(d.length);
            return compute(home_.task_on(me_, d.length), home_.task_on(me_, home_.program.poll_every(f.act)));
        case deed::spawn: return spawn(d, f.is_root && home_.chosen().barriers_for_waits ? nullptr : &f.here);
        case deed::spawn_beside: {
            scope* const of_root = home_.chosen().barrier ? nullptr : &f.here;
            return spawn(d, f.is_root ? of_root : f.group);
        }
        case deed::spawn_alone: return spawn(d, nullptr);
        case deed::fork: return fork(f, d);
        case deed::call: {
            frame called;
            called.act.kind = d.kind;
            called.act.words = d.words;
            called.group = f.group;
            return run(called);
        }
        case deed::join: return join(f);
        case deed::wait: return wait_or_barrier(f);
        case deed::barrier:
            if (!f.is_root) throw std::logic_error("a barrier in a child task");
            return barrier();
        case deed::loop: return run_loop(d);
        case deed::end: return;
    }
}

// Who polls computes in pieces, and a loop looks after each block in any case. The times are the worker's own: slow cores
// take longer.
void runner::compute(duration left, duration every, bool is_loop) {
    while (left > 0) {
        const duration piece = every > 0 ? std::min(left, every) : left;
        compute_piece(piece);
        left -= piece;
        if (every > 0 && (!is_loop || left > 0)) look();
    }
}

void runner::compute_piece(duration d) {
    if (me_.signal_at <= me_.now) {  // one that has come before finds no task, and is over
        home_.let_others_catch_up(me_);
        me_.signal_at = never;
        me_.called = false;
    }
    me_.until = me_.now + d;
    home_.computes_until(me_.until);
    for (;;) {
        const bool is_called = me_.signal_at < me_.until;
        home_.compute(me_, is_called ? std::max(me_.signal_at, me_.now) : me_.until);
        if (me_.now >= me_.until) return;
        handle_signal();
    }
}

void runner::handle_signal() {
    const moment before = me_.now;
    me_.signal_at = never;
    me_.called = false;
    spend(spent::requests, cost_.handler);
    if (!me_.tasks.empty() && me_.loop_to_split() == nullptr && me_.keeps_since != never)
        me_.weighed.work.has_lasted(me_.weighed.weight.worth_waking());
    me_.keeps_since = never;
    me_.weighed.look.at_once_when_interrupted();
    const bool waited = std::exchange(me_.weighed.waits, true);  // whoever asks gets something
    me_.machine.serve_interrupted(medium_);
    me_.weighed.waits = waited;
    virtual_host(me_).show_whether_it_has_looked(medium_.spare() > 0);
    me_.until += me_.now - before;
}

task* runner::make(const next_deed& d, scope* group, task_kind what) {
    task* const t = home_.store.make();
    t->serial = home_.next_serial();
    t->words = d.words;
    t->kind = d.kind;
    t->group = group;
    t->what = what;
    t->maker = me_.id;
    if (group != nullptr) ++group->open;
    spend(spent::queue, cost_.push);
    return t;
}
void runner::spawn(const next_deed& d, scope* group) {
    me_.tasks.push(make(d, group, task_kind::plain));
    look_after_spawn(group);
}
void runner::fork(frame& f, const next_deed& d) {
    f.forked = make(d, &f.here, task_kind::forked);
    f.serial_of_forked = f.forked->serial;
    me_.tasks.push(f.forked);
    look_after_fork();
}
// Nearly always it is still the newest. If not, its memory may be another task's by now.
void runner::join(frame& f) {
    const bool is_mine = f.forked->serial == f.serial_of_forked && me_.tasks.pop_if_newest(f.forked);
    if (!is_mine) return wait_for(f.here);
    spend(spent::queue, cost_.pop);
    begin(f.forked, false);
}

void runner::begin(threading::task* given, bool is_shown) {
    const task t = home_.store.take(given);
    if (t.what == task_kind::message) return unpack(t);
    if (is_shown) home_.show(me_, doing::task, phase::begins);
    if (me_.news_for != protocol::no_worker && me_.news_group != t.group) turn_away();
    home_.begun(t);
    if (t.maker != me_.id) home_.fetch(me_, t.maker, home_.chosen().task_lines, spent::queue);
    ++me_.tasks_run;
    if (t.what == task_kind::part_of_loop) {
        loop_part part{t.kind, t.group, t.words[0], t.words[1], t.words[2], t.chunks};
        part.times.takes_over(t.each);
        (void)run_part(part);
        me_.looped_at = me_.tasks_run;
    } else {
        frame f;
        f.act.kind = t.kind;
        f.act.words = t.words;
        f.group = t.group;
        run(f);
    }
    if (is_shown) home_.show(me_, doing::task, phase::ends);
    home_.ended(me_.now);
    complete(t.group, t.what);
}

// Whoever awaits it is told at once, or when this worker turns to something else (scope_core.hpp).
void runner::complete(scope* group, task_kind told) {
    if (group == nullptr) return;
    --group->open;
    if (me_.news_group != group) turn_away();
    if (group->owner == me_.id) {
        if (me_.suspended.any() && me_.suspended.ended(group)) ++me_.news_seen;
        return;
    }
    me_.news_for = group->owner;
    me_.news_group = group;
    if (told == task_kind::forked) turn_away();
}
void runner::turn_away() {
    if (me_.news_for == protocol::no_worker) return;
    const worker_id whom = std::exchange(me_.news_for, protocol::no_worker);
    me_.news_group = nullptr;
    medium_.raise_and_wake(whom, bits::news);
}

// True: it has looked up.
template <class Keeps>
bool runner::look(bool at_pace, const Keeps& keeps_to_itself) {
    spend(spent::queue, cost_.poll);
    const bool looks_up = me_.attention != 0 && !keeps_to_itself(virtual_host(me_));
    if (looks_up) threading::look_up(virtual_host(me_), at_pace);
    home_.step_ends(me_);
    return looks_up;
}
void runner::look() {
    (void)look(false, [](virtual_host) { return false; });
}
void runner::look_after_fork() {
    (void)look(false, [this](virtual_host h) {
        const bool looks_away = h.only_work_is_wanted() && !me_.weighed.work.is_over_at(frame_address()) &&
                                !me_.has_looked && me_.weighed.look.looks_away();
        return looks_away || threading::keeps_to_itself(h, frame_address(), 0);
    });
}
// Tasks that nobody awaits belong to no scope: each of them begins anew.
void runner::look_after_spawn(scope* in) {
    std::uint64_t number = in != nullptr ? in->number : 0;
    if (number == 0) number = ++me_.scopes << 16 | me_.id;
    if (in != nullptr) in->number = number;
    (void)look(true, [&](virtual_host h) { return threading::keeps_to_itself(h, frame_address(), number); });
}
void runner::look_in(loop_part& l) {
    const bool has_looked = look(false, [&](virtual_host h) {
        const bool looks_away = h.only_work_is_wanted() && !me_.has_looked && l.left() > 0 && l.looks_away();
        return looks_away || threading::keeps_to_itself(h, l.times, l.left(), me_.loop_to_split() == &l);
    });
    if (has_looked) me_.weighed.has_looked_in(l.times, me_.time_by_clock());
}

// --- waiting -------------------------------------------------------------------------------------

void runner::wait_for(scope& s) {
    if (s.number != 0) me_.weighed.is_awaited(s.number);
    all_are_done done{&home_, &me_, &s};
    if (!done()) threading::wait_loop(virtual_host(me_), protocol::standing::in_task, done);
    if (s.number != 0) threading::has_awaited(virtual_host(me_), s.number);
}
void runner::wait_or_barrier(frame& f) {
    if (f.is_root && home_.chosen().barriers_for_waits) barrier();
    else wait_for(f.here);
}

// The root task's (wait_for_all() of runtime/barrier.hpp): between its phases, and at its end.
void runner::barrier() {
    home_.barrier_opens(me_.now);
    me_.machine.open_barrier(medium_);
    barrier_report& report = home_.barriers.back();
    released done{&me_, &report};
    threading::wait_loop(virtual_host(me_), protocol::standing::between_tasks, done);
    if (report.announced == never) throw broken_promise("worker 0 was released, and nobody announced the end");
    while (!me_.machine.close_barrier(medium_)) home_.park(me_, me_.now + microsecond);
    report.left = me_.now;
}

// --- loops ---------------------------------------------------------------------------------------

void runner::run_loop(const next_deed& d) {
    if (d.words[0] == 1) return run_single(d.kind);
    scope s{me_.id};
    const threading::remembered_loops::name name{reinterpret_cast<const void*>(std::uintptr_t{d.kind} + 1), d.words[0]};
    loop_part whole{d.kind, &s, 0, d.words[0], d.words[0], home_.size()};
    if (home_.chosen().weighs) whole.times.takes_over(me_.loops_before.each(name));
    const threading::loop_times times = run_part(whole);
    if (times.was_given()) me_.looped_at = me_.tasks_run;
    wait_for(s);
    me_.machine.serves_everybody();
    const auto now = me_.time_by_clock();
    me_.loops_before.notes(name, times.was_given() ? times.each_of_all(name.count, now) : times.each_here());
    if (times.was_given()) times.was_shared(me_.weighed.weight, now);
    else if (me_.attention != 0) times.was_kept(me_.weighed.weight, me_.weighed.row, now);
}

// As run_single() of loop_run.hpp.
void runner::run_single(std::uint32_t kind) {
    activity act;
    act.kind = kind;
    const duration one = home_.program.iteration(kind, 0);
    home_.count_work(one);
    compute(home_.task_on(me_, one), home_.task_on(me_, home_.program.poll_every(act)), true);
    (void)look(false, [](virtual_host h) { return threading::has_nothing_for_thieves(h); });
}

threading::loop_times runner::run_part(loop_part l) {
    me_.loops.push_back(&l);
    if (me_.attention != 0) {
        me_.weighed.look.at_once();
        if (me_.loops.size() == 1 && me_.tasks.empty() && !virtual_host(me_).has_something_in_hand())
            me_.keeps_since = me_.now;
        threading::ask_to_be_watched(virtual_host(me_));
    }
    if (l.times.each() > 0) {
        const bool is_the_only_one = me_.loops.size() == 1 && me_.tasks.empty();
        if (l.left() < l.all) threading::part_begins(virtual_host(me_), l, is_the_only_one);
        else threading::loop_begins_again(virtual_host(me_), l, is_the_only_one);
    }
    threading::block_length length(l.all / (8 * std::uint64_t{home_.size()}), l.times.begin(me_.time_by_clock()));
    activity act;
    act.kind = l.kind;
    const duration every = home_.task_on(me_, home_.program.poll_every(act));
    while (l.from < l.to) {
        const std::uint64_t first = l.from;
        l.from = std::min(first + length.at(first), l.to);
        duration sum = 0, fetching = 0;
        for (std::uint64_t i = first; i < l.from; ++i) {
            const duration one = home_.program.iteration(l.kind, i);
            home_.count_work(one);
            sum += one;
            fetching += home_.fetch_elements(me_, l.kind, i);
        }
        compute(home_.task_on(me_, sum) + fetching, every, true);
        spend(spent::queue, cost_.block);
        virtual_clock::at = me_.time_by_clock();
        length.block_ends(virtual_clock{});
        l.times.notes(length);
        l.own.learns(l.left(), l.times, virtual_clock::at);
        const moment since = me_.now;
        look_in(l);
        length.leave_out(std::chrono::nanoseconds((me_.now - since) / nanosecond));
        l.times.notes(length);
    }
    me_.loops.erase(std::find(me_.loops.begin(), me_.loops.end(), &l));
    return l.times;
}

// --- workers that come and go --------------------------------------------------------------------

// Tasks of other stacks, which are held, go one by one: whoever received them together would run them on top of each
// other.
void runner::give_up_tasks() {
    const auto give_up_oldest = [this] {
        spend(spent::tasks, cost_.steal);
        medium_.submit(me_.tasks.take_oldest());
    };
    if (me_.job != nullptr) medium_.submit(std::exchange(me_.job, nullptr));
    while (me_.tasks.held() > 0 || me_.tasks.size() == 1) give_up_oldest();
    if (const std::size_t n = me_.tasks.size(); n > 0) {
        task* const message = home_.store.make();
        home_.jobs.pack(*message, n, [this] { return me_.tasks.take_oldest(); });
        spend(spent::tasks, cost_.steal + static_cast<duration>(n - 1) * cost_.steal_each);
        medium_.submit(message);
    }
    while (threading::task* const rest = medium_.all_of_a_loop()) medium_.submit(rest);
    // That it has jobs to offer is no news to itself; whoever stays may be the one that has to take them.
    if (home_.is_to_go(me_.id) && (me_.attention & bits::jobs) != 0) medium_.lower(bits::jobs);
}

// What is in the deque may wait for what is in the message, or the other way round: then each goes on alone.
void runner::unpack(const task& message) {
    const std::size_t n = home_.jobs.size_of(message);
    spend(spent::tasks, cost_.receive_tasks + static_cast<duration>(n - 1) * cost_.steal_each);
    const bool alone = !me_.tasks.empty();
    for (std::size_t i = 0; i < n; ++i) {
        threading::task* const t = home_.jobs.unpack(message);
        if (alone) medium_.submit(t);
        else me_.tasks.push(t);
    }
    if (alone) return;
    me_.tasks.hold_all();
    if (me_.attention != 0) threading::ask_to_be_watched(virtual_host(me_));
}

}  // namespace parley::inline v0::sim::timed
