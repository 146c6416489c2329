#include "lab/programs/knapsack.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::watched;

// By trying all subsets.
std::uint64_t best_of_subsets(const knapsack_instance& instance) {
    std::uint64_t best = 0;
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << instance.items.size(); ++subset) {
        std::uint64_t value = 0;
        std::uint64_t weight = 0;
        for (std::size_t i = 0; i < instance.items.size(); ++i) {
            if ((subset >> i & 1U) != 0) {
                value += instance.items[i].value;
                weight += instance.items[i].weight;
            }
        }
        best = weight <= instance.capacity ? std::max(best, value) : best;
    }
    return best;
}

template <class S>
std::uint64_t search(const knapsack_instance& instance) {
    knapsack<S> k(instance);
    k.prepare();
    return k();
}

TEST(Knapsack, TableAndSearchFindTheBestSubset) {
    for (std::size_t n = 1; n <= 12; ++n) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const knapsack_instance instance = make_knapsack(n, seed);
            const std::uint64_t best = best_of_subsets(instance);
            EXPECT_GT(best, 0U);
            EXPECT_EQ(best_by_table(instance), best) << n << " " << seed;
            EXPECT_EQ(search<serial>(instance), best) << n << " " << seed;
        }
    }
}

// Not only the instances that are measured: ties, items that never fit, room for nothing and for all.
TEST(Knapsack, SearchIsRightOnOtherInstances) {
    const std::vector<knapsack_item> items{{60, 10}, {5, 1}, {99, 20}, {99, 20}, {41, 9}, {7, 2}, {30, 15}, {1, 30}};
    for (std::uint64_t capacity = 0; capacity <= 120; ++capacity) {
        const knapsack_instance instance{items, capacity};
        EXPECT_EQ(best_by_table(instance), best_of_subsets(instance)) << capacity;
        EXPECT_EQ(search<serial>(instance), best_of_subsets(instance)) << capacity;
    }
    EXPECT_EQ(search<serial>(knapsack_instance{{}, 5}), 0U);
}

TEST(Knapsack, InstanceHasItsItemsInOrderAndRoomForHalf) {
    const knapsack_instance instance = make_knapsack(28, 1);
    ASSERT_EQ(instance.items.size(), 28U);
    std::uint64_t weight_of_all = 0;
    for (std::size_t i = 0; i < 28; ++i) {
        const knapsack_item item = instance.items[i];
        EXPECT_TRUE(item.weight >= 1000 && item.weight < 1100 && item.value == item.weight + 100);
        EXPECT_TRUE(i == 0 || instance.items[i - 1].weight <= item.weight) << "the light ones are the best";
        weight_of_all += item.weight;
    }
    EXPECT_EQ(instance.capacity, weight_of_all / 2);
    EXPECT_NE(make_knapsack(28, 2).capacity, instance.capacity);
}

TEST(Knapsack, BoundsCutTheSearch) {
    watched::begin();
    const knapsack_instance instance = make_knapsack(20, 1);
    EXPECT_EQ(search<watched>(instance), best_by_table(instance));
    EXPECT_GT(watched::forks, 10'000U);
    EXPECT_LT(watched::forks, 200'000U) << "of a million subsets";
}

TEST(Knapsack, ParleyFindsTheSame) {
    const knapsack_instance instance = make_knapsack(20, 3);
    for (const unsigned workers : {1U, 2U, 4U}) {
        parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
        knapsack<parley_peers::parley> k(instance);
        for (int i = 0; i < 3; ++i) {
            k.prepare();
            EXPECT_EQ(k.best(), 0U) << "begins anew";
            EXPECT_EQ(pool.run([&k] { return k(); }), best_by_table(instance));
        }
    }
}

TEST(Knapsack, TellsTheBestSoFar) {
    const json parameters{{"n", 10}, {"seed", 1}};
    const program* p = find_program("knapsack");
    const auto job = p->make(parameters, "parley", {2, {}});
    EXPECT_EQ(job->so_far(), (json{{"value", 0}}));
    EXPECT_EQ(job->run().result, p->known(parameters));
    EXPECT_EQ(job->so_far(), p->known(parameters));
}

TEST(Knapsack, LargerSizesAreThoseOfTheBiasPaper) {
    for (const std::string& size : size_names()) {
        request r;
        r.size = size;
        EXPECT_EQ(find_program("knapsack")->parameters(r), (json{{"n", size == "small" ? 26 : 28}, {"seed", 1}}));
        r.given = {{"n", "9"}};
        r.seed = 4;
        EXPECT_EQ(find_program("knapsack")->parameters(r), (json{{"n", 9}, {"seed", 4}}));
    }
}

}  // namespace
