// The root task's barriers (pool::wait_for_all in the runtime): between its phases, and at its end.
#include <lab/sim/timed/driver.hpp>

#include <algorithm>

namespace parley::inline v0::sim::timed {

void driver::open_barrier() {
    home_.barrier_opens(me_.now);
    me_.machine.open_barrier(medium_);
    me_.running.push_back(home_.new_frame(frame_kind::barrier, 0));
}

// Released. The root task goes on, or opens the next of those at its end.
void driver::close_barrier() {
    if (home_.barriers.back().announced == never)
        throw broken_promise("worker 0 was released, and nobody announced the end");
    if (!me_.machine.close_barrier(medium_)) return park(me_.now + microsecond);
    home_.barriers.back().left = me_.now;
    me_.closes_barrier = false;
    const bool at_end = home_.root_done != never;
    if (at_end && --home_.barriers_left == 0) {
        home_.released = me_.now;
        home_.show(me_, doing::run, phase::ends);
        return;
    }
    home_.free_frame(me_.running.back());
    me_.running.pop_back();
    if (at_end) open_barrier();
}

void pool::barrier_opens(moment when) {
    barriers.emplace_back();
    barriers.back().opened = when;
}

void pool::announce_end(moment when) {
    require_nothing_left();
    if (barriers.empty() || barriers.back().announced != never)
        throw broken_promise("the end was announced while worker 0 did not wait for it");
    barrier_report& now = barriers.back();
    now.last_task = std::max(now.opened, last_task_);
    now.announced = when;
}

}  // namespace parley::inline v0::sim::timed
