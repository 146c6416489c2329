#include "tests/lab/sim/timed_runs.hpp"

#include <gtest/gtest.h>
#include <parley/detail/policy/settled_options.hpp>

#include <algorithm>
#include <sstream>

namespace parley_tests {

std::vector<choice> all_choices() {
    using namespace parley;
    std::vector<choice> all;
    const auto add = [&](const char* name, auto change) {
        choice c{name, {}};
        change(c.how);
        all.push_back(c);
    };
    add("default", [](options&) {});
    add("one", [](options& o) { o.steal = stealing::one; });
    add("half, last", [](options& o) { o.steal = stealing::half; o.victim = victims::last; });
    add("last thief, guided", [](options& o) { o.victim = victims::last_thief; o.split = splitting::guided; });
    add("richest, half", [](options& o) { o.victim = victims::richest; o.split = splitting::half; });
    add("nearest", [](options& o) { o.victim = victims::nearest; });
    add("two requests, early", [](options& o) { o.requests = 2; o.early = 2; });
    add("backoff, closed", [](options& o) { o.failed = failed_requests::backoff; o.dry = dry_mailbox::closed; });
    add("impatient", [](options& o) { o.patience = 1; });
    add("at once", [](options& o) { o.answers = answering::at_once; });
    add("every request", [](options& o) { o.watchdog = watchdogs::every_request; });
    add("unwatched", [](options& o) { o.watchdog = watchdogs::off; });
    for (const auto by : {termination_by::manager, termination_by::dedicated_manager, termination_by::counter}) {
        const std::string name = to_string(by);
        const auto with = [&](const char* what, auto change) {
            choice c{name + what, {}};
            c.how.termination = by;
            change(c.how);
            all.push_back(c);
        };
        with("", [](options&) {});
        with(", half, last, early", [](options& o) { o.steal = stealing::half; o.victim = victims::last; o.early = 1; });
        with(", locked", [](options&) {});
        all.back().locks_channels = true;
        with(", acknowledge", [](options& o) { o.refuse = refusal::acknowledge; });
        with(", continue", [](options& o) { o.continue_requests = true; });
        with(", hijack, continue", [](options& o) { o.hijack = o.continue_requests = true; });
        if (by != termination_by::counter) with(", own", [](options& o) { o.revoke = revoked_request::own; });
    }
    return all;
}

std::vector<choice> resting_choices() {
    std::vector<choice> all;
    for (const choice& c : all_choices())
        if (c.how.termination == parley::termination_by::scan) all.push_back(c);
    return all;
}

timed::setup setup_of(const choice& c, std::uint32_t workers, std::uint64_t seed, const timed::costs& machine) {
    timed::setup s;
    s.how = c.how;
    s.how.workers = std::min(workers, parley::max_workers);
    s.how = parley::threading::settled(s.how);
    s.locks_channels = c.locks_channels;
    s.workers = workers;
    s.seed = seed;
    s.machine = machine;
    return s;
}

timed::faults all_faults() {
    timed::faults f;
    f.stall_chance = 1000;
    f.stall = 50 * timed::microsecond;
    f.late_chance = 2000;
    f.late = 20 * timed::microsecond;
    f.slow_chance = 16'000;
    f.slow_percent = 30;
    return f;
}

void expect_in_order(const timed::run_report& r) {
    for (const timed::barrier_report& b : r.barriers) {
        EXPECT_LE(b.opened, b.last_task);
        EXPECT_LE(b.last_task, b.announced);
        EXPECT_LE(b.announced, b.heard);
        EXPECT_LE(b.heard, b.left);
    }
    for (std::size_t i = 1; i < r.barriers.size(); ++i) EXPECT_LE(r.barriers[i - 1].left, r.barriers[i].opened);
    EXPECT_EQ(r.barriers.back().left, r.released);
    EXPECT_EQ(r.end_detected_after(), r.barriers.back().announced - r.barriers.back().last_task);
    EXPECT_LE(r.end_detected_after(), r.released - r.barriers.back().opened);
}

std::string text_of(const timed::run_report& r) {
    std::ostringstream out;
    out << r.took << ' ' << r.work << ' ' << r.released << ' ' << r.last_task << ' ' << r.tasks << ' ' << r.events
        << ' ' << r.resizes << ' ' << r.fewest;
    for (const timed::barrier_report& b : r.barriers)
        out << '\n' << b.opened << ' ' << b.last_task << ' ' << b.announced << ' ' << b.heard << ' ' << b.left;
    for (const timed::worker_report& w : r.workers) {
        out << '\n' << w.tasks << ' ' << w.requests << ' ' << w.hops << ' ' << w.messages << ' ' << w.steals << ' '
            << w.stolen << ' ' << w.failed << ' ' << w.splits << ' ' << w.sleeps << ' ' << w.wakes << ' ' << w.interrupts
            << ' ' << w.departures;
        for (const timed::duration d : w.time) out << ' ' << d;
    }
    return out.str();
}

}  // namespace parley_tests
