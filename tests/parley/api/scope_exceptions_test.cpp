// scope: exceptions of tasks, leaving by an exception, stopping.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <set>
#include <stop_token>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::scope;

TEST(ScopeExceptions, TheFirstWinsAndTheRestIsDropped) {
    parley::runtime rt{{.workers = 1}};  // one worker runs the newest first, and nothing after it
    rt.run([] {
        int ran = 0;
        scope s;
        for (int i = 0; i < 100; ++i)
            s.spawn([&ran, i] {
                ++ran;
                throw boom{i};
            });
        try {
            s.wait();
            ADD_FAILURE() << "nothing was thrown";
        } catch (const boom& b) {
            EXPECT_EQ(b.number, 99);
        }
        EXPECT_EQ(ran, 1);
    });
}

TEST(ScopeExceptions, OneOfThoseThrownArrivesAndNothingLeaks) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        for (std::size_t round = 0; round < times(50); ++round)
            EXPECT_THROW(rt.run([&] {
                scope s;
                for (int i = 0; i < 100; ++i)
                    s.spawn([i, c = counted(alive)] {
                        if (i % 2 == 0) throw boom{i};
                    });
                s.wait();
            }),
                         boom);
        EXPECT_EQ(alive, 0);
    });
}

TEST(ScopeExceptions, TasksSpawnedAfterAFailureAreDropped) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> ran{0};
            scope s;
            s.spawn([&] {
                for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
                throw boom{};
            });
            EXPECT_THROW(s.wait(), boom);
            const int before = ran;
            std::this_thread::sleep_for(1ms);
            EXPECT_EQ(ran, before) << "a task ran after wait() had returned";
        });
    });
}

TEST(ScopeExceptions, LeavingByAnExceptionDropsWhatHasNotBegun) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> ran{0};
        EXPECT_THROW(rt.run([&] {
            scope s;
            for (int i = 0; i < 1000; ++i) s.spawn([&ran, c = counted(alive)] { ++ran; });
            throw boom{};
        }),
                     boom);
        EXPECT_EQ(alive, 0);
        if (rt.workers() == 1) {
            EXPECT_EQ(ran, 0);
        }
    });
}

// Parent and children throw at once: no terminate, no leak.
TEST(ScopeExceptions, TasksMayThrowWhileTheirParentThrows) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        for (std::size_t round = 0; round < times(200); ++round)
            EXPECT_THROW(rt.run([&] {
                scope s;
                for (int i = 0; i < 5; ++i) s.spawn([c = counted(alive)] { throw boom{1}; });
                throw 7;
            }),
                         int);
        EXPECT_EQ(alive, 0);
    });
}

TEST(ScopeExceptions, CrossNestedScopes) {
    struct nested {
        static void node(int depth) {
            if (depth == 0) throw boom{};
            scope s;
            s.spawn([=] { node(depth - 1); });
            s.spawn([] {});
            s.wait();
        }
    };
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(50); ++i) EXPECT_THROW(rt.run([] { nested::node(20); }), boom);
    });
}

TEST(ScopeStop, RequestBeforeAnythingBeganDropsIt) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        rt.run([&] {
            std::atomic<int> ran{0};
            std::stop_source source;
            source.request_stop();
            scope s(source.get_token());
            for (int i = 0; i < 100; ++i) s.spawn([&ran, c = counted(alive)] { ++ran; });
            EXPECT_THROW(s.wait(), parley::cancelled);
            EXPECT_EQ(ran, 0);
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(ScopeStop, TokenStopsFromAnotherThread) {
    with_each_size([](parley::runtime& rt) {
        std::stop_source source;
        std::atomic<bool> begun{false};
        std::thread other([&] {
            while (!begun) std::this_thread::yield();
            source.request_stop();
        });
        rt.run([&] {
            scope s(source.get_token());
            // Endless: each task makes the next, until it is dropped.
            const std::function<void()> next = [&] {
                begun = true;
                s.spawn([&] { next(); });
            };
            s.spawn([&] { next(); });
            EXPECT_THROW(s.wait(), parley::cancelled);
        });
        other.join();
    });
}

TEST(ScopeStop, RequestFromATask) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            scope s;
            const std::function<void(int)> next = [&](int n) {
                if (n == 100) s.request_stop();
                s.spawn([&next, n] { next(n + 1); });
            };
            next(0);
            EXPECT_THROW(s.wait(), parley::cancelled);
        });
    });
}

TEST(ScopeStop, StaysRequested) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> ran{0};
            std::stop_source source;
            scope by_hand, by_token(source.get_token());
            by_hand.request_stop();
            source.request_stop();
            for (scope* s : {&by_hand, &by_token})
                for (int round = 0; round < 3; ++round) {
                    EXPECT_NO_THROW(s->wait());
                    s->spawn([&] { ++ran; });
                    EXPECT_THROW(s->wait(), parley::cancelled);
                }
            EXPECT_EQ(ran, 0);
        });
    });
}

TEST(ScopeStop, ThatDropsNothingThrowsNothing) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            scope s;
            s.request_stop();
            EXPECT_NO_THROW(s.wait());
            std::stop_source source;
            scope t(source.get_token());
            std::atomic<int> ran{0};
            for (int i = 0; i < 10; ++i) t.spawn([&] { ++ran; });
            EXPECT_NO_THROW(t.wait());
            source.request_stop();
            EXPECT_EQ(ran, 10);
        });
    });
}

TEST(ScopeStop, DoesNotStopOtherScopes) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> ran{0};
            scope stopped, other;
            stopped.request_stop();
            for (int i = 0; i < 50; ++i) {
                stopped.spawn([] {});
                other.spawn([&] { ++ran; });
            }
            EXPECT_NO_THROW(other.wait());
            EXPECT_THROW(stopped.wait(), parley::cancelled);
            EXPECT_EQ(ran, 50);
        });
    });
}

}  // namespace
