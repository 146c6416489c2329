// async and future: values, errors, and the life of a future.
#include "tests/parley/api/support.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace api_test;
using parley::async;
using parley::future;

TEST(Future, GivesValuesNothingAndReferences) {
    with_each_size([](parley::runtime& rt) {
        int x = 0;
        rt.run([&] {
            EXPECT_EQ(async([](int a, int b) { return a * b; }, 6, 7).get(), 42);
            async([&] { x = 1; }).get();
            EXPECT_EQ(x, 1);
            future<int&> r = async([&]() -> int& { return x; });
            static_assert(std::is_same_v<decltype(r.get()), int&>);
            EXPECT_EQ(&r.get(), &x);
            future<const std::string> s = async([]() -> const std::string { return "const"; });
            EXPECT_EQ(s.get(), "const");
        });
    });
}

TEST(Future, MovesArgumentsAndResultsThatCanNotBeCopied) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto f = async([](std::unique_ptr<int> p) { return std::make_unique<int>(*p + 1); }, std::make_unique<int>(1));
            EXPECT_EQ(*f.get(), 2);
            auto owner = [p = std::make_unique<int>(3)] { return *p; };
            EXPECT_EQ(async(std::move(owner)).get(), 3);
        });
    });
}

TEST(Future, CopiesArgumentsAndTakesReferencesByStdRef) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::string text = "a";
            auto f = async([](std::string s) { return s + "!"; }, text);
            text = "b";
            EXPECT_EQ(f.get(), "a!");
            async([](std::string& s) { s += "?"; }, std::ref(text)).get();
            EXPECT_EQ(text, "b?");
        });
    });
}

TEST(Future, CallsMembers) {
    struct point {
        int x;
        int twice() const { return 2 * x; }
    };
    parley::runtime rt{{.workers = 2}};
    rt.run([] { EXPECT_EQ(async(&point::twice, point{4}).get(), 8); });
}

TEST(Future, GetThrowsWhatTheTaskThrew) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto f = async([]() -> int { throw boom{3}; });
            f.wait();  // does not throw
            EXPECT_TRUE(f.is_ready());
            EXPECT_THROW(f.get(), boom);
            EXPECT_FALSE(f.valid());
            EXPECT_THROW(async([] { throw 7; }).get(), int);
        });
    });
}

TEST(Future, SecondGetAndEmptyFuturesAreUsageErrors) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto f = async([] { return 1; });
            EXPECT_TRUE(f.valid());
            EXPECT_EQ(f.get(), 1);
            EXPECT_FALSE(f.valid());
            EXPECT_FALSE(f.is_ready());
            EXPECT_THROW(f.get(), parley::usage_error);
            EXPECT_THROW(f.wait(), parley::usage_error);
            future<void> never;
            EXPECT_FALSE(never.valid());
            EXPECT_THROW(never.get(), parley::usage_error);
            auto moved = async([] {});
            auto to = std::move(moved);
            EXPECT_TRUE(to.valid());
            EXPECT_THROW(moved.get(), parley::usage_error);   // NOLINT: that is what is tested
            EXPECT_THROW(moved.wait(), parley::usage_error);  // NOLINT
            EXPECT_NO_THROW(to.get());
            EXPECT_THROW(to.get(), parley::usage_error);
            EXPECT_THROW(to.wait(), parley::usage_error);
            auto failed = async([] { throw boom{}; });
            EXPECT_THROW(failed.get(), boom);
            EXPECT_THROW(failed.get(), parley::usage_error) << "what was thrown was fetched";
        });
    });
}

// What a runtime has been given has been done when it is gone: its futures are ready, and none waits.
TEST(Future, OfARuntimeThatHasEndedHasItsResult) {
    for (const unsigned n : worker_counts) {
        tally alive{0};
        std::vector<future<int>> numbers;
        std::vector<future<counted>> objects;
        future<void> failed, waited, forgotten;
        {
            parley::runtime rt{{.workers = n}};
            rt.run([&] {
                for (int i = 0; i < 50; ++i) numbers.push_back(async([i] { return i; }));
                for (int i = 0; i < 50; ++i) objects.push_back(async([&alive] { return counted(alive); }));
                failed = async([] { throw boom{}; });
                waited = async([] {});
                forgotten = async([] {});
            });
        }
        for (int i = 0; i < 50; ++i) {
            EXPECT_TRUE(numbers[static_cast<std::size_t>(i)].is_ready());
            EXPECT_EQ(numbers[static_cast<std::size_t>(i)].get(), i);
        }
        EXPECT_EQ(alive, 50);
        objects.clear();
        EXPECT_EQ(alive, 0);
        EXPECT_THROW(failed.get(), boom);
        EXPECT_NO_THROW(waited.wait());
        EXPECT_NO_THROW(waited.get());
    }
}

TEST(Future, IsJoinedAndItsResultDroppedWhenForgotten) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> ran{0};
        rt.run([&] {
            for (int i = 0; i < 100; ++i) {
                const int before = ran;
                {
                    const auto f = async([&, c = counted(alive)] {
                        ++ran;
                        return c;
                    });
                }
                EXPECT_EQ(ran, before + 1) << "the destructor did not wait";
                {
                    const auto g = async([c = counted(alive)]() -> int { throw boom{}; });
                }
            }
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Future, JoinsItsTaskWhenAssignedOver) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        rt.run([&] {
            std::atomic<bool> first{false};
            auto f = async([&] {
                first = true;
                return counted(alive);
            });
            f = async([&] { return counted(alive); });
            EXPECT_TRUE(first);
            auto& same = f;
            f = std::move(same);
            EXPECT_TRUE(f.valid());
            f = {};
            EXPECT_FALSE(f.valid());
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Future, BecomesReadyWhileItsMakerPolls) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            const auto f = async([] {});
            poll_until([&] { return f.is_ready(); });
        });
    }
}

TEST(Future, ThousandsAtOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<future<std::size_t>> all;
            const std::size_t n = times(20'000);
            for (std::size_t i = 0; i < n; ++i) all.push_back(async([i] { return i; }));
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) wrong += all[i].get() != i;
            EXPECT_EQ(wrong, 0U);
        });
    });
}

// The newest first: each is run by whoever awaits it, unless it is taken meanwhile. None is counted twice.
TEST(Future, AwaitedNewestFirst) {
    with_each_size([](parley::runtime& rt) {
        const std::size_t n = times(20'000);
        const auto before = rt.counters();
        rt.run([&] {
            std::vector<future<std::size_t>> all;
            for (std::size_t i = 0; i < n; ++i) all.push_back(async([i] { return i; }));
            std::size_t wrong = 0;
            for (std::size_t i = n; i-- > 0; all.pop_back()) wrong += all.back().get() != i;
            EXPECT_EQ(wrong, 0U);
        });
        std::uint64_t tasks = 0;
        for (std::size_t i = 0; i < before.size(); ++i) tasks += rt.counters()[i].tasks - before[i].tasks;
        EXPECT_EQ(tasks, n);
    });
}

// A task that runs where it is awaited is a child: it is not the root task, and sees its own group.
TEST(Future, IsNotTheRootWhereItIsAwaited) {
    parley::runtime rt{{.workers = 1}};
    rt.run([] {
        async([] { EXPECT_THROW(parley::barrier(), parley::usage_error); }).get();
        parley::scope children;
        int ran = 0;
        children.spawn([&] {
            auto f = async([&] {
                parley::scope inner;
                inner.spawn([&] { ++ran; });
                inner.wait();
                EXPECT_EQ(ran, 1);
            });
            f.get();
            ++ran;
        });
        children.wait();
        EXPECT_EQ(ran, 2);
    });
}

TEST(Future, WorksAsRecursion) {
    struct recursive {
        static std::uint64_t fib(unsigned n) {
            if (n < 2) return n;
            auto a = async(fib, n - 1);
            const std::uint64_t b = fib(n - 2);
            return a.get() + b;
        }
    };
    with_each_size([](parley::runtime& rt) { EXPECT_EQ(rt.run([] { return recursive::fib(16); }), serial_fib(16)); });
}

TEST(Future, ThrowsWhatCopyingTheFunctionThrows) {
    struct bad_copy {
        bad_copy() = default;
        bad_copy(const bad_copy&) { throw boom{}; }
        void operator()() const {}
    };
    with_each_size([](parley::runtime& rt) {
        const bad_copy f;
        rt.run([&] { EXPECT_THROW(static_cast<void>(async(f)), boom); });
        EXPECT_EQ(rt.run([] { return fib(5); }), 5U);
    });
}

// The task throws, and so does the function that would have fetched its result.
TEST(Future, TaskMayThrowWhileItsParentThrows) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        for (std::size_t i = 0; i < times(200); ++i)
            EXPECT_THROW(rt.run([&] {
                const auto f = async([c = counted(alive)] { throw boom{1}; });
                throw 7;
            }),
                         int);
        EXPECT_EQ(alive, 0);
    });
}

TEST(Future, DestructorAndMoveDoNotThrow) {
    static_assert(std::is_nothrow_destructible_v<future<int>>);
    static_assert(std::is_nothrow_move_constructible_v<future<int>>);
    static_assert(std::is_nothrow_move_assignable_v<future<int>>);
    static_assert(!std::is_copy_constructible_v<future<int>>);
}

}  // namespace
