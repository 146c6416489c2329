// Restricted waiting.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <optional>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::isolated;

TEST(Isolated, GivesWhatTheFunctionReturnsOrThrows) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            EXPECT_EQ(isolated([] { return fib(10); }), 55U);
            int one = 1;
            EXPECT_EQ(&isolated([&]() -> int& { return one; }), &one);
            EXPECT_THROW(isolated([] { throw boom{}; }), boom);
            isolated([] { parley::scope().wait(); });
        });
    });
    EXPECT_EQ(isolated([] { return fib(10); }), 55U);
}

// What the worker does while it waits: a task of another, if it may.
bool helps_while_it_waits(bool restricted) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<bool> begun{false};
    bool helped = false;
    rt.run([&] {
        std::optional<parley::future<void>> foreign;
        const auto wait_for_another = [&] {
            forked_elsewhere([] {},
                             [&] {
                                 foreign = async([&] { begun = true; });
                                 const auto until = std::chrono::steady_clock::now() + (restricted ? 30ms : 20s);
                                 poll_until([&] { return begun || std::chrono::steady_clock::now() > until; });
                                 helped = begun;
                             });
        };
        if (restricted) isolated(wait_for_another);
        else wait_for_another();
        foreign->get();
    });
    return helped;
}

TEST(Isolated, WaitsRunNothingThatWasNotMadeInside) {
    EXPECT_TRUE(helps_while_it_waits(false));
    EXPECT_FALSE(helps_while_it_waits(true));
}

// Also for a future whose task is the newest of all: it was made outside, so another worker must run it.
TEST(Isolated, WaitsForWhatOthersHaveToRun) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        parley::worker_local<int> changing(rt);
        rt.run([&] {
            for (std::size_t i = 0; i < times(100); ++i) {
                auto outside = async([&] { return changing.local(); });
                isolated([&] {
                    changing.local() = 1;
                    EXPECT_EQ(outside.get(), 0);
                    changing.local() = 0;
                });
            }
        });
    }
}

// On each worker, at most one region is on at a time, though they wait.
TEST(Isolated, RegionsDoNotMeetOnAThread) {
    for (const unsigned n : {1U, 2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        parley::worker_local<int> inside(rt);
        std::atomic<int> ran{0};
        rt.run([&] {
            parley::scope s;
            for (std::size_t i = 0; i < times(2'000); ++i)
                s.spawn([&] {
                    isolated([&] {
                        int& here = inside.local();
                        EXPECT_EQ(here++, 0);
                        parley::scope children;
                        for (int k = 0; k < 4; ++k)
                            children.spawn([&] {
                                fib(6);
                                ++ran;
                            });
                        children.wait();
                        EXPECT_EQ(&here, &inside.local());
                        EXPECT_EQ(here--, 1);
                    });
                });
            s.wait();
        });
        EXPECT_EQ(ran, 4 * static_cast<int>(times(2'000)));
    }
}

// Tasks that were made before it are run by others meanwhile, or by the outer wait afterwards.
TEST(Isolated, InsideEachOtherAndBetweenOtherTasks) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(200); ++i) {
            std::atomic<int> ran{0};
            rt.run([&] {
                const auto add = [&] { ++ran; };
                parley::scope outer;
                for (int k = 0; k < 10; ++k) outer.spawn(add);
                isolated([&] {
                    parley::scope middle;
                    for (int k = 0; k < 10; ++k) middle.spawn(add);
                    auto left = isolated([&] {
                        parley::scope inner;
                        for (int k = 0; k < 10; ++k) inner.spawn(add);
                        inner.wait();
                        return async(add);
                    });
                    middle.wait();
                });
                outer.wait();
            });
            EXPECT_EQ(ran, 31);
        }
    });
}

TEST(Isolated, DeeplyNestedScopes) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<int> deepest{0};
    const std::function<void(int)> nest = [&](int depth) {
        if (depth == 0) return;
        ++deepest;
        parley::scope s;
        s.spawn([&] { nest(depth - 1); });
        s.wait();
    };
    rt.run([&] { isolated([&] { nest(600); }); });
    EXPECT_EQ(deepest, 600);
}

}  // namespace
