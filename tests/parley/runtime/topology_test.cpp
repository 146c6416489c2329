// Binding threads to places.
#include <parley/detail/runtime/topology.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <sched.h>
#include <set>
#include <thread>

namespace {

using parley::binding;
using parley::threading::bind_this_thread;

std::set<int> own_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::set<int> processors;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return processors;
    for (int p = 0; p < CPU_SETSIZE; ++p)
        if (CPU_ISSET(static_cast<std::size_t>(p), &set)) processors.insert(p);
    return processors;
}

// Where a new thread may run after it was bound.
std::set<int> place_of(binding how, unsigned id, unsigned workers) {
    std::set<int> places;
    std::thread([&] {
        bind_this_thread(how, id, workers);
        places = own_processors();
    }).join();
    return places;
}

class Binding : public testing::TestWithParam<binding> {
protected:
    const std::set<int> all = own_processors();

    void SetUp() override {
        if (all.size() < 2) GTEST_SKIP() << "nothing to choose from";
    }
    bool allowed() const { return place_of(GetParam(), 0, 1).size() == 1; }
};

TEST_P(Binding, EachWorkerGetsAPlaceOfItsOwn) {
    if (!allowed()) GTEST_SKIP() << "threads can not be bound here";
    const auto workers = static_cast<unsigned>(all.size());
    std::set<int> taken;
    for (unsigned id = 0; id < workers; ++id) {
        const std::set<int> place = place_of(GetParam(), id, workers);
        ASSERT_EQ(place.size(), 1u);
        EXPECT_TRUE(all.contains(*place.begin()));
        EXPECT_TRUE(taken.insert(*place.begin()).second) << "worker " << id;
    }
}

TEST_P(Binding, MoreWorkersThanPlacesShareThem) {
    if (!allowed()) GTEST_SKIP() << "threads can not be bound here";
    const auto workers = static_cast<unsigned>(all.size());
    EXPECT_EQ(place_of(GetParam(), workers, 2 * workers), place_of(GetParam(), 0, 2 * workers));
}

// taskset and batch systems say by the mask which processors are this process's. In a program of its
// own, since the places are found out once.
TEST_P(Binding, StaysWithinTheAffinityMask) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const int last = *all.rbegin();
    const auto bound_within_mask = [&] {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(last), &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0) std::exit(0);
        bind_this_thread(GetParam(), 0, 1);
        std::exit(own_processors() == std::set<int>{last} ? 0 : 1);
    };
    EXPECT_EXIT(bound_within_mask(), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Ways, Binding, testing::Values(binding::cores, binding::threads),
                         [](const auto& way) { return to_string(way.param); });

}  // namespace
