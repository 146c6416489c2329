// Isolation goes with the tasks: what was made inside is isolated on every worker that runs it.
#include "tests/parley/api/support.hpp"

#include <optional>

namespace {

using namespace api_test;
using parley::async;
using parley::isolated;
using parley::priority;

template <class Body>
void with_two_workers(Body body) {
    parley::runtime rt{{.workers = 2}};
    rt.run([&] { body(); });
}

TEST(IsolatedStolen, PartsOfLoops) {
    with_two_workers([] {
        const auto here = std::this_thread::get_id();
        std::atomic<int> elsewhere{0}, isolated_there{0};
        isolated([&] {
            parley::for_each_index(0, 100, [&](int) {
                if (std::this_thread::get_id() == here) return poll_until([&] { return elsewhere > 0; });
                isolated_there += is_isolated() ? 1 : 0;
                ++elsewhere;
            });
        });
        EXPECT_EQ(isolated_there, elsewhere.load());
    });
}

TEST(IsolatedStolen, BranchesOfForks) {
    with_two_workers([] {
        isolated([] { EXPECT_TRUE(std::get<1>(forked_elsewhere([] {}, is_isolated))); });
        EXPECT_FALSE(std::get<1>(forked_elsewhere([] {}, is_isolated)));
    });
}

TEST(IsolatedStolen, TasksOfScopesAndFuturesOfBothPriorities) {
    with_two_workers([] {
        for (const priority p : {priority::normal, priority::high}) {
            std::atomic<int> ran{0}, inside{0};
            const auto note = [&] {
                inside += is_isolated() ? 1 : 0;
                ++ran;
            };
            isolated([&] {
                parley::scope s;
                s.spawn(p, note);
                poll_until([&] { return ran == 1; });
                auto f = async(p, note);
                poll_until([&] { return ran == 2; });
                f.get();
                s.wait();
            });
            EXPECT_EQ(inside, 2);
        }
    });
}

// The maker only polls: all that is in its deque is stolen. What was made before the region is not isolated.
TEST(IsolatedStolen, MessagesOfHalfOfTheTasks) {
    parley::runtime rt{{.workers = 2}, {.steal = parley::threading::stealing::half}};
    for (const int outside : {1, 2, 7}) {
        std::atomic<int> ran{0}, wrong{0};
        rt.run([&] {
            parley::scope before;
            for (int i = 0; i < outside; ++i)
                before.spawn([&] {
                    wrong += is_isolated() ? 1 : 0;
                    ++ran;
                });
            isolated([&] {
                parley::scope inside;
                for (int i = 0; i < 20; ++i)
                    inside.spawn([&] {
                        wrong += is_isolated() ? 0 : 1;
                        ++ran;
                    });
                poll_until([&] { return ran == outside + 20; });
                inside.wait();
            });
            before.wait();
        });
        EXPECT_EQ(wrong, 0);
    }
}

// Each waits for the one before, which came with the same message and has not begun.
TEST(IsolatedStolen, TasksOfOneMessageMayWaitForEachOther) {
    parley::runtime rt{{.workers = 2}, {.steal = parley::threading::stealing::half}};
    rt.run([] {
        isolated([] {
            std::vector<parley::future<int>> chain;
            chain.reserve(40);
            chain.push_back(async([] { return 0; }));
            for (int i = 1; i < 40; ++i) chain.push_back(async([&before = chain.back()] { return before.get() + 1; }));
            poll_until([&] { return chain.back().is_ready(); });
            EXPECT_EQ(chain.back().get(), 39);
        });
    });
}

// What an outer region has made is stolen while an inner one runs.
TEST(IsolatedStolen, RegionsInsideEachOther) {
    parley::runtime rt{{.workers = 3}};
    for (std::size_t i = 0; i < times(50); ++i)
        rt.run([] {
            isolated([] {
                std::atomic<bool> begun{false};
                auto outer = async([&] {
                    begun = true;
                    return is_isolated();
                });
                isolated([&] {
                    const auto inner = [&] {
                        poll_until([&] { return begun.load(); });
                        return is_isolated();
                    };
                    EXPECT_TRUE(std::get<1>(forked_elsewhere([] {}, inner)));
                });
                EXPECT_TRUE(is_isolated());
                EXPECT_TRUE(outer.get());
            });
            EXPECT_FALSE(is_isolated());
        });
}

TEST(IsolatedStolen, BlockingRegionsInside) {
    parley::runtime rt{{.workers = 3}};
    for (std::size_t i = 0; i < times(50); ++i)
        rt.run([] {
            isolated([] {
                forked_elsewhere([] {},
                                 [] {
                                     auto child = async(is_isolated);
                                     { const parley::blocking_region here; }
                                     EXPECT_TRUE(child.get());
                                     EXPECT_TRUE(is_isolated());
                                 });
            });
        });
}

// More than a block of the deque holds.
TEST(IsolatedStolen, WhatIsLeftOverStaysIsolated) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> inside{0};
            const auto note = [&] { inside += is_isolated() ? 1 : 0; };
            parley::scope s;
            s.spawn([] { EXPECT_FALSE(is_isolated()); });
            auto f = isolated([&] {
                for (int i = 0; i < 3'000; ++i) s.spawn(i % 2 == 0 ? priority::normal : priority::high, note);
                for (int i = 0; i < 3'000; ++i) s.spawn(note);
                return async(is_isolated);
            });
            EXPECT_TRUE(f.get());
            s.wait();
            EXPECT_EQ(inside, 6'000);
        });
    });
}

TEST(IsolatedStolen, WhatIsLeftOverByAnException) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::optional<parley::future<bool>> left;
            EXPECT_THROW(isolated([&] {
                             parley::fork_join(
                                 [&] {
                                     left = async(is_isolated);
                                     throw boom{};
                                 },
                                 [] {});
                         }),
                         boom);
            EXPECT_TRUE(left->get());
        });
    });
}

TEST(IsolatedStolen, WhatIsHandedOnByABlockingRegion) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        auto left = isolated([] { return async(is_isolated); });
        {
            const parley::blocking_region here;
            block_until([&] { return left.is_ready(); });
        }
        EXPECT_TRUE(left.get());
    });
}

#ifndef PARLEY_MACHINE  // the papers' workers cannot go
TEST(IsolatedStolen, WhatIsHandedOnByAWorkerThatGoes) {
    parley::runtime rt{{.workers = 2}};
    rt.run([&] {
        forked_elsewhere([] {},
                         [&] {
                             auto left = isolated([] { return async(is_isolated); });
                             rt.resize(1);
                             poll_until([&] { return left.is_ready(); });
                             EXPECT_TRUE(left.get());
                         });
    });
}
#endif

}  // namespace
