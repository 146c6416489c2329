// How many processors this process may use.
#include <parley/options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

std::vector<int> allowed_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
    std::vector<int> processors;
    for (int p = 0; p < CPU_SETSIZE; ++p)
        if (CPU_ISSET(static_cast<std::size_t>(p), &set)) processors.push_back(p);
    return processors;
}

void bind_to(const std::vector<int>& processors) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int p : processors) CPU_SET(static_cast<std::size_t>(p), &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
}

TEST(Processors, AtLeastOneWorker) { EXPECT_GE(parley::default_workers(), 1u); }

TEST(Processors, WorkersAreTheLeastOfMaskAndQuota) {
    const parley::processor_count p = parley::available_processors();
    double expected = p.affinity;
    if (p.cgroup_quota > 0) expected = std::min(expected, std::ceil(p.cgroup_quota));
    EXPECT_EQ(parley::default_workers(), static_cast<unsigned>(expected));
}

// A thread of its own has a mask of its own: nothing has to be restored.
TEST(Processors, AffinityMaskIsHonoured) {
    const std::vector<int> all = allowed_processors();
    if (all.empty()) GTEST_SKIP() << "more processors than this test knows";
    EXPECT_EQ(parley::available_processors().affinity, all.size());
    for (std::size_t n = 1; n <= std::min<std::size_t>(all.size(), 4); ++n)
        std::thread([&] {
            bind_to({all.end() - static_cast<std::ptrdiff_t>(n), all.end()});
            EXPECT_EQ(parley::available_processors().affinity, n);
            EXPECT_LE(parley::default_workers(), n);
        }).join();
}

}  // namespace
