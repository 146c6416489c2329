#include "lab/programs/cilksort.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/awkward_elements.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::awkward;
using parley_tests::elements;
using parley_tests::random_elements;
using parley_tests::sorted;
using parley_tests::watched;

template <class S>
void expect_merged(const elements& a, const elements& b) {
    elements expected(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    elements found(expected.size());
    merge_in_parallel<S>(a, b, found.data());
    EXPECT_EQ(found, expected) << a.size() << " and " << b.size();
}

TEST(Cilksort, MergesRunsOfAnyLength) {
    for (const std::size_t n : {0U, 1U, 10U, 2047U, 2048U, 10'000U}) {
        for (const std::size_t m : {0U, 1U, 2048U, 30'000U}) {
            for (const elements& a : awkward(n)) {
                const elements b = sorted(random_elements(m, 1U << 31));
                expect_merged<serial>(sorted(a), b);
                expect_merged<serial>(b, sorted(a));
                elements above = b;
                std::fill(above.begin(), above.end(), std::numeric_limits<sort_element>::max());
                expect_merged<serial>(sorted(a), above);
            }
        }
    }
}

template <class S>
void expect_sorted(elements all, unsigned workers) {
    const elements expected = sorted(all);
    elements scratch(all.size());
    typename S::pool pool(parley_peers::setup{workers, {}});
    pool.run([&] {
        sort_in_parallel<S>(all, scratch.data());
        return true;
    });
    EXPECT_EQ(all, expected) << all.size() << " on " << workers;
}

TEST(Cilksort, Sorts) {
    for (const std::size_t n : {0U, 1U, 3U, 2047U, 2048U, 2049U, 10'007U, 100'003U}) {
        for (const elements& all : awkward(n)) {
            expect_sorted<serial>(all, 1);
            for (const unsigned workers : {1U, 2U, 3U}) {
                expect_sorted<parley_peers::parley>(all, workers);
            }
        }
    }
}

TEST(Cilksort, TasksAreThoseOfTheThesis) {
    const sort_calls of_table = calls_of_cilksort(100'000'000);
    EXPECT_EQ(of_table, (sort_calls{87'380, 983'041}));
    EXPECT_EQ(of_table.sorts + of_table.merges, 1'070'421U);
}

// Who is divided has four children, three merges above those, and four forks for all that but the
// last merge; a merge that is cut has two children and one fork for them.
std::uint64_t forks_of(const sort_calls& calls) {
    const std::uint64_t divided = calls.sorts / 4;
    const std::uint64_t cut = (calls.merges - 3 * divided) / 2;
    return 4 * divided + cut;
}

TEST(Cilksort, ForksAreThoseOfTheCalls) {
    for (const std::uint64_t n : {2047U, 2048U, 24'414U, 390'625U}) {
        cilksort<watched> sort(n, 1);
        sort.prepare();
        watched::begin();
        EXPECT_EQ(describe_sorted(sort()).at("sorted"), true);
        EXPECT_EQ(watched::forks, forks_of(calls_of_cilksort(n))) << n;
        for (const unsigned workers : {1U, 2U}) {
            parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
            cilksort<parley_peers::parley> same(n, 1);
            same.prepare();
            std::ignore = pool.run([&] { return same(); });
            EXPECT_EQ(parley_tests::tasks_of(pool), forks_of(calls_of_cilksort(n))) << n;
        }
    }
}

TEST(Cilksort, LostPartShows) {
    const json known = find_program("cilksort")->known({{"n", 50'000}, {"seed", 1}});
    const auto found = [](std::uint64_t lost) {
        cilksort<watched> sort(50'000, 1);
        sort.prepare();
        watched::begin(lost);
        return describe_sorted(sort());
    };
    EXPECT_EQ(found(0), known);
    const std::uint64_t forks = watched::forks;
    EXPECT_GT(forks, 100U);
    for (std::uint64_t lost = 1; lost <= forks; ++lost) {
        EXPECT_NE(found(lost), known) << lost;
    }
}

TEST(Cilksort, RepetitionsBeginAnew) {
    const json parameters{{"n", 20'000}, {"seed", 3}};
    const program* p = find_program("cilksort");
    const auto job = p->make(parameters, "parley", {2, {}});
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(job->run().result, p->known(parameters));
    }
}

TEST(Cilksort, SizesAreThoseOfThePapers) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("cilksort")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"n", 2'000'000}, {"seed", 1}}));
    for (const char* size : {"ch", "thesis", "ch6"}) {
        EXPECT_EQ(of(size), (json{{"n", 100'000'000}, {"seed", 1}}));
    }
    request r;
    r.given = {{"n", "7"}};
    r.seed = 8;
    EXPECT_EQ(find_program("cilksort")->parameters(r), (json{{"n", 7}, {"seed", 8}}));
}

}  // namespace
