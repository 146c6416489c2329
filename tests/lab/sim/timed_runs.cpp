#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace parley_tests {

std::vector<choice> all_choices() {
    using namespace parley::threading;
    using namespace parley::protocol;
    using how = timed::choices;
    std::vector<choice> all;
    const auto add = [&](const char* name, auto change) {
        choice c{name, {}};
        change(c.how);
        all.push_back(c);
    };
    add("default", [](how&) {});
    add("one", [](how& o) { o.steal = stealing::one; });
    add("half, last", [](how& o) {
        o.steal = stealing::half;
        o.victim = victims::last;
    });
    add("last thief, guided", [](how& o) {
        o.victim = victims::last_thief;
        o.split = splitting::guided;
    });
    add("richest, half", [](how& o) {
        o.victim = victims::richest;
        o.split = splitting::half;
    });
    add("nearest", [](how& o) { o.victim = victims::nearest; });
    add("two requests, early", [](how& o) {
        o.requests = 2;
        o.early = 2;
    });
    add("backoff, closed", [](how& o) {
        o.failed = failed_requests::backoff;
        o.dry = dry_mailbox::closed;
    });
    add("impatient", [](how& o) { o.patience = 1; });
    add("at once", [](how& o) { o.answers = answering::at_once; });
    add("every request", [](how& o) { o.interrupts_for_every_request = true; });
    add("unwatched", [](how& o) { o.watchdog = parley::watchdogs::off; });
    for (const auto by : {detection::by_manager, detection::by_dedicated_manager, detection::by_shared_counter}) {
        const std::string name = name_of(by);
        const auto with = [&](const char* what, auto change) {
            choice c{name + what, {}};
            c.how.papers = circulating{.detects = by};
            change(c.how);
            all.push_back(c);
        };
        with("", [](how&) {});
        with(", half, last, early", [](how& o) {
            o.steal = stealing::half;
            o.victim = victims::last;
            o.early = 1;
        });
        with(", locked", [](how&) {});
        all.back().locks_channels = true;
        with(", acknowledge", [](how& o) { o.papers->refuses = refusal::acknowledges; });
        with(", continue", [](how& o) { o.papers->continues = true; });
        with(", hijack, continue", [](how& o) { o.papers->hijacks = o.papers->continues = true; });
        if (by != detection::by_shared_counter) with(", own", [](how& o) { o.papers->revokes = revocation::own; });
    }
    return all;
}

std::vector<choice> resting_choices() {
    std::vector<choice> all;
    for (const choice& c : all_choices())
        if (!c.how.papers) all.push_back(c);
    return all;
}

timed::setup setup_of(const choice& c, std::uint32_t workers, std::uint64_t seed, const timed::costs& machine) {
    timed::setup s;
    s.how = timed::settled(c.how, workers);
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

void expect_each_task_once(const safe_run& s) {
    SCOPED_TRACE(s.name);
    producer p(300, 3 * timed::microsecond);
    awaited_tree awaited(6);
    forked_tree forked(7);
    single_loop loop(500);
    const timed::run_report flat = run(s.setup, p);
    EXPECT_EQ(flat.tasks, 300U);
    EXPECT_EQ(flat.total().tasks, 300U);
    EXPECT_GE(flat.released, flat.last_task);
    EXPECT_EQ(run(s.setup, awaited).tasks, 126U);
    EXPECT_EQ(awaited.leaves, 64U);
    EXPECT_EQ(run(s.setup, forked).tasks, 127U);
    EXPECT_EQ(forked.leaves, 128U);
    const timed::run_report looped = run(s.setup, loop);
    EXPECT_EQ(loop.done, 500U);
    EXPECT_EQ(loop.sum, 500U * 499 / 2);
    EXPECT_EQ(looped.tasks, looped.total().splits) << "the tasks of a loop are its parts";
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
    out << r.took << ' ' << r.work << ' ' << r.released << ' ' << r.last_task << ' ' << r.tasks << ' ' << r.events << ' '
        << r.resizes << ' ' << r.fewest;
    for (const timed::barrier_report& b : r.barriers)
        out << '\n' << b.opened << ' ' << b.last_task << ' ' << b.announced << ' ' << b.heard << ' ' << b.left;
    for (const timed::worker_report& w : r.workers) {
        out << '\n'
            << w.tasks << ' ' << w.requests << ' ' << w.hops << ' ' << w.messages << ' ' << w.steals << ' ' << w.stolen
            << ' ' << w.failed << ' ' << w.splits << ' ' << w.sleeps << ' ' << w.wakes << ' ' << w.interrupts << ' '
            << w.departures;
        for (const timed::duration d : w.time) out << ' ' << d;
    }
    return out.str();
}

}  // namespace parley_tests
