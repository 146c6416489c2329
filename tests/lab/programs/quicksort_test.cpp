#include "lab/programs/quicksort.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/awkward_elements.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::awkward;
using parley_tests::elements;
using parley_tests::sorted;
using parley_tests::watched;

template <class S>
void expect_sorted(elements all, unsigned workers) {
    const elements expected = sorted(all);
    typename S::pool pool(parley_peers::setup{workers, {}});
    pool.run([&] {
        quicksort_in_parallel<S>(all);
        return true;
    });
    EXPECT_EQ(all, expected) << all.size() << " on " << workers;
}

TEST(Quicksort, Sorts) {
    for (const std::size_t n : {0U, 1U, 2U, 99U, 100U, 101U, 202U, 10'007U}) {
        for (const elements& all : awkward(n)) {
            expect_sorted<serial>(all, 1);
            for (const unsigned workers : {1U, 2U, 3U}) {
                expect_sorted<parley_peers::parley>(all, workers);
            }
        }
    }
}

TEST(Quicksort, PivotGoesToItsPlace) {
    for (const std::size_t n : {3U, 4U, 5U, 6U, 100U, 101U}) {
        for (elements all : awkward(n)) {
            const elements before = sorted(all);
            const auto place = partition_around_median(all.data(), all.data() + n) - all.data();
            const auto pivot = all.begin() + place;
            EXPECT_EQ(*pivot, before[static_cast<std::size_t>(place)]) << n;
            EXPECT_TRUE(std::all_of(all.begin(), pivot, [&](auto e) { return e <= *pivot; }));
            EXPECT_TRUE(std::all_of(pivot, all.end(), [&](auto e) { return e >= *pivot; }));
            EXPECT_EQ(sorted(all), before);
        }
    }
}

TEST(Quicksort, FewerThanAHundredElementsAreNotDivided) {
    elements all = parley_tests::random_elements(99, 1U << 31);
    watched::begin();
    quicksort_in_parallel<watched>(all);
    EXPECT_EQ(watched::forks, 0U);
    all = parley_tests::random_elements(100, 1U << 31);
    quicksort_in_parallel<watched>(all);
    EXPECT_EQ(watched::forks, 1U);
}

// With the median of three as pivot, n distinct elements in random order are partitioned 12/7 (n + 1) / (m + 2) - 1
// times on average, if m and fewer are not (Sedgewick, The analysis of quicksort programs, 1977).
TEST(Quicksort, TasksAreThoseOfTheThesis) {
    const auto partitions = [](double n) { return 12.0 / 7.0 * (n + 1.0) / (double{quicksort_from} + 1.0) - 1.0; };
    EXPECT_NEAR(partitions(1e8), 1'697'314.0, 10.0) << "table 2.1";
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        quicksort<watched> sort(1'000'000, seed);
        sort.prepare();
        watched::begin();
        EXPECT_EQ(describe_sorted(sort()).at("sorted"), true);
        EXPECT_NEAR(static_cast<double>(watched::forks) / partitions(1e6), 1.0, 0.005) << seed;
    }
}

TEST(Quicksort, EachPartitionIsATask) {
    quicksort<watched> expected(50'000, 1);
    expected.prepare();
    watched::begin();
    std::ignore = expected();
    for (const unsigned workers : {1U, 2U}) {
        parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
        quicksort<parley_peers::parley> sort(50'000, 1);
        sort.prepare();
        std::ignore = pool.run([&] { return sort(); });
        EXPECT_EQ(parley_tests::tasks_of(pool), watched::forks) << workers;
    }
}

TEST(Quicksort, LostPartShows) {
    const json known = find_program("quicksort")->known({{"n", 20'000}, {"seed", 1}});
    const auto found = [](std::uint64_t lost) {
        quicksort<watched> sort(20'000, 1);
        sort.prepare();
        watched::begin(lost);
        return describe_sorted(sort());
    };
    EXPECT_EQ(found(0), known);
    const std::uint64_t forks = watched::forks;
    EXPECT_GT(forks, 100U);
    std::uint64_t unseen = 0;
    for (std::uint64_t lost = 1; lost <= forks; ++lost) {
        unseen += found(lost) == known ? 1U : 0U;
    }
    EXPECT_LE(unseen, forks / 50) << "only parts so short that they may be in order already";
}

TEST(Quicksort, RepetitionsBeginAnew) {
    const json parameters{{"n", 20'000}, {"seed", 3}};
    const program* p = find_program("quicksort");
    const auto job = p->make(parameters, "parley", {2, {}});
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(job->run().result, p->known(parameters));
    }
}

TEST(Quicksort, SizesAreThoseOfThePapers) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("quicksort")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"n", 2'000'000}, {"seed", 1}}));
    for (const char* size : {"ch", "thesis", "ch6"}) {
        EXPECT_EQ(of(size), (json{{"n", 100'000'000}, {"seed", 1}}));
    }
}

}  // namespace
