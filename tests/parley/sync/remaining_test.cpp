// How many parts are left: one learns that there is none.
#include <parley/detail/sync/remaining.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using parley::sync::remaining;

TEST(Remaining, TheLastPartSaysSo) {
    remaining r(3);
    EXPECT_FALSE(r.done());
    r.add(1);
    EXPECT_FALSE(r.done());
    EXPECT_FALSE(r.done());
    EXPECT_TRUE(r.done());
}

TEST(Remaining, TheLastOneSeesWhatTheOthersDid) {
    for (int round = 0; round < 200; ++round) {
        remaining r(4);
        int parts[4] = {};
        std::atomic<int> last{0};
        std::vector<std::thread> all;
        for (int i = 0; i < 4; ++i)
            all.emplace_back([&, i] {
                parts[i] = 1;
                if (r.done()) last += parts[0] + parts[1] + parts[2] + parts[3];
            });
        for (auto& t : all) t.join();
        EXPECT_EQ(last, 4);
    }
}

}  // namespace
