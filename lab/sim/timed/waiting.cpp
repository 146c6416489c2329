#include <lab/sim/timed/driver.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace parley::inline v0::sim::timed {

namespace {

// What wants a worker without tasks to look up; the lobby does not: it has nothing to give.
constexpr bits::word calls = bits::mail | bits::tasks | bits::news | bits::scan | bits::released | bits::stop;

duration left(const member& m) {
    const clock_point now = as_clock_point(m.now);
    return in_virtual_time(std::max(m.steals.left(now), m.pauses.left(now)));
}

}  // namespace

// One turn of the wait loop.
void driver::wait_turn() {
    me_.touched = false;
    if (me_.closes_barrier) return close_barrier();
    if (me_.puts_off) return serve_others();
    if (me_.goes) return sit_out();
    if (holds(me_.running.back())) return stop_waiting();
    if (is_to_go() && leave_or_stay()) return;
    if (run_own_task()) return;
    look_elsewhere();
}

bool driver::holds(std::uint32_t f) {
    const frame& waits = home_.frame_of(f);
    switch (waits.kind) {
        case frame_kind::idle: return false;  // the run ends before
        case frame_kind::barrier: return (me_.attention & bits::released) != 0;
        case frame_kind::helper: return ready_one() < me_.suspended.size();
        case frame_kind::task:
        case frame_kind::call:
        case frame_kind::loop: break;
    }
    return waits.open == 0;
}

void driver::stop_waiting() {
    if (top().kind == frame_kind::barrier) home_.barriers.back().heard = me_.now;
    me_.machine.withdraw(medium_);
    me_.pauses.forget();
    found_something();
    turn_away();  // back in a task that may be of another group, or long
    const std::uint32_t f = me_.running.back();
    switch (top().kind) {
        case frame_kind::barrier: me_.closes_barrier = true; return close_barrier();
        case frame_kind::helper: {
            home_.free_frame(f);
            const std::size_t next = ready_one();
            me_.running = std::move(me_.suspended[next]);
            me_.suspended.erase(me_.suspended.begin() + static_cast<std::ptrdiff_t>(next));
            me_.tasks.hold_all();
            return spend(spent::queue, cost_.suspend);
        }
        case frame_kind::loop:
            me_.running.pop_back();
            home_.free_frame(f);
            return;
        default: top().waits = false;
    }
}

// Between tasks thieves are served, too; that is done where a task ends.
bool driver::run_own_task() {
    if (!me_.tasks.may_pop()) return false;
    found_something();
    spend(spent::queue, cost_.pop);
    const task t = me_.tasks.pop();
    if (me_.early.is_on()) ask_early();
    begin(t, true);
    return true;
}

void driver::ask_early() {
    if (!me_.early.wants(me_.tasks.size()) || is_to_go() || me_.steals.in_doubt()) return;
    if (me_.early.failed(me_.machine.all_home(medium_))) return;
    me_.machine.ask_early(medium_);
    me_.early.asked();
}

void driver::look_elsewhere() {
    turn_to(doing::search);
    spend(spent::idle, cost_.turn);
    turn_away();
    if (go_on_with_another() || do_foreign_tasks() || take_from_own_loop()) return found_something();
    const protocol::standing here = where();
    const protocol::asking asks = what_to_ask_for();
    if (is_to_go()) me_.machine.withdraw(medium_);
    const protocol::standing shown = me_.suspended.empty() ? here : protocol::standing::in_task;
    if (me_.machine.seek(medium_, shown, asks)) {
        has_not_looked();  // what it has found it has not offered to anybody
        me_.steals.received(me_.tasks.size(), as_clock_point(me_.now));
        me_.pauses.forget();
        me_.waits.was_answered();
        me_.early.received();
        if (here == protocol::standing::between_tasks) me_.tasks.let_go();
        if (me_.tasks.size() > 1 && me_.attention != 0) ask_to_be_watched();
        return found_something();
    }
    // At every turn, as the runtime does; but it need not let the others catch up to say what it has said.
    if (!me_.has_looked && (me_.attention & bits::lobby) != 0) show_whether_it_has_looked();
    idle(asks);
}

// Of few all are looked at, the oldest first.
std::size_t driver::ready_one() const noexcept {
    std::size_t i = 0;
    while (i < me_.suspended.size() && home_.frame_of(me_.suspended[i].back()).open > 0) ++i;
    return i;
}

bool driver::go_on_with_another() {
    if (me_.suspended.empty() || top().kind == frame_kind::helper) return false;
    const std::size_t next = ready_one();
    if (next == me_.suspended.size()) return false;
    turn_to(std::nullopt);  // before the stack is another
    spend(spent::queue, cost_.suspend);
    stack other = std::move(me_.suspended[next]);
    me_.suspended.erase(me_.suspended.begin() + static_cast<std::ptrdiff_t>(next));
    me_.suspended.push_back(std::exchange(me_.running, std::move(other)));
    me_.tasks.hold_all();
    return true;
}

// On another stack where a task waits on this one.
bool driver::do_foreign_tasks() {
    if (me_.tasks.empty() && !me_.job) return false;
    turn_to(std::nullopt);  // before the stack is another, and before a task is shown
    if (where() == protocol::standing::in_task) {
        constexpr std::size_t many = 64;  // suspended_waits
        if (me_.suspended.size() >= many) me_.steals.hold_off(as_clock_point(me_.now));
        spend(spent::queue, cost_.suspend);
        me_.suspended.push_back(std::move(me_.running));
        me_.running.assign(1, home_.new_frame(frame_kind::helper, me_.id));
        if (home_.is_seen()) top().stack = free_stack();
    }
    if (me_.job) {
        me_.tasks.hold_all();  // what is there may be newer, and may wait for it
        begin(*std::exchange(me_.job, std::nullopt), true);
    } else {
        me_.tasks.let_go();
    }
    return true;
}

// The lowest number that no suspended stack has: few are used, and each is a line of a timeline.
std::uint16_t driver::free_stack() {
    std::uint16_t n = 1;
    const auto has_it = [&](const stack& s) { return home_.frame_of(s.front()).stack == n; };
    while (std::any_of(me_.suspended.begin(), me_.suspended.end(), has_it)) ++n;
    return n;
}

bool driver::take_from_own_loop() {
    for (const std::uint32_t f : me_.loops) {
        frame& l = home_.frame_of(f);
        if (l.from >= l.to) continue;
        spend(spent::queue, cost_.split + cost_.push);
        me_.tasks.push(home_.cut_off(me_, l, {l.to - l.from - (l.to - l.from) / 2, l.chunks}));
        return true;
    }
    return false;
}

protocol::asking driver::what_to_ask_for() {
    if (is_to_go()) return protocol::asking::nothing;
    const bool circulates = me_.machine.circulates();
    const clock_point now = as_clock_point(me_.now);
    protocol::asking asks = protocol::asking::as_strategy;
    if (!circulates) {
        if (me_.steals.undecided() || me_.steals.in_doubt()) me_.steals.judge(now);
        if (me_.steals.in_doubt()) asks = me_.steals.ask_for(now);
    }
    if (asks == protocol::asking::nothing || !backs_off()) return asks;
    const protocol::asking later = me_.pauses.judge(me_.machine.may_pause(medium_), now, circulates);
    return later == protocol::asking::nothing ? later : asks;
}

void driver::forget_waiting() noexcept {
    me_.idle_since = never;
    me_.has_interrupted = false;
}
void driver::found_something() {
    forget_waiting();
    turn_to(std::nullopt);
}

// As a witness sees it.
void driver::turn_to(std::optional<doing> pause) {
    if (!home_.is_seen() || me_.pause == pause) return;
    if (me_.pause) home_.show(me_, *me_.pause, phase::ends);
    me_.pause = pause;
    if (pause) home_.show(me_, *pause, phase::begins);
}

// --- without anything to do ----------------------------------------------------------------------

// A spinner's turns change nothing until somebody touches what it looks at, or its patience ends: so they are left
// out. What it waits for circulating requests has no end of patience.
void driver::idle(protocol::asking asks) {
    if (me_.idle_since == never) me_.idle_since = me_.now;
    if (me_.touched || (me_.attention & calls) != 0) return;
    const duration waited = me_.now - me_.idle_since;
    const duration until_it_rests = in_virtual_time(me_.waits.with_victim());
    const duration until_it_interrupts = in_virtual_time(me_.waits.with_tasks());
    const bool asks_nothing = asks == protocol::asking::nothing;
    const duration until_it_sleeps = in_virtual_time(me_.waits.before_sleep(!asks_nothing));
    if (waited >= until_it_sleeps) {
        fall_asleep(asks);
        return;
    }
    if (waited >= until_it_rests && !asks_nothing && (!backs_off() || me_.pauses.gives_up())) rest_and_interrupt();
    if (me_.touched || (me_.attention & calls) != 0) return;
    duration next = until_it_sleeps;
    for (const duration d : {until_it_rests, until_it_interrupts})
        if (me_.now - me_.idle_since < d) next = std::min(next, d);
    moment deadline = me_.idle_since + next;
    if (asks_nothing && !is_to_go()) deadline = std::min(deadline, me_.now + std::max(left(me_), cost_.turn + 1));
    else if (me_.machine.circulates() && !me_.machine.all_home(medium_)) deadline = never;
    park(std::max(deadline, me_.now));
}

void driver::rest_and_interrupt() {
    me_.machine.rest(medium_);
    me_.waits.was_in_vain();
    if (me_.has_interrupted || me_.now - me_.idle_since < in_virtual_time(me_.waits.with_tasks())) return;
    me_.has_interrupted = true;
    if (watches()) (void)look_after_others(true);
}

void driver::park(moment deadline) {
    me_.does = mode::spins;
    me_.parked_at = me_.now;
    if (deadline != never) home_.queue.set(me_.id, deadline);
}

void driver::fall_asleep(protocol::asking asks) {
    forget_waiting();
    if (asks != protocol::asking::nothing) me_.waits.was_in_vain();
    if (!me_.machine.go_to_sleep(medium_, asks)) {
        if (me_.touched || (me_.attention & calls) != 0) return;
        const duration again = in_virtual_time(me_.waits.before_sleep(asks != protocol::asking::nothing));
        return park(me_.machine.circulates() ? never : me_.now + again);
    }
    spend(spent::idle, cost_.sleep);
    home_.let_others_catch_up(me_);
    if (holds(me_.running.back()) || ready_one() < me_.suspended.size()) return wake_up();
    if (is_to_go()) return lie_down();  // until it is told
    if (asks != protocol::asking::nothing) {
        me_.steals.forget();
        if (!backs_off()) me_.asleep_since = me_.now;
        take_watch();
    }
    lie_down();
    if (asks == protocol::asking::nothing && me_.does == mode::sleeps) home_.queue.set(me_.id, me_.now + left(me_));
}

// Marked asleep. Whoever had news for it meanwhile has left a bit; from now on it is woken.
void driver::lie_down() {
    if ((me_.attention & bits::waking) != 0) return wake_up();
    me_.woken = false;
    turn_to(doing::sleep);
    me_.does = mode::sleeps;
    me_.parked_at = me_.now;
    if (me_.watch_pause != 0) home_.queue.set(me_.id, me_.now + me_.watch_pause);
}

void driver::wake_up() {
    turn_to(doing::search);
    give_up_watch();
    me_.woken = false;
    if (me_.asleep_since != never) me_.waits.has_slept(as_clock_point(me_.now) - as_clock_point(me_.asleep_since));
    me_.asleep_since = never;
    me_.machine.wake_up(medium_);
    ++me_.count.wakes;
}

}  // namespace parley::inline v0::sim::timed
