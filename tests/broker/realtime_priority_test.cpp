// Threads that ask for short slices stay what they were otherwise.
#include <broker/client/realtime_priority.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/resource.h>
#include <thread>

namespace {

TEST(Prompt, PolicyAndNicenessStayWhatTheyWere) {
    for (const int nice : {0, 5}) {
        std::thread([nice] {
            if (nice != 0) {
                ASSERT_EQ(setpriority(PRIO_PROCESS, 0, nice), 0);  // of this thread, on Linux
            }
            const int before = getpriority(PRIO_PROCESS, 0);
            parley::broker::use_realtime_priority();
            EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
            EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
        }).join();
    }
}

}  // namespace
