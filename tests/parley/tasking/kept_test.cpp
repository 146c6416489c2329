// What futures have on the heap: added by its own worker, dropped by any.
#include "tests/parley/tasking/support.hpp"

#include <parley/tasking/kept.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>

namespace {

using namespace tasking_test;
using api_test::counted;
using api_test::in_threads;
using api_test::tally;
using parley::tasking::kept;
using parley::tasking::kept_list;

TEST(TaskingKept, HasAsManyBytesAsAreAskedFor) {
    kept_list list;
    for (const std::size_t bytes : {0U, 1U, 64U, 1000U}) {
        kept* const one = list.add(bytes);
        std::memset(one->data(), 7, bytes);
        kept_list::drop(one);
    }
}

TEST(TaskingKept, MayBeDroppedInAnyOrder) {
    tally alive{0};
    kept_list list;
    std::array<kept*, 5> all{};
    for (kept*& one : all) {
        one = list.add(8);
        one->failure = std::make_exception_ptr(counted(alive));
    }
    long left = 5;
    for (const std::size_t i : {2U, 0U, 4U, 3U, 1U}) {
        kept_list::drop(all[i]);
        EXPECT_EQ(alive, --left);
    }
}

// Each thread adds to its own list, drops half of what the one before it adds, and leaves the others.
TEST(TaskingKept, IsDroppedByAnyThreadOrWithItsList) {
    constexpr unsigned threads = 4;
    constexpr std::size_t rounds = api_test::times(20'000);
    tally alive{0};
    {
        std::array<kept_list, threads> lists;
        std::array<std::atomic<kept*>, threads> handed_on{};
        in_threads(threads, [&](unsigned me) {
            std::atomic<kept*>& to_next = handed_on[me];
            std::atomic<kept*>& from_before = handed_on[(me + threads - 1) % threads];
            for (std::size_t i = 0; i < rounds; ++i) {
                kept* const one = lists[me].add(i % 100);
                one->failure = std::make_exception_ptr(counted(alive));
                kept* nobodys = nullptr;
                if (i % 2 == 0) to_next.compare_exchange_strong(nobodys, one);
                if (kept* const others = from_before.exchange(nullptr)) kept_list::drop(others);
            }
        });
        EXPECT_GT(alive, 0);
    }
    EXPECT_EQ(alive, 0);
}

}  // namespace
