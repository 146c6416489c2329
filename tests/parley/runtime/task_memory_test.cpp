// Memory for tasks: no cell twice, batches that come home, bounded growth.
#include <parley/detail/runtime/depot.hpp>

#include <parley/detail/base/rng.hpp>
#include <parley/detail/sync/mpsc.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace {

using parley::base::rng;
using parley::threading::cell;
using parley::threading::depot;
using parley::threading::task_memory;

TEST(TaskMemory, ACellIsACacheLine) {
    depot shared;
    task_memory memory(shared);
    for (int i = 0; i < 1000; ++i) {
        void* const p = memory.allocate();
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p) % parley::base::cache_line, 0u);
        std::memset(p, 0xFF, sizeof(cell));  // all of it is mine
    }
}

TEST(TaskMemory, WhatWasFreedLastIsAllocatedFirst) {
    depot shared;
    task_memory memory(shared);
    void* const p = memory.allocate();
    memory.free(p);
    EXPECT_EQ(memory.allocate(), p) << "it is still in this core's cache";
}

// Three workers allocate, free each other's cells, and fill and empty their stocks.
TEST(TaskMemory, HandsOutNoCellTwice) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        rng random(seed);
        depot shared;
        std::array<task_memory, 3> workers{task_memory(shared), task_memory(shared), task_memory(shared)};
        std::set<void*> used;
        std::vector<void*> order;
        for (int step = 0; step < 20'000; ++step) {
            task_memory& memory = workers[random.below(3)];
            const bool growing = step / 2500 % 2 == 0;
            if (order.empty() || random.below(10) < (growing ? 7u : 3u)) {
                void* const p = memory.allocate();
                ASSERT_TRUE(used.insert(p).second);
                order.push_back(p);
            } else {
                std::swap(order[random.below(static_cast<std::uint32_t>(order.size()))], order.back());
                memory.free(order.back());
                used.erase(order.back());
                order.pop_back();
            }
        }
    }
}

// One only allocates, the other only frees: what the second frees, the first gets again.
TEST(TaskMemory, WhatOneFreesAnotherAllocates) {
    constexpr std::size_t window = 1000;
    depot shared;
    task_memory producer(shared);
    task_memory consumer(shared);
    std::set<void*> cells;
    std::vector<void*> on_their_way;
    for (int round = 0; round < 100; ++round) {
        for (std::size_t i = 0; i < window; ++i) on_their_way.push_back(producer.allocate());
        cells.insert(on_their_way.begin(), on_their_way.end());
        for (void* p : on_their_way) consumer.free(p);
        on_their_way.clear();
    }
    // In use at once, in the two stocks, and less than a batch in the depot.
    EXPECT_LE(cells.size(), window + 2 * (2 * depot::batch) + depot::batch);
}

// Freed beyond what a stock holds, a batch goes home; the rest stays at hand.
TEST(TaskMemory, StocksMoveInBatches) {
    depot shared;
    task_memory memory(shared);
    task_memory other(shared);
    std::set<void*> mine;
    for (std::uint32_t i = 0; i <= 2 * depot::batch; ++i) mine.insert(other.allocate());
    for (void* p : mine) memory.free(p);
    std::vector<cell*> at_home(depot::batch);
    shared.take(at_home.data());
    for (cell* c : at_home) EXPECT_EQ(mine.erase(c), 1u);
    ASSERT_EQ(mine.size(), depot::batch + 1);
    for (std::uint32_t i = 0; i <= depot::batch; ++i) EXPECT_EQ(mine.erase(memory.allocate()), 1u);
}

// What threads outside give back, one by one, is allocated again.
TEST(TaskMemory, WhatIsGivenBackIsAllocatedAgain) {
    depot shared;
    task_memory memory(shared);
    std::set<void*> cells;
    for (int round = 0; round < 20; ++round) {
        std::vector<void*> out;
        for (std::uint32_t i = 0; i < 3 * depot::batch; ++i) out.push_back(memory.allocate());
        cells.insert(out.begin(), out.end());
        for (void* p : out) shared.give_back(p);
    }
    EXPECT_LE(cells.size(), 4 * depot::batch);
}

// Collecting goes on where it stopped, batch by batch: nothing new is made before all of them are used again.
TEST(TaskMemory, AllThatIsGivenBackComesBeforeNewCells) {
    depot shared;
    std::set<void*> given;
    {
        task_memory memory(shared);
        for (std::uint32_t i = 0; i < 10 * depot::batch; ++i) given.insert(memory.allocate());
        for (void* p : given) shared.give_back(p);
    }
    std::vector<cell*> some(depot::batch);
    for (int i = 0; i < 10; ++i) {
        shared.take(some.data());
        for (cell* c : some) EXPECT_EQ(given.erase(c), 1u);
    }
    EXPECT_TRUE(given.empty());
}

// A depot whose stocks have ended is there until the last of its cells is given back, whether they are collected, given
// back before it is abandoned, or after. LeakSanitizer looks for what stays, AddressSanitizer for what goes too early.
TEST(TaskMemory, AbandonedDepotsGoWithTheirLastCell) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        rng random(seed);
        std::unique_ptr<depot, parley::threading::abandons_depot> shared{new depot};
        depot& still = *shared;
        std::vector<void*> out;
        {
            task_memory one(still);
            task_memory other(still);
            for (std::uint32_t left = random.below(2000); left > 0; --left) {
                out.push_back((random.below(2) == 0 ? one : other).allocate());
                if (random.below(3) != 0) continue;
                std::swap(out[random.below(static_cast<std::uint32_t>(out.size()))], out.back());
                if (random.below(2) == 0) one.free(out.back());
                else still.give_back(out.back());
                out.pop_back();
            }
            std::vector<void*> many;  // more than a stock holds, so that batches go home
            for (std::uint32_t i = 0; i < 3 * depot::batch; ++i) many.push_back(one.allocate());
            for (void* p : many) other.free(p);
        }
        shared.reset();
        for (void* p : out) {
            std::memset(p, 0xFF, sizeof(cell));
            still.give_back(p);
        }
    }
}

// The last cell and the end of the depot at the same time, by three threads: for the sanitizers, too.
TEST(TaskMemoryStress, TheLastCellsComeBackWhileTheDepotEnds) {
    for (int round = 0; round < 200; ++round) {
        std::unique_ptr<depot, parley::threading::abandons_depot> shared{new depot};
        depot& still = *shared;
        std::array<std::vector<void*>, 2> out;
        {
            task_memory memory(still);
            for (std::size_t i = 0; i < 20; ++i) out[i % 2].push_back(memory.allocate());
        }
        std::vector<std::jthread> crowd;
        for (const std::vector<void*>& mine : out)
            crowd.emplace_back([&still, &mine] {
                for (void* p : mine) still.give_back(p);
            });
        crowd.emplace_back([&shared] { shared.reset(); });
    }
}

struct message {
    message* next;
    std::uint64_t number;
};

// Cells go from worker to worker in threads; their contents are plain memory.
TEST(TaskMemoryStress, CellsGoRoundBetweenThreads) {
    constexpr unsigned threads = 4;
    constexpr std::uint64_t each = 20'000;
    depot shared;
    std::vector<parley::sync::mpsc<message, &message::next>> boxes(threads);
    std::vector<std::jthread> crowd;
    for (unsigned me = 0; me < threads; ++me)
        crowd.emplace_back([&, me] {
            task_memory memory(shared);
            std::uint64_t received = 0;
            const auto receive = [&] {
                message* const m = boxes[me].receive();
                if (m == nullptr) return;
                EXPECT_EQ(m->number, received);
                ++received;
                memory.free(m);
            };
            for (std::uint64_t i = 0; i < each; ++i) {
                auto* const m = ::new (memory.allocate()) message{nullptr, i};
                ASSERT_TRUE(boxes[(me + 1) % threads].send(m));
                receive();
            }
            while (received < each) {
                receive();
                std::this_thread::yield();
            }
        });
}

}  // namespace
