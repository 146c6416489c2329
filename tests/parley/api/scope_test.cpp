// scope: spawning and waiting, reuse, exceptions, and tasks of every size.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::scope;

TEST(Scope, SpawnTakesArgumentsAsAsyncDoes) {
    with_each_size([](parley::runtime& rt) {
        std::string by_reference = "a";
        std::atomic<int> sum{0};
        const auto spawn_both = [&](scope& s) {
            auto owned = std::make_unique<int>(5);
            s.spawn([&sum](std::unique_ptr<int> p, int n) { sum += *p + n; }, std::move(owned), 2);
            s.spawn([](std::string& t, const char* more) { t += more; }, std::ref(by_reference), "b");
            s.wait();
        };
        rt.run([&] {
            scope s;
            spawn_both(s);
        });
        scope outside(rt);
        spawn_both(outside);
        EXPECT_EQ(sum, 14);
        EXPECT_EQ(by_reference, "abb");
    });
}

TEST(Scope, WaitReturnsWhenAllTasksAreDone) {
    with_each_size([](parley::runtime& rt) {
        for (const int n : {0, 1, 2, 1000}) {
            std::atomic<int> done{0};
            rt.run([&] {
                scope s;
                for (int i = 0; i < n; ++i) s.spawn([&] { ++done; });
                s.wait();
                EXPECT_EQ(done, n);
            });
        }
    });
}

TEST(Scope, DestructorJoins) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        rt.run([&] {
            std::atomic<bool> begun{false}, ended{false};
            {
                scope s;
                s.spawn([&] {
                    begun = true;
                    std::this_thread::sleep_for(10ms);
                    ended = true;
                });
                poll_until([&] { return begun.load(); });
            }
            EXPECT_TRUE(ended);
        });
    }
}

TEST(Scope, CanBeUsedAgainAfterWait) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> done{0};
            scope s;
            for (int round = 1; round <= 20; ++round) {
                for (int i = 0; i < 10; ++i) s.spawn([&] { ++done; });
                s.wait();
                EXPECT_EQ(done, 10 * round);
                s.spawn([] { throw boom{}; });
                EXPECT_THROW(s.wait(), boom);
            }
        });
    });
}

void grow(scope& s, std::atomic<int>& nodes, int depth) {
    ++nodes;
    if (depth == 0) return;
    for (int i = 0; i < 2; ++i) s.spawn([&s, &nodes, depth] { grow(s, nodes, depth - 1); });
}

TEST(Scope, TasksMaySpawnIntoTheirOwnScope) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> nodes{0};
        const int depth = is_sanitized ? 9 : 13;
        rt.run([&] {
            scope s;
            grow(s, nodes, depth);
            s.wait();
        });
        EXPECT_EQ(nodes, (2 << depth) - 1);
    });
}

TEST(Scope, NestsInTasksOfOtherScopes) {
    struct nested {
        static int leaves(int depth) {
            if (depth == 0) return 1;
            std::atomic<int> sum{0};
            scope s;
            for (int i = 0; i < 3; ++i) s.spawn([&] { sum += leaves(depth - 1); });
            s.wait();
            return sum;
        }
    };
    with_each_size([](parley::runtime& rt) { EXPECT_EQ(rt.run([] { return nested::leaves(5); }), 243); });
}

// A task spawns into the scope of another worker while it waits for a scope of its own.
TEST(Scope, TaskSpawnsIntoItsOwnAndItsParentsScope) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round) {
            std::atomic<int> done{0};
            rt.run([&] {
                scope outer;
                for (int i = 0; i < 20; ++i)
                    outer.spawn([&] {
                        scope inner;
                        for (int k = 0; k < 5; ++k) {
                            inner.spawn([&] { ++done; });
                            outer.spawn([&] { ++done; });
                        }
                        inner.wait();
                    });
                outer.wait();
            });
            EXPECT_EQ(done, 200);
        }
    });
}

TEST(Scope, TakesClosuresOfAnySizeAndAlignment) {
    struct alignas(64) aligned {
        int value = 3;
    };
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> sum{0};
        rt.run([&] {
            scope s;
            std::array<int, 100> big{};
            big[99] = 1;
            for (int i = 0; i < 100; ++i) {
                s.spawn([&sum, big, c = counted(alive)] { sum += big[99]; });
                s.spawn([&sum, c = counted(alive), p = std::make_unique<int>(2)] { sum += *p; });
                s.spawn([&sum, c = counted(alive), a = aligned{}] {
                    sum += reinterpret_cast<std::uintptr_t>(&a) % 64 == 0 ? a.value : -1000;
                });
            }
            s.wait();
            EXPECT_EQ(alive, 0) << "a closure ends with its task, before wait() returns";
        });
        EXPECT_EQ(sum, 600);
    });
}

TEST(Scope, CopiesNamedClosures) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> sum{0};
        rt.run([&] {
            scope s;
            auto task = [&sum, own = 0]() mutable { sum += ++own; };
            for (int i = 0; i < 10; ++i) s.spawn(task);
            s.wait();
        });
        EXPECT_EQ(sum, 10) << "each task has a copy of its own";
    });
}

struct bad_copy {
    explicit bad_copy(tally& t) : alive(t) {}
    bad_copy(const bad_copy& other) : alive(other.alive) { throw boom{9}; }
    void operator()() const {}
    counted alive;
};
struct bad_big_copy : bad_copy {
    using bad_copy::bad_copy;
    std::array<char, 200> more{};
};

TEST(Scope, ThrowsWhatCopyingTheClosureThrows) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> done{0};
        {
            const bad_copy small(alive);
            const bad_big_copy big(alive);
            rt.run([&] {
                scope s;
                s.spawn([&] { ++done; });
                EXPECT_THROW(s.spawn(small), boom);
                EXPECT_THROW(s.spawn(big), boom);
                s.spawn([&] {  // and in a task, which another worker may run
                    EXPECT_THROW(s.spawn(small), boom);
                    EXPECT_THROW(s.spawn(big), boom);
                    ++done;
                });
                s.wait();
            });
            scope from_outside(rt);
            EXPECT_THROW(from_outside.spawn(small), boom);
            from_outside.wait();
        }
        EXPECT_EQ(done, 2);
        EXPECT_EQ(alive, 0);
    });
}

TEST(Scope, CanNotBeCopiedOrMoved) {
    static_assert(!std::is_copy_constructible_v<scope>);
    static_assert(!std::is_move_constructible_v<scope>);
}

TEST(Scope, MayLiveOnTheHeapAndEndInAnyOrder) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> done{0};
        rt.run([&] {
            std::vector<std::unique_ptr<scope>> all;
            for (int i = 0; i < 50; ++i) {
                all.push_back(std::make_unique<scope>());
                for (int k = 0; k < 10; ++k) all.back()->spawn([&] { ++done; });
            }
            for (auto& s : all) s->wait();  // the oldest first
        });
        EXPECT_EQ(done, 500);
    });
}

// Several short scopes at the same address: news of one must not be taken for news of the next.
TEST(Scope, ManyShortOnesOneAfterTheOther) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<std::size_t> done{0};
        const std::size_t n = times(5'000);
        rt.run([&] {
            for (std::size_t i = 0; i < n; ++i) {
                scope s;
                s.spawn([&] { ++done; });
                s.spawn([&] { ++done; });
                s.wait();
            }
        });
        EXPECT_EQ(done, 2 * n);
    });
}

// The spawner is no task of the scope and finds its deque full: what it spawns runs at once, and may be
// what the scope was waiting for. After that the scope may be gone.
TEST(Scope, MayEndWhileAnotherWorkerStillIsInItsSpawn) {
    parley::runtime rt{{.workers = 2, .queue_bound = 1}};
    for (std::size_t i = 0; i < times(200); ++i) {
        rt.run([&] {
            std::atomic<bool> elsewhere{false}, last{false};
            auto s = std::make_unique<scope>();
            scope other;
            other.spawn([&] {
                while (!elsewhere) std::this_thread::yield();  // on the other worker, or below
                const auto me = std::this_thread::get_id();
                std::atomic<bool> full{false};
                scope mine;
                while (!full)
                    mine.spawn([&, me, spawning = &full] {
                        if (std::this_thread::get_id() == me) *spawning = true;
                    });
                s->spawn([&] { last = true; });
            });
            s->spawn([&] {
                elsewhere = true;
                while (!last) parley::poll();
            });
            s->wait();
            s.reset();
            other.wait();
        });
    }
}

// Whoever runs another scope's last task inside the wait for a scope of its own tells that scope's owner
// before it goes on with its task, which may be long and never look at anything.
TEST(Scope, IsToldOfItsLastTaskThoughWhoRanItGoesOnWithSomethingElse) {
    using clock = std::chrono::steady_clock;
    for (std::size_t i = 0; i < times(100); ++i) {
        parley::runtime rt{{.workers = 3}};
        std::atomic<bool> elsewhere{false}, spawned{false}, third{false}, release{false}, left{false}, waited{false},
            in_time{true};
        rt.run([&] {
            scope awaited, other;
            other.spawn([&] {
                elsewhere = true;
                scope mine;
                mine.spawn([&] {
                    third = true;
                    while (!release) std::this_thread::yield();
                    left = true;
                });
                poll_until([&] { return third.load(); });
                awaited.spawn([&] {
                    release = true;
                    while (!left) std::this_thread::yield();
                    // The third worker has told of its end before this ends, most of the time.
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                });
                spawned = true;
                mine.wait();
                const auto deadline = clock::now() + std::chrono::seconds(20);
                while (!waited && in_time) {
                    in_time = clock::now() < deadline;
                    std::this_thread::yield();
                }
            });
            poll_until([&] { return elsewhere && spawned; });
            awaited.wait();
            waited = true;
            other.wait();
        });
        ASSERT_TRUE(in_time);
    }
}

// What its owner runs while it waits are tasks, not the root task.
TEST(Scope, ATaskThatItsOwnerRunsIsNotTheRootTask) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            scope s;
            s.spawn([] { parley::barrier(); });
            EXPECT_THROW(s.wait(), parley::usage_error);
            s.spawn([] {});
            s.wait();  // the failure is forgotten
        });
    });
}

// Its owner's wait is not disturbed.
TEST(Scope, AwaitedByAnotherWorkerIsAUsageError) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            scope s;
            std::atomic<bool> refused{false};
            s.spawn([&] {
                EXPECT_THROW(s.wait(), parley::usage_error);
                refused = true;
            });
            poll_until([&] { return refused.load(); });
            s.spawn([] {});
            s.wait();
        });
    }
}

// Both waits would last for ever.
TEST(Scope, AwaitedByItsOwnTaskWhileItsOwnerWaitsIsAUsageError) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            scope s;
            std::atomic<bool> begun{false}, over{false};
            s.spawn([&] { begun = true, block_until([&] { return over.load(); }); });
            poll_until([&] { return begun.load(); });
            // A thread outside, so that no worker but the waiting one takes it up; or another one, which is refused, too.
            std::thread later([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                s.spawn([&] {
                    EXPECT_THROW(s.wait(), parley::usage_error);
                    over = true;
                });
            });
            s.wait();
            later.join();
        });
    }
}

}  // namespace
