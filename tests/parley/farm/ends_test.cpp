// The push end, and streams whose items come from outside and go there.
#include "tests/parley/farm/support.hpp"

#include <chrono>
#include <ctime>

namespace {

using namespace farm_test;
using namespace parley;
using namespace std::chrono_literals;

TEST(PushEnd, WhatOneThreadPushesComesInOrder) {
    with_each_size([](runtime& rt) {
        push_end<int> in(rt, 8);
        const int n = static_cast<int>(times(10'000));
        std::thread feeder([&] {
            for (int i = 0; i < n; ++i) EXPECT_TRUE(in.push(i));
            in.close();
        });
        std::vector<int> out;
        (source(in) | farm([](int i) { return i; }) | sink(std::back_inserter(out))).run(rt);
        feeder.join();
        EXPECT_EQ(out, up_to(n));
    });
}

TEST(PushEnd, LosesNothingOfManyThreads) {
    with_each_size([](runtime& rt) {
        const int each = static_cast<int>(times(3'000));
        std::vector<int> out;
        auto in = std::make_optional<push_end<int>>(rt, 4);
        std::vector<std::thread> feeders;
        for (int t = 0; t < 4; ++t)
            feeders.emplace_back([&, t, mine = *in]() mutable {
                for (int i = 0; i < each; ++i) mine.push(t * each + i);
            });
        auto p = source(*in) | farm([](int i) { return i; }, {.order = unordered}) | sink(std::back_inserter(out));
        in.reset();  // the stream ends with the last copy
        p.run(rt);
        for (auto& t : feeders) t.join();
        std::ranges::sort(out);
        EXPECT_EQ(out, up_to(4 * each));
    });
}

TEST(PushEnd, WaitsWhenItIsFull) {
    runtime rt{{.workers = 2}};
    push_end<int> in(rt, 3);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(in.push(i));
    EXPECT_FALSE(in.try_push(3));
    std::atomic<int> pushed{3};
    std::thread feeder([&] {
        for (int i = 3; i < 100; ++i, ++pushed) in.push(i);
        in.close();
    });
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(pushed, 3);
    std::vector<int> out;
    (source(in) | sink(std::back_inserter(out))).run(rt);
    feeder.join();
    EXPECT_EQ(out, up_to(100));
}

TEST(PushEnd, BackpressureReachesWhoPushes) {
    runtime rt{{.workers = 2}};
    push_end<int> in(rt, 5);
    gauge g;
    std::thread feeder([&] {
        for (int i = 0; i < 2'000; ++i) {
            g.up();
            in.push(i);
        }
        in.close();
    });
    (source(in) | farm([](int i) { return i; }) | sink([&](int) { g.down(); })).run(rt, {.tokens = 10});
    feeder.join();
    EXPECT_LE(g.most(), 16) << "the room, the tokens, and the one that waits to be pushed";
}

TEST(PushEnd, TasksMayPush) {
    with_each_size([](runtime& rt) {
        rt.run([&] {
            push_end<int> in(2);
            auto feeding = async([&] {
                for (int i = 0; i < 500; ++i) in.push(i);
                in.close();
            });
            std::vector<int> out;
            (source(in) | farm([](int i) { return i; }) | sink(std::back_inserter(out))).run();
            feeding.get();
            EXPECT_EQ(out, up_to(500));
        });
    });
}

TEST(PushEnd, RefusesItemsWhenThePipelineHasFailed) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        push_end<std::unique_ptr<counted>> in(rt, 4);
        std::atomic<bool> refused{false};
        std::thread feeder([&] {
            while (in.push(std::make_unique<counted>(alive))) {}
            refused = true;
        });
        int items = 0;
        EXPECT_THROW((source(in) | sink([&](const std::unique_ptr<counted>&) {
                          if (++items == 100) throw boom{};
                      })).run(rt),
                     boom);
        feeder.join();
        EXPECT_TRUE(refused);
        EXPECT_EQ(alive, 0);
    });
}

TEST(PushEnd, AStopTokenEndsAStreamThatNobodyPushesInto) {
    with_each_size([](runtime& rt) {
        push_end<int> in(rt, 4);
        std::stop_source stop;
        std::atomic<int> items{0};
        std::thread impatient([&] {
            in.push(1);
            block_until([&] { return items == 1; });
            stop.request_stop();
        });
        const run_report r = (source(in) | sink([&](int) { ++items; })).run(rt, {.stop = stop.get_token()});
        impatient.join();
        EXPECT_TRUE(r.stopped);
        EXPECT_FALSE(in.push(2));
    });
}

TEST(PushEnd, RefusesItemsWhenThePipelineCouldNotRun) {
    runtime rt{{.workers = 2}};
    push_end<int> in(rt, 1);
    EXPECT_THROW((source(in) | sink([](int) {})).run(rt, {.tokens = 0}), usage_error);
    in.push(1);
    EXPECT_FALSE(in.push(2));
    EXPECT_THROW(push_end<int>(rt, 0), usage_error);
}

// One item is in, so who pushes the next one waits until it is told.
template <class Run>
void expect_refusal_after(runtime& rt, Run run) {
    push_end<int> in(rt, 1);
    EXPECT_TRUE(in.push(1));
    std::thread feeder([&] { EXPECT_FALSE(in.push(2)); });
    run(in);
    feeder.join();
    EXPECT_FALSE(in.push(3));
}

TEST(PushEnd, RefusesItemsWhenAPartCouldNotBegin) {
    with_each_size([](runtime& rt) {
        expect_refusal_after(rt, [&](push_end<int>& in) {
            const auto pass = [](int i) { return i; };
            EXPECT_THROW((source(in) | farm(lanes{pass, pass}, adaptive_round_robin{.chunk = 8}) | sink([](int) {})).run(rt),
                         usage_error);
        });
    });
}

TEST(PushEnd, RefusesItemsWhenARunWasStoppedBeforeItBegan) {
    with_each_size([](runtime& rt) {
        expect_refusal_after(rt, [&](push_end<int>& in) {
            std::stop_source stop;
            stop.request_stop();
            EXPECT_TRUE((source(in) | sink([](int) {})).run(rt, {.stop = stop.get_token()}).stopped);
        });
    });
}

TEST(PushEnd, RefusesItemsWhenARunWasCancelledBeforeItBegan) {
    runtime rt{{.workers = 2}};
    expect_refusal_after(rt, [&](push_end<int>& in) {
        std::atomic<bool> begun{false}, may_end{false};
        std::thread other([&] {
            rt.run([&] {
                begun = true;
                block_until([&] { return may_end.load(); });
            });
        });
        block_until([&] { return begun.load(); });
        rt.cancel();  // also what begins before the other run has ended
        EXPECT_THROW((source(in) | sink([](int) {})).run(rt), cancelled);
        may_end = true;
        other.join();
    });
}

TEST(PushEnd, StaysWithTheRunThatHasIt) {
    with_each_size([](runtime& rt) {
        rt.run([] {
            push_end<int> in(4);
            std::vector<int> out;
            bool refused = false, bounded = false;
            in.push(0);
            (source(in) | sink([&, first = true](int i) mutable {
                 out.push_back(i);
                 if (!std::exchange(first, false)) return;
                 try {
                     (source(in) | sink([](int) {})).run();
                 } catch (const usage_error&) {
                     refused = true;
                 }
                 try {
                     (source(in) | sink([](int) {})).run({.tokens = 0});
                 } catch (const usage_error&) {
                     bounded = true;
                 }
                 EXPECT_TRUE(in.push(1));
                 in.close();
             })).run();
            EXPECT_TRUE(refused);
            EXPECT_TRUE(bounded);
            EXPECT_EQ(out, up_to(2));
        });
    });
}

TEST(PushEnd, ATaskThatWaitsInPushIsCancelled) {
    runtime rt{{.workers = 1}};
    EXPECT_THROW(rt.run([&] {
        push_end<int> in(1);
        auto running = async([&] { (source(in) | sink([](int) {})).run(); });
        in.push(1);
        rt.cancel();  // before the task that would run it has begun
        in.push(2);
    }),
                 cancelled);
}

std::chrono::nanoseconds processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

TEST(OpenPipeline, CostsNothingWhileNothingComes) {
    for (const unsigned w : {1U, 2U, 8U}) {
        runtime rt{{.workers = w}};
        push_end<int> in(rt, 4);
        std::chrono::nanoseconds used{};
        std::atomic<int> items{0};
        std::thread feeder([&] {
            in.push(1);
            block_until([&] { return items == 1; });
            std::this_thread::sleep_for(50ms);  // to fall asleep
            const auto before = processor_time();
            std::this_thread::sleep_for(300ms);
            used = processor_time() - before;
            in.close();
        });
        const auto pass = [](int i) { return i; };
        (source(in) | farm(pass) | farm(lanes{pass, own_thread(pass)}) | sink([&](int) { ++items; })).run(rt);
        feeder.join();
        EXPECT_LT(used, 30ms);
    }
}

// Nobody pushes and nobody pulls: only the cancellation itself can end it.
TEST(OpenPipeline, IsCancelledWhileItWaits) {
    with_each_size([](runtime& rt) {
        std::atomic<int> items{0};
        push_end<int> in(rt, 4);
        std::thread impatient([&] {
            in.push(1);
            block_until([&] { return items == 1; });
            std::this_thread::sleep_for(20ms);  // to fall asleep
            rt.cancel();
        });
        EXPECT_THROW((source(in) | sink([&](int) { ++items; })).run(rt), cancelled);
        impatient.join();
        EXPECT_FALSE(in.push(2));
    });
    with_each_size([](runtime& rt) {
        std::atomic<int> made{0};
        pull_end<int> out(rt);
        std::thread impatient([&] {
            block_until([&] { return made == 4; });
            std::this_thread::sleep_for(20ms);
            rt.cancel();
        });
        EXPECT_THROW((source([&] { return std::optional(++made); }) | sink(out)).run(rt, {.tokens = 4}), cancelled);
        impatient.join();
        EXPECT_FALSE(out.pull());
    });
}

TEST(OpenPipeline, IsFedAndReadByThreadsOutsideWithOptionsSerial) {
    runtime rt{{.serial = true}};
    push_end<int> in(rt, 4);
    pull_end<int> out(rt);
    std::thread feeder([&] {
        for (int i = 0; i < 500; ++i) EXPECT_TRUE(in.push(i));
        in.close();
    });
    std::vector<int> got;
    std::thread reader([&] {
        while (const auto i = out.pull()) got.push_back(*i);
    });
    (source(in) | farm([](int i) { return i; }) | sink(out)).run(rt, {.tokens = 4});
    feeder.join();
    reader.join();
    EXPECT_EQ(got, up_to(500));
}

}  // namespace
