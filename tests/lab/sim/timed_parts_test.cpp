// The parts of virtual time: whose turn it is, who is near whom, lines that move.
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"

#include <gtest/gtest.h>
#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <utility>

namespace {

using namespace parley_tests;

TEST(TimedQueue, TheEarliestComesFirstOfEqualOnesTheLowest) {
    timed::event_queue queue(100);
    parley::base::rng random(1);
    std::vector<std::pair<timed::moment, std::uint32_t>> wanted(100);
    for (int round = 0; round < 3; ++round)  // the last of each counts
        for (std::uint32_t w = 0; w < 100; ++w) {
            wanted[w] = {random.below(20), w};
            queue.set(w, wanted[w].first);
        }
    std::sort(wanted.begin(), wanted.end());
    for (const auto& [at, worker] : wanted) {
        EXPECT_EQ(queue.next(), at);
        EXPECT_EQ(queue.take(), worker);
    }
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.next(), timed::never);
}

TEST(TimedQueue, EntriesMoveForwardOnly) {
    timed::event_queue queue(2);
    queue.set_if_earlier(0, 10);
    queue.set_if_earlier(0, 20);
    EXPECT_EQ(queue.of(0), 10);
    queue.set_if_earlier(0, 5);
    EXPECT_EQ(queue.of(0), 5);
    EXPECT_EQ(queue.of(1), timed::never);
}

TEST(TimedMachine, DistancesFollowTheTopology) {
    timed::costs c;
    c.places = {4, 2, 6, 1};
    const timed::machine opteron(c, 48);
    EXPECT_EQ(opteron.distance(7, 7), 0U);
    EXPECT_EQ(opteron.distance(0, 5), 2U) << "one NUMA node";
    EXPECT_EQ(opteron.distance(0, 6), 3U) << "one socket";
    EXPECT_EQ(opteron.distance(0, 12), 4U);
    EXPECT_EQ(opteron.distance(12, 0), 4U);
}

TEST(TimedMachine, MoreWorkersThanCoresShareThem) {
    timed::costs c;
    c.places = {1, 1, 60, 4};
    c.thread_percent = {100, 100, 67, 50};
    const timed::machine alone(c, 60);
    EXPECT_EQ(alone.distance(0, 1), 2U);
    EXPECT_EQ(alone.on(0, 1000), 1000);
    const timed::machine full(c, 240);
    EXPECT_EQ(full.distance(0, 3), 1U) << "one core";
    EXPECT_EQ(full.distance(3, 4), 2U);
    EXPECT_EQ(full.on(0, 1000), 2000);
    const timed::machine three(c, 180);
    EXPECT_EQ(three.on(0, 1000), 1493) << "rounded up";
    EXPECT_EQ(three.at_work(0, 1000), 1493) << "as operations, where nothing else is said";
    c.work_percent = {100, 100, 50, 25};
    timed::machine working(c, 180);
    EXPECT_EQ(working.at_work(0, 1000), 2000);
    working.slow_down(0, 50);
    EXPECT_EQ(working.at_work(0, 1000), 4000);
    EXPECT_EQ(working.on(1, 1000), 1493);
    const timed::machine uneven(c, 61);
    EXPECT_EQ(uneven.distance(0, 1), 1U);
    EXPECT_EQ(uneven.distance(1, 2), 2U);
    const timed::machine grown(c, 480);
    EXPECT_EQ(grown.distance(0, 479), 4U) << "a second socket";
}

// Where nobody's turn comes.
void empty(timed::event_queue& queue) {
    while (!queue.empty()) (void)queue.take();
}

TEST(TimedLine, OneTransferAtATime) {
    timed::costs c = free_machine();
    c.line.node = 100;
    c.line.socket = 300;
    producer p(1, 0);
    timed::setup s = setup_of({}, 6, 1, c);
    timed::pool home(s, p);
    empty(home.queue);
    timed::cache_line line;  // of worker 0
    home.touch_line(home.at(0), line, timed::spent::idle);
    EXPECT_EQ(home.at(0).now, 0) << "it is there";
    home.touch_line(home.at(1), line, timed::spent::idle);
    EXPECT_EQ(home.at(1).now, 100);
    home.touch_line(home.at(3), line, timed::spent::idle);
    EXPECT_EQ(home.at(3).now, 400) << "it waits for worker 1, then the line comes from another node";
    home.at(4).now = 1000;
    home.touch_line(home.at(4), line, timed::spent::idle);
    EXPECT_EQ(home.at(4).now, 1100);
}

TEST(TimedLine, ReadersHaveCopiesUntilSomebodyWrites) {
    timed::costs c = free_machine();
    c.line.node = c.line.socket = c.line.machine = 100;
    producer p(1, 0);
    timed::pool home(setup_of({}, 6, 1, c), p);
    empty(home.queue);
    timed::shared_line line(6);
    home.write_line(home.at(0), line, timed::spent::idle);
    home.read_line(home.at(1), line, timed::spent::idle);
    home.read_line(home.at(1), line, timed::spent::idle);
    EXPECT_EQ(home.at(1).now, 100) << "once";
    home.at(0).now = 500;
    home.write_line(home.at(0), line, timed::spent::idle);
    home.at(1).now = 1000;
    home.read_line(home.at(1), line, timed::spent::idle);
    EXPECT_EQ(home.at(1).now, 1100);
}

TEST(TimedLock, IsTheNextOnesWhenAllWhoWaitHaveHadItsLine) {
    timed::costs c = free_machine();
    c.line.node = 100;
    c.line.socket = 300;
    const timed::machine places(c, 6);  // two nodes of three
    timed::channel_lock lock;
    EXPECT_EQ(lock.take(1000, 0, 50, places), 1000) << "free";
    EXPECT_EQ(lock.take(2000, 1, 50, places), 2000) << "free again";
    EXPECT_EQ(lock.take(2010, 2, 50, places), 2050 + 100);
    EXPECT_EQ(lock.take(2020, 3, 50, places), 2200 + 100 + 300) << "from 1 to 2, and to another node";
    EXPECT_EQ(lock.take(2210, 4, 50, places), 2650 + 100) << "only 3 has it or waits by then";
    EXPECT_EQ(lock.take(2800, 0, 50, places), 2800) << "free at the very end of the last one";
}

TEST(TimedTasks, AreMadeAnewWhereOthersWere) {
    timed::task_store store;
    timed::task* const first = store.make();
    first->serial = 7;
    EXPECT_NE(store.make(), first);
    EXPECT_EQ(store.take(first).serial, 7U);
    EXPECT_EQ(store.make(), first) << "its place is free again";
    EXPECT_EQ(first->serial, 0U);
}

}  // namespace
