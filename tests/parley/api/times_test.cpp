// runtime::times(): what each worker's time goes to.
#include "tests/parley/api/support.hpp"

#include <chrono>

namespace {

using namespace api_test;
using parley::runtime;
using clock = std::chrono::steady_clock;

double sum_of(const parley::worker_times& t) { return t.running + t.queueing + t.moving_tasks + t.moving_requests + t.idle; }
double seconds_between(clock::time_point a, clock::time_point b) { return std::chrono::duration<double>(b - a).count(); }

parley::options timed(unsigned workers) {
    parley::options o;
    o.workers = workers;
    o.profile = true;
    return o;
}

// Spins without a task, a fork or a look.
void work_for(std::chrono::milliseconds long_enough) {
    const auto begin = clock::now();
    while (clock::now() - begin < long_enough) {}
}

TEST(Times, AreEmptyUnlessAskedFor) { EXPECT_TRUE(runtime{{.workers = 2}}.times().empty()); }

// Two clocks are compared: they may differ in the first digits that both do not have.
TEST(Times, OfAWorkerAddUpToTheLifeOfItsRuntime) {
    for (const unsigned n : worker_counts) {
        const auto before = clock::now();
        runtime rt(timed(n));
        const auto made = clock::now();
        rt.run([] {
            fib(20);
            work_for(std::chrono::milliseconds(20));
        });
        const auto ended = clock::now();
        const auto all = rt.times();
        const auto after = clock::now();
        ASSERT_EQ(all.size(), n);
        for (const parley::worker_times& t : all) {
            EXPECT_GE(sum_of(t), 0.98 * seconds_between(made, ended));
            EXPECT_LE(sum_of(t), 1.02 * seconds_between(before, after));
        }
    }
}

TEST(Times, TellWhoWorksAndWhoHasNothing) {
    runtime rt(timed(2));
    rt.run([] {});
    const auto before = rt.times();
    const auto begin = clock::now();
    rt.run([] { work_for(std::chrono::milliseconds(50)); });
    const double took = seconds_between(begin, clock::now());
    const auto after = rt.times();
    // What else worker 0 does in a run() takes microseconds, however late its thread gets a core.
    EXPECT_GE(after[0].running - before[0].running, 0.049);
    EXPECT_LE(after[0].running - before[0].running, 1.02 * took);
    EXPECT_EQ(after[1].running, before[1].running);
    EXPECT_EQ(after[1].moving_tasks, before[1].moving_tasks);
    EXPECT_GE(after[1].idle - before[1].idle, 0.049);
}

TEST(Times, OfVictimAndThiefSayThatTasksMoved) {
    runtime rt(timed(2));
    rt.run([] { forked_elsewhere([] { return 1; }, [] { return 2; }); });
    for (const parley::worker_times& t : rt.times()) EXPECT_GT(t.moving_tasks, 0);
    EXPECT_GT(rt.times()[1].moving_requests, 0);
}

TEST(Times, QueueingGrowsWithTheTasks) {
    runtime rt(timed(1));
    const auto one_thousand = [&] {
        const double before = rt.times()[0].queueing;
        rt.run([] {
            parley::scope s;
            for (int i = 0; i < 1'000; ++i) s.spawn([] {});
            s.wait();
        });
        return rt.times()[0].queueing - before;
    };
    const double first = one_thousand();
    EXPECT_GT(first, 0);
    EXPECT_DOUBLE_EQ(one_thousand(), first);
}

TEST(Times, MayBeReadWhileWorkersRun) {
    runtime rt(timed(3));
    std::atomic<bool> over{false};
    std::thread reader([&] {
        std::vector<double> last(3, 0.0);
        while (!over) {
            const auto now = rt.times();
            for (std::size_t w = 0; w < 3; ++w) {
                EXPECT_GE(sum_of(now[w]), 0.98 * last[w] - 1e-4);  // of short times the two clocks say little
                last[w] = sum_of(now[w]);
            }
        }
    });
    for (int i = 0; i < 20; ++i) rt.run([] { fib(is_sanitized ? 14 : 20); });
    over = true;
    reader.join();
}

}  // namespace
