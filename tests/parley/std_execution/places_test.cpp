// Where algorithms may be called from, and what runs them.
#include "tests/parley/std_execution/cases.hpp"

#include "tests/parley/std_execution/other_backend.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <parley/parley.hpp>
#include <stdexcept>
#include <thread>

namespace std_execution_test {

namespace {

// Two elements that wait for each other: no single thread could run them one after the other.
void expect_two_threads() {
    std::atomic<int> come{0};
    const ints two(2);
    std::for_each(std::execution::par, two.begin(), two.end(), [&](int) {
        ++come;
        while (come.load() < 2) std::this_thread::yield();
    });
    EXPECT_EQ(come.load(), 2);
}

TEST(StdExecutionPlaces, RunsOnTheRuntimeOfTheCaller) {
    parley::runtime rt({.workers = 2});
    rt.run([&] {
        expect_two_threads();
        const ints many(10000, 1);
        std::for_each(std::execution::par, many.begin(), many.end(), [&](int) {
            if (parley::workers() != 2 || !parley::worker_index()) ADD_FAILURE() << "elsewhere";
        });
    });
}

TEST(StdExecutionPlaces, RunsOnTheDefaultRuntimeElsewhere) {
    setenv("PARLEY_WORKERS", "2", 1);  // it starts here; what configure() replaces is not freed
    expect_two_threads();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([i] {
            for (int round = 0; round < 20; ++round) {
                ints v(3000 + 10 * static_cast<std::size_t>(i));
                std::iota(v.rbegin(), v.rend(), 0);
                v[7] = -1;
                std::sort(std::execution::par, v.begin(), v.end());
                EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
                EXPECT_EQ(std::reduce(std::execution::par, v.begin(), v.end()), std::accumulate(v.begin(), v.end(), 0));
            }
        });
    for (std::thread& t : threads) t.join();
}

TEST(StdExecutionPlaces, NestsInItselfAndInTasks) {
    parley::runtime rt({.workers = 3});
    std::vector<ints> rows(50, ints(2000));
    rt.run([&] {
        std::for_each(std::execution::par, rows.begin(), rows.end(), [&](ints& row) {
            std::iota(row.rbegin(), row.rend(), 0);
            std::swap(row[3], row[1000]);
            std::sort(std::execution::par, row.begin(), row.end());
        });
        const auto [a, b] = parley::fork_join(
            [&] {
                return std::transform_reduce(
                    std::execution::par, rows.begin(), rows.end(), 0, std::plus<>{},
                    [](const ints& row) { return std::reduce(std::execution::par, row.begin(), row.end()); });
            },
            [&] { return std::count(std::execution::par, rows[0].begin(), rows[0].end(), 1999); });
        EXPECT_EQ(a, 50 * (1999 * 2000 / 2));
        EXPECT_EQ(b, 1);
    });
    for (const ints& row : rows) EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
}

// Who waits for an inner loop must begin no other element of the outer one: that would lock the mutex twice.
TEST(StdExecutionPlaces, ALockMayBeKeptAroundAnAlgorithm) {
    parley::runtime rt({.workers = 3});
    std::mutex m;
    std::vector<ints> rows(30, ints(50, 1));
    std::atomic<int> sum{0};
    rt.run([&] {
        std::for_each(std::execution::par, rows.begin(), rows.end(), [&](ints& row) {
            const std::lock_guard kept(m);
            std::for_each(std::execution::par, row.begin(), row.end(), [&](int x) {
                std::this_thread::yield();  // long enough for others to take a part
                sum += x;
            });
            std::stable_sort(std::execution::par, row.begin(), row.end());
        });
    });
    EXPECT_EQ(sum.load(), 30 * 50);
}

// What other files of the program compile with another backend are other functions, for all that they have the same names
// and arguments.
TEST(StdExecutionPlaces, AnotherBackendInTheSameProgramStaysAsItIs) {
    parley::runtime rt({.workers = 2});
    rt.run([&] {
        ints ours(1000, 1), theirs(1000, 1);
        std::for_each(std::execution::par, ours.begin(), ours.end(), with_name_of_both{});
        double_by_the_other_backend(theirs);
        EXPECT_EQ(ours, ints(1000, 2));
        EXPECT_EQ(theirs, ints(1000, 2));
        EXPECT_FALSE(two_meet_in_the_other_backend());
        expect_two_threads();
    });
}

TEST(StdExecutionPlacesDeathTest, AnExceptionOfAnElementsFunctionEndsTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const ints v(1000);
    EXPECT_DEATH(
        {
            try {
                std::for_each(std::execution::par, v.begin(), v.end(), [](int) { throw std::runtime_error("thrown"); });
            } catch (...) {}
        },
        "terminate.*");
}

}  // namespace

}  // namespace std_execution_test
