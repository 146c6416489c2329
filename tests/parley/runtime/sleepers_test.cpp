// Workers that are marked asleep are noted, so that who may have to wake one need not look at all.
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

namespace {

// All but worker 0, which is this thread and outside.
void wait_until_all_sleep(parley::threading::pool& home) {
    for (std::uint32_t w = 1; w < home.size(); ++w)
        while (!home.at(w).shared_part().attention.is_asleep()) std::this_thread::yield();
}

std::uint32_t asleep_in(parley::threading::pool& home) {
    return home.exchange().asleep.count_if([](std::uint32_t) { return true; });
}

TEST(Sleepers, AreNotedWhileTheyAreMarkedAsleep) {
    parley::runtime rt{{.workers = 3}};
    for (int round = 0; round < 50; ++round) {
        parley::threading::pool* home = nullptr;
        rt.run([&] {
            home = &parley::threading::current->home();
            parley::scope all;
            for (int i = 0; i < 3; ++i) all.spawn([] { std::this_thread::yield(); });
            all.wait();
        });
        // A worker that gets up is noted a moment longer, and one that falls asleep a moment before.
        do wait_until_all_sleep(*home);
        while (asleep_in(*home) != 2);
        EXPECT_TRUE(home->exchange().asleep.holds(parley::protocol::request_of(1)));
        EXPECT_TRUE(home->exchange().asleep.holds(parley::protocol::request_of(2)));
    }
    rt.run([&] {
        EXPECT_FALSE(parley::threading::current->home().exchange().asleep.holds(parley::protocol::request_of(0)))
            << "this one is awake";
    });
}

}  // namespace
