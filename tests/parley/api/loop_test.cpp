// for_each_index: which indices, in which types, and what exceptions do.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using namespace api_test;
using parley::for_each_index;

// How far `i` lies above `first`, also where their own type could not tell.
template <class Index>
std::size_t offset(Index i, Index first) {
    return static_cast<std::size_t>(i) - static_cast<std::size_t>(first);
}

// Calls for_each_index and returns how many indices were not called exactly once; calls outside the
// range count as well.
template <class Index>
std::size_t wrong_calls(Index first, Index last) {
    const std::size_t length = first < last ? offset(last, first) : 0;
    std::vector<std::atomic<unsigned char>> calls(length + 1);
    for_each_index(first, last, [&](Index i) { ++calls[std::min(offset(i, first), length)]; });
    std::size_t wrong = calls[length];
    for (std::size_t i = 0; i < length; ++i) wrong += calls[i] != 1;
    return wrong;
}

TEST(Loop, CallsEachIndexOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 2'047, 2'048, 2'049})
                EXPECT_EQ(wrong_calls(0, n), 0U) << n;
            EXPECT_EQ(wrong_calls(0, is_sanitized ? 100'000 : 1'000'000), 0U);
        });
    });
}

TEST(Loop, CallsNothingForEmptyAndReversedRanges) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for_each_index(5, 5, [](int) { ADD_FAILURE(); });
            for_each_index(5, 4, [](int) { ADD_FAILURE(); });
            for_each_index(10U, 0U, [](unsigned) { ADD_FAILURE(); });
            constexpr auto most = std::numeric_limits<std::int64_t>::max();
            for_each_index(most, std::numeric_limits<std::int64_t>::min(), [](std::int64_t) { ADD_FAILURE(); });
        });
    });
}

template <class Index>
void check_the_ends_of() {
    using limits = std::numeric_limits<Index>;
    const auto few = static_cast<Index>(100);
    EXPECT_EQ(wrong_calls(limits::min(), static_cast<Index>(limits::min() + few)), 0U);
    EXPECT_EQ(wrong_calls(static_cast<Index>(limits::max() - few), limits::max()), 0U);
    EXPECT_EQ(wrong_calls(static_cast<Index>(0), static_cast<Index>(100)), 0U);
    if constexpr (std::is_signed_v<Index>) {
        EXPECT_EQ(wrong_calls(static_cast<Index>(-100), static_cast<Index>(50)), 0U);
    }
}

TEST(Loop, WorksWithEveryIntegerTypeUpToItsEnds) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            check_the_ends_of<signed char>();
            check_the_ends_of<unsigned char>();
            check_the_ends_of<char>();
            check_the_ends_of<short>();
            check_the_ends_of<unsigned short>();
            check_the_ends_of<int>();
            check_the_ends_of<unsigned>();
            check_the_ends_of<std::int64_t>();
            check_the_ends_of<std::uint64_t>();
            EXPECT_EQ(wrong_calls<signed char>(-128, 127), 0U) << "longer than half of its range";
            EXPECT_EQ(wrong_calls<short>(-32'768, 32'767), 0U);
        });
    });
}

// Longer than any loop could run: it must begin, split and stop.
TEST(Loop, RangeOfAllNumbersCanBeLeft) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<std::uint64_t> calls{0};
        EXPECT_THROW(rt.run([&] {
            for_each_index(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                           [&](std::int64_t) {
                               if (++calls == 10'000) throw boom{};
                               if (calls > 10'000) throw boom{};
                           });
        }),
                     boom);
        EXPECT_LT(calls, 20'000U);
    });
}

TEST(Loop, ExceptionArrivesAndNoIndexIsCalledTwice) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round) {
            std::vector<std::atomic<int>> calls(5'000);
            EXPECT_THROW(rt.run([&] {
                for_each_index(std::size_t{0}, calls.size(), [&](std::size_t i) {
                    ++calls[i];
                    if (i % 1'000 == 999) throw boom{};
                });
            }),
                         boom);
            for (const auto& c : calls) ASSERT_LE(c, 1);
        }
    });
}

TEST(Loop, Nests) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> calls{0};
        rt.run([&] {
            for_each_index(0, 30,
                           [&](int) { for_each_index(0, 20, [&](int) { for_each_index(0, 5, [&](int) { ++calls; }); }); });
        });
        EXPECT_EQ(calls, 3'000);
    });
}

TEST(Loop, BodyMayKeepStateAndBeAFunction) {
    parley::runtime rt{{.workers = 1}};
    int calls = 0;
    auto body = [n = 0, &calls](int) mutable { calls = ++n; };
    rt.run([&] { for_each_index(0, 100, body); });
    EXPECT_EQ(calls, 100) << "the body itself is called, not copies of it";
    static std::atomic<int> sum;
    sum = 0;  // the test may be repeated
    struct plain {
        static void add(int i) { sum += i; }
    };
    rt.run([&] { for_each_index(0, 10, plain::add); });
    EXPECT_EQ(sum, 45);
}

TEST(Loop, OutsideAnyRuntimeUsesTheDefaultOne) {
    EXPECT_EQ(wrong_calls(0, 10'000), 0U);
    EXPECT_THROW(for_each_index(0, 10'000,
                                [](int i) {
                                    if (i == 5'000) throw boom{};
                                }),
                 boom);
    in_threads(4, [](unsigned) { EXPECT_EQ(wrong_calls(0, 10'000), 0U); });
}

TEST(Loop, UnevenBodiesReachOtherWorkers) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<bool> other{false};
        rt.run([&] {
            const auto here = std::this_thread::get_id();
            // The first index waits until some other worker has had one.
            for_each_index(0, 1'000, [&](int i) {
                if (std::this_thread::get_id() != here) other = true;
                else if (i == 0) poll_until([&] { return other.load(); });
            });
        });
        EXPECT_TRUE(other);
    }
}

// All of two and three dimensions, whose parts may begin and end anywhere.
TEST(Loop, CallsEachPlaceOfTwoAndThreeDimensionsOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const auto& [n, m] : {std::pair{1, 1}, {1, 500}, {500, 1}, {37, 41}, {0, 5}, {5, 0}, {-1, 5}}) {
                const auto size = static_cast<std::size_t>(std::max(n, 0)) * static_cast<std::size_t>(m);
                std::vector<std::atomic<int>> calls(size);
                for_each_index({n, m}, [&, columns = m](int i, int j) {
                    ASSERT_LT(j, columns);
                    ++calls[static_cast<std::size_t>(i * columns + j)];
                });
                for (const auto& c : calls) ASSERT_EQ(c, 1);
            }
            constexpr std::size_t a = 11, b = 7, c = 13;
            std::vector<std::atomic<int>> calls(a * b * c);
            for_each_index({a, b, c}, [&](std::size_t i, std::size_t j, std::size_t k) {
                ASSERT_LT(j, b);
                ASSERT_LT(k, c);
                ++calls[(i * b + j) * c + k];
            });
            for (const auto& one : calls) ASSERT_EQ(one, 1);
            EXPECT_THROW(
                for_each_index({std::uint64_t{1} << 32, std::uint64_t{1} << 32}, [](std::uint64_t, std::uint64_t) {}),
                parley::usage_error);
        });
    });
}

std::uint64_t splits_of(const parley::runtime& rt) {
    std::uint64_t sum = 0;
    for (const auto& c : rt.counters()) sum += c.splits;
    return sum;
}

TEST(Loop, IsNotDividedUnlessSomebodyAsks) {
    parley::runtime one{{.workers = 1}};
    one.run([] { for_each_index(0, 1'000'000, [](int) {}); });
    EXPECT_EQ(splits_of(one), 0U);
}

// A lone worker asks once or a few times; each time it gets a large part.
TEST(Loop, IsDividedIntoFewParts) {
    parley::runtime two{{.workers = 2}};
    std::atomic<int> calls{0};
    two.run([&] {
        for_each_index(0, 20'000, [&](int) {
            ++calls;
            fib(5);
        });
    });
    EXPECT_EQ(calls, 20'000);
    EXPECT_LE(splits_of(two), 2'000U);
}

TEST(Loop, EveryStrategyOfSplittingCallsEachIndexOnce) {
    for (const auto split :
         {parley::threading::splitting::half, parley::threading::splitting::guided, parley::threading::splitting::adaptive})
        for (const unsigned n : {2U, 3U, 8U}) {
            parley::runtime rt{{.workers = n}, {.split = split}};
            rt.run([] {
                for (const int count : {1, 2, 3, 100, 30'000}) EXPECT_EQ(wrong_calls(0, count), 0U);
            });
        }
}

// Three workers, of which each stays in its first iteration until all are in one. Where the parts begin.
template <class Loop>
std::set<int> beginnings_of_parts(parley::threading::splitting split, const Loop& loop) {
    parley::runtime three{{.workers = 3, .watchdog = parley::watchdogs::off}, {.split = split}};
    std::mutex lock;
    std::set<int> first;
    std::set<std::thread::id> in;
    std::atomic<std::size_t> number{0};
    three.run([&] {
        loop([&](int i) {
            if (number == 3) return;
            {
                const std::lock_guard here(lock);
                if (!in.insert(std::this_thread::get_id()).second) return;
                first.insert(i);
            }
            ++number;
            poll_until([&] { return number == 3; });
        });
    });
    return first;
}

// Of the 2999 iterations that have not begun the first thief gets two chunks of three; then whoever is asked divides what
// it has, worker 0 its chunk or the thief its two.
TEST(Loop, GuidedSplittingMakesAChunkForEachWorker) {
    const std::set<int> by_worker_0{0, 500, 1'000};
    const std::set<int> by_the_thief{0, 1'000, 2'000};
    const auto expect_chunks = [&](const auto& loop) {
        for (std::size_t round = 0; round < times(20); ++round) {
            const std::set<int> first = beginnings_of_parts(parley::threading::splitting::guided, loop);
            EXPECT_TRUE(first == by_worker_0 || first == by_the_thief) << testing::PrintToString(first);
        }
    };
    expect_chunks([](const auto& body) { for_each_index(0, 3'000, body); });
    expect_chunks([](const auto& body) {
        (void)parley::reduce_index(0, 3'000, 0, std::plus<>{}, [&](int i) {
            body(i);
            return 1;
        });
    });
}

// The iterations that are left are given away while the body waits, and by its worker itself.
TEST(Loop, GoesOnWhileABodyWaits) {
    with_each_size([](parley::runtime& rt) {
        constexpr int count = 200;
        std::atomic<int> begun{0};
        rt.run([&] {
            for_each_index(0, count, [&](int i) {
                ++begun;
                auto f = parley::async([i] { return fib(static_cast<unsigned>(i % 10)); });
                parley::fork_join([] { fib(8); }, [] { fib(9); });
                f.wait();
            });
        });
        EXPECT_EQ(begun, count);
    });
}

TEST(Loop, InsideTasksThatAreInsideLoops) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round) {
            std::atomic<int> calls{0};
            rt.run([&] {
                for_each_index(0, 20, [&](int) {
                    parley::scope s;
                    for (int k = 0; k < 3; ++k) s.spawn([&] { for_each_index(0, 50, [&](int) { ++calls; }); });
                    s.wait();
                });
            });
            EXPECT_EQ(calls, 3'000);
        }
    });
}

TEST(Loop, TheFirstExceptionStopsTheOthersSoon) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<std::int64_t> calls{0};
        EXPECT_THROW(rt.run([&] {
            for_each_index(std::int64_t{0}, std::int64_t{1} << 40, [&](std::int64_t i) {
                ++calls;
                if (i == 1'000) throw boom{};
            });
        }),
                     boom);
        EXPECT_LT(calls, 1'000'000'000);
    });
}

TEST(Loop, CanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<bool> begun{false};
        std::thread other([&] {
            while (!begun) std::this_thread::yield();
            rt.cancel();
        });
        EXPECT_THROW(
            rt.run([&] { for_each_index(std::int64_t{0}, std::int64_t{1} << 50, [&](std::int64_t) { begun = true; }); }),
            parley::cancelled);
        other.join();
        EXPECT_EQ(rt.run([] { return wrong_calls(0, 1'000); }), 0U);
    });
}

TEST(Loop, OfOneIndexIsACall) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        std::thread::id where;
        int index = 0;
        for_each_index(7, 8, [&](int i) {
            where = std::this_thread::get_id();
            index = i;
        });
        EXPECT_EQ(where, std::this_thread::get_id());
        EXPECT_EQ(index, 7);
        EXPECT_THROW(for_each_index(0, 1, [](int) { throw std::range_error("one"); }), std::range_error);
    });
}

// Loops of one index that follow each other look up, as other loops do.
TEST(Loop, OfOneIndexLetsOthersHaveWhatIsQueued) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        std::atomic<bool> done = false;
        parley::scope s;
        s.spawn([&done] { done = true; });
        while (!done) for_each_index(0, 1, [](int) {});
        s.wait();
    });
}

TEST(Loop, OfOneIndexLetsOthersHaveTheRestOfALoopAroundIt) {
    for (const auto watchdog : {parley::watchdogs::off, parley::watchdogs::on}) {
        parley::runtime rt{{.workers = 2, .watchdog = watchdog}};
        rt.run([] {
            std::atomic<bool> last = false;
            for_each_index(0, 2, [&last](int i) {
                if (i == 1) last = true;
                while (!last) for_each_index(0, 1, [](int) {});
            });
        });
    }
}

TEST(Loop, OfOneIndexCanBeCancelled) {
    parley::runtime rt{{.workers = 2}};
    EXPECT_THROW(rt.run([&rt] {
        rt.cancel();
        for_each_index(0, 1, [](int) {});
    }),
                 parley::cancelled);
    EXPECT_THROW(rt.run([&rt] { for_each_index(0, 1, [&rt](int) { rt.cancel(); }); }), parley::cancelled);
}

}  // namespace
