// spawn: tasks that nobody awaits but the barrier and the end of the runtime.
#include "tests/parley/api/support.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace api_test;
using parley::barrier;
using parley::spawn;

// A task for each node of a binary tree of this depth.
void tree(std::atomic<int>& nodes, int depth) {
    ++nodes;
    if (depth > 0)
        for (int i = 0; i < 2; ++i) spawn([&nodes, depth] { tree(nodes, depth - 1); });
}

TEST(Spawn, BarrierAwaitsTasksOfTasks) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round)
            rt.run([] {
                std::atomic<int> nodes{0};
                for (int phase = 1; phase <= 3; ++phase) {
                    tree(nodes, 9);
                    barrier();
                    EXPECT_EQ(nodes, phase * 1023);
                }
            });
    });
}

TEST(Spawn, EndOfTheRuntimeAwaitsThem) {
    for (const unsigned n : worker_counts) {
        std::atomic<int> nodes{0};
        {
            parley::runtime rt{{.workers = n}};
            rt.run([&] { tree(nodes, 9); });
        }
        EXPECT_EQ(nodes, 1023);
    }
}

TEST(Spawn, TakesArgumentsAsAsyncDoes) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::string by_reference = "a";
            std::atomic<int> sum{0};
            spawn([&sum](std::unique_ptr<int> p, int n) { sum += *p + n; }, std::make_unique<int>(5), 2);
            spawn([](std::string& t, const char* more) { t += more; }, std::ref(by_reference), "b");
            barrier();
            EXPECT_EQ(sum, 7);
            EXPECT_EQ(by_reference, "ab");
        });
    });
}

// In task memory, at its end, and beyond it.
template <std::size_t Bytes>
void spawn_of_size(std::atomic<std::size_t>& sum) {
    std::array<unsigned char, Bytes> filled;
    filled.fill(1);
    for (int i = 0; i < 100; ++i)
        spawn([filled, &sum] {
            for (const unsigned char c : filled) sum += c;
        });
}

TEST(Spawn, CarriesFunctionsOfEverySize) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<std::size_t> sum{0};
            spawn_of_size<1>(sum);
            spawn_of_size<40>(sum);
            spawn_of_size<48>(sum);
            spawn_of_size<49>(sum);
            spawn_of_size<1000>(sum);
            barrier();
            EXPECT_EQ(sum, 100U * (1 + 40 + 48 + 49 + 1000));
        });
    });
}

// Copied once from an lvalue, and never moved.
template <bool AsBytes>
struct only_copied {
    explicit only_copied(std::atomic<int>& a) : count(&a) {}
    only_copied(const only_copied&) = default;
    only_copied(only_copied&&) = delete;
    ~only_copied() = default;
    void operator()() const { ++*count; }
    std::atomic<int>* count;
    std::conditional_t<AsBytes, int, std::string> other{};
};

TEST(Spawn, TakesFunctionsThatCanOnlyBeCopied) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> count{0};
            const only_copied<true> bytes(count);
            const only_copied<false> members(count);
            {
                parley::scope s;
                s.spawn(bytes);
                s.spawn(members);
                s.wait();
            }
            spawn(bytes);
            spawn(members);
            barrier();
            EXPECT_EQ(count, 4);
        });
    });
}

TEST(Spawn, ThatThrowsCancelledLeavesTheFunctionAsItWas) {
    struct owner {
        std::unique_ptr<int> number = std::make_unique<int>(1);
        void operator()() const {}
    };
    for (const bool serial : {false, true}) {
        parley::runtime rt{{.workers = 2, .serial = serial}};
        EXPECT_THROW(rt.run([&rt] {
            rt.cancel();
            owner f;
            EXPECT_THROW(spawn(std::move(f)), parley::cancelled);
            EXPECT_NE(f.number, nullptr);
            parley::poll();
        }),
                     parley::cancelled);
    }
}

TEST(Spawn, DestroysWhatItWasGiven) {
    tally alive{0};
    {
        parley::runtime rt{{.workers = 3}};
        rt.run([&] {
            const counted c(alive);
            for (int i = 0; i < 1000; ++i) spawn([c] {});
            barrier();
            EXPECT_EQ(alive, 1);
        });
    }
    EXPECT_EQ(alive, 0);
}

TEST(Spawn, BarrierThrowsTheExceptionOfATaskOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> done{0};
            spawn([] { throw boom(7); });
            for (int i = 0; i < 100; ++i) spawn([&] { ++done; });
            try {
                barrier();
                FAIL() << "nothing was thrown";
            } catch (const boom& b) {
                EXPECT_EQ(b.number, 7);
            }
            EXPECT_EQ(done, 100);  // it stops no others
            EXPECT_NO_THROW(barrier());
        });
    });
}

TEST(Spawn, OfManyExceptionsOneIsThrown) {
    parley::runtime rt{{.workers = 3}};
    rt.run([] {
        for (int i = 0; i < 100; ++i) spawn([i] { throw boom(i); });
        EXPECT_THROW(barrier(), boom);
        EXPECT_NO_THROW(barrier());
    });
}

TEST(Spawn, AnExceptionThatNoBarrierFollowsIsShownAtTheEnd) {
    testing::internal::CaptureStderr();
    {
        parley::runtime rt{{.workers = 2}};
        rt.run([] { spawn([] { throw boom(); }); });
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "parley: a task failed and no barrier() followed: boom\n");
}

struct refuses_to_be_copied {
    refuses_to_be_copied() = default;
    refuses_to_be_copied(const refuses_to_be_copied&) { throw boom(); }
    void operator()() const {}
};

TEST(Spawn, ThrowsWhatCopyingThrowsAndMakesNoTask) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            const refuses_to_be_copied f;
            EXPECT_THROW(spawn(f), boom);
            barrier();
        });
        std::uint64_t tasks = 0;
        for (const auto& c : rt.counters()) tasks += c.tasks;
        EXPECT_EQ(tasks, 0U);
    });
}

TEST(Spawn, CancelledRunsDropWhatHasNotBegun) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> begun{0};
        rt.run([&] {
            for (int i = 0; i < 10; ++i) spawn([&] { poll_until([&] { return begun.load() < 0; }); });
            rt.cancel();
            EXPECT_THROW(spawn([&] { ++begun; }), parley::cancelled);  // and makes none
            EXPECT_THROW(barrier(), parley::cancelled);                // those that wait in vain have left, too
        });
        EXPECT_EQ(begun, 0);
        EXPECT_NO_THROW(rt.run([] { barrier(); }));  // that some were cancelled is nobody's failure
    });
}

TEST(Spawn, RunsAtOnceWhenTheQueueIsFull) {
    parley::runtime rt{{.workers = 1, .queue_bound = 1000}};
    rt.run([] {
        long done = 0;
        for (int i = 0; i < 100'000; ++i) spawn([&] { ++done; });
        EXPECT_GT(done, 90'000);
        barrier();
        EXPECT_EQ(done, 100'000);
    });
}

TEST(Spawn, RunsAtOnceWithSerial) {
    parley::runtime rt{{.serial = true}};
    rt.run([] {
        std::atomic<int> nodes{0};
        tree(nodes, 9);
        EXPECT_EQ(nodes, 1023);
        spawn([] { throw boom(); });
        EXPECT_THROW(barrier(), boom);
    });
}

TEST(Spawn, FromOutsideGoesIntoTheDefaultRuntime) {
    std::atomic<int> nodes{0};
    spawn([&] { tree(nodes, 9); });
    poll_until([&] { return nodes == 1023; });
}

// With so many thieves the producer answers at a pace of its own, between its tasks and before it waits.
TEST(Spawn, AProducerThatAllAskLosesNoTask) {
    using namespace parley::threading;
    for (const auto answers : {answering::paced, answering::at_once}) {
        parley::runtime rt{{.workers = 16}, {.steal = stealing::half, .answers = answers}};
        for (std::size_t round = 0; round < times(20); ++round)
            rt.run([] {
                std::atomic<int> done{0};
                for (int i = 0; i < 5000; ++i)
                    spawn([&, i] {
                        if (i % 64 == 0) tree(done, 3);
                        else ++done;
                    });
                barrier();
                EXPECT_EQ(done, 5000 + 79 * 14);
            });
    }
}

// A scope's tasks may spawn, and its owner goes on when the scope is complete.
TEST(Spawn, IsNotAwaitedByScopesAroundIt) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> nodes{0}, own{0};
            parley::scope s;
            for (int i = 0; i < 20; ++i)
                s.spawn([&] {
                    tree(nodes, 5);
                    ++own;
                });
            s.wait();
            EXPECT_EQ(own, 20);
            barrier();
            EXPECT_EQ(nodes, 20 * 63);
        });
    });
}

}  // namespace
