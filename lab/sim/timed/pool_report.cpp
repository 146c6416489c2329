// What came of a run, and whether it kept its promises.
#include <lab/sim/timed/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace parley::inline v0::sim::timed {

void pool::require_nothing_left() const {
    if (ended_count_ != serials_)
        throw broken_promise("the end was announced while " + std::to_string(serials_ - ended_count_) + " tasks were left");
}

void pool::check_end() const {
    require_nothing_left();
    if (!jobs.waiting.empty()) throw broken_promise("tasks that were given up are left after the end");
    if (begun_count_ != serials_ || begun_sum_ != made_sum_) throw broken_promise("a task was lost, or begun twice");
    for (const auto& m : members_) {
        bool empty = m->tasks.empty() && m->job == nullptr && !m->suspended.any();
        for (const own_request& r : m->requests) empty = empty && r.answer.tasks == nullptr && r.load.tasks == nullptr;
        if (!empty) throw broken_promise("worker " + std::to_string(m->id) + " has tasks after the end");
    }
}

run_report pool::report() {
    run_report r;
    r.took = (setup_.barrier ? released : root_done) - root_began;
    r.work = work_done;
    r.released = released - root_began;
    r.last_task = std::max(last_task_, root_began) - root_began;
    r.tasks = serials_;
    r.events = events_;
    for (barrier_report& b : barriers)
        for (moment* const at : {&b.opened, &b.last_task, &b.announced, &b.heard, &b.left}) *at -= root_began;
    r.barriers = barriers;
    r.resizes = resizes_;
    r.fewest = fewest_;
    for (auto& m : members_) {
        // Who spins or sleeps at the end has done so since it began to.
        const moment end = root_began + r.took;
        if ((m->does == mode::spins || m->does == mode::sleeps) && m->parked_at < end)
            m->count.time[static_cast<std::size_t>(spent::idle)] += end - m->parked_at;
        m->count.tasks = m->tasks_run;
        r.workers.push_back(m->count);
    }
    return r;
}

}  // namespace parley::inline v0::sim::timed
