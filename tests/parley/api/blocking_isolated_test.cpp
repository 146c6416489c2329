// What a worker gives up that blocks inside an isolated region, and what it keeps.
#include "tests/parley/api/support.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;
using parley::async;
using parley::blocking;
using parley::isolated;

// The region keeps a lock, and the only other worker waits for it. So nobody else would run what the region has made.
template <class Body>
void while_the_other_wants_its_lock(Body body) {
    parley::runtime rt{{.workers = 2}};
    std::mutex lock;
    std::atomic<int> ran{0};
    rt.run([&] {
        blocking([] {});  // a short one, so that no thread stands in for the next one
        std::atomic<bool> begun{false}, kept{false};
        const auto other = async([&] {
            begun = true;
            while (!kept) std::this_thread::yield();
            const std::scoped_lock guard(lock);
        });
        while (!begun) parley::poll();
        isolated([&] {
            const std::scoped_lock guard(lock);
            kept = true;
            std::this_thread::sleep_for(5ms);  // most likely it waits for the lock by then
            parley::scope s;
            s.spawn([&ran] { ++ran; });
            body(s);
            s.wait();
        });
        other.wait();
    });
    EXPECT_EQ(ran, 1);
}

TEST(BlockingIsolated, KeepsItsTasks) {
    while_the_other_wants_its_lock([](parley::scope&) { blocking([] {}); });
}

TEST(BlockingIsolated, KeepsThoseOfTheRegionAroundIt) {
    while_the_other_wants_its_lock([](parley::scope&) { isolated([] { blocking([] {}); }); });
}

TEST(BlockingIsolated, KeepsThoseBelowAHighTask) {
    while_the_other_wants_its_lock([](parley::scope& s) { s.spawn(parley::priority::high, [] { blocking([] {}); }); });
}

TEST(BlockingIsolated, KeepsThemOnAVisitToAnotherRuntime) {
    parley::runtime second{{.workers = 1}};
    while_the_other_wants_its_lock([&](parley::scope&) { isolated([&] { second.run([] {}); }); });
}

// Runs the body while the other worker is busy. It is free as soon as the body says so.
template <class Body>
void while_the_other_is_busy(Body body) {
    parley::runtime rt{{.workers = 2}};
    rt.run([&] {
        std::atomic<bool> begun{false}, is_free{false};
        const auto other = async([&] {
            begun = true;
            while (!is_free) std::this_thread::yield();
        });
        while (!begun) parley::poll();
        body(is_free);
        other.wait();
    });
}

TEST(BlockingIsolated, GivesUpTheLoopAroundTheRegion) {
    while_the_other_is_busy([](std::atomic<bool>& is_free) {
        std::atomic<bool> second{false};
        parley::for_each_index(0, 2, [&](int i) {
            if (i == 1) {
                second = true;
                return;
            }
            isolated([&] {
                blocking([&] {
                    is_free = true;
                    while (!second) std::this_thread::sleep_for(1ms);
                });
            });
        });
    });
}

TEST(BlockingIsolated, GivesUpWhatWasMadeOutsideHoweverMuchIsInside) {
    for (const int inside : {1, 5000})
        while_the_other_is_busy([inside](std::atomic<bool>& is_free) {
            std::atomic<int> ran{0};
            std::atomic<bool> outer_ran{false};
            parley::scope outer, s;
            outer.spawn([&] { outer_ran = true; });
            isolated([&] {
                for (int i = 0; i < inside; ++i) s.spawn([&ran] { ++ran; });
                blocking([&] {
                    is_free = true;
                    while (!outer_ran) std::this_thread::sleep_for(1ms);
                });
                s.wait();
            });
            outer.wait();
            EXPECT_EQ(ran, inside);
        });
}

}  // namespace
