// Priorities: what they order, and that they order nothing else.
#include "tests/parley/api/support.hpp"

#include <mutex>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;
using parley::async;
using parley::priority;

// --- at one worker ------------------------------------------------------------------------------------

std::string order_at_one_worker(const std::function<void(parley::scope&, std::string&)>& spawn) {
    parley::runtime rt{{.workers = 1}};
    std::string ran;
    rt.run([&] {
        parley::scope s;
        spawn(s, ran);
        EXPECT_EQ(ran, "") << "never at once";
        s.wait();
    });
    return ran;
}

TEST(Priority, HighOnesFirstTheNewestFirstOfEach) {
    const std::string order = order_at_one_worker([](parley::scope& s, std::string& ran) {
        s.spawn([&] { ran += 'a'; });
        s.spawn(priority::high, [&] { ran += 'H'; });
        s.spawn(priority::normal, [&] { ran += 'b'; });
        s.spawn(priority::high, [&](char c) { ran += c; }, 'I');
        s.spawn([&] { ran += 'c'; });
    });
    EXPECT_EQ(order, "IHcba");
}

// A task's own high children come before everything that was queued before it, never before its end.
TEST(Priority, HighChildrenOfNormalTasksAreNextWithoutPreemption) {
    const std::string order = order_at_one_worker([](parley::scope& s, std::string& ran) {
        s.spawn([&] { ran += 'a'; });
        s.spawn([&] {
            ran += '(';
            s.spawn(priority::high, [&] { ran += 'H'; });
            s.spawn([&] { ran += 'n'; });
            parley::poll();
            ran += ')';
        });
    });
    EXPECT_EQ(order, "()Hna");
}

TEST(Priority, AHighTaskThatWaitsRunsItsOwnChildren) {
    const std::string order = order_at_one_worker([](parley::scope& s, std::string& ran) {
        s.spawn([&] { ran += 'a'; });
        s.spawn(priority::high, [&] {
            ran += '(';
            parley::scope inner;
            inner.spawn([&] { ran += 'n'; });
            inner.spawn(priority::high, [&] { ran += 'H'; });
            inner.wait();
            ran += ')';
        });
        s.spawn([&] { ran += 'b'; });
    });
    EXPECT_EQ(order, "(Hn)ba");
}

TEST(Priority, FuturesAreOrderedToo) {
    parley::runtime rt{{.workers = 1}};
    std::string ran;
    rt.run([&] {
        auto a = async([&] { ran += 'a'; });
        auto h = async(priority::high, [&](char c) { ran += c; }, 'H');
        auto b = async(priority::normal, [&] { ran += 'b'; });
        a.get();
        h.get();
        b.get();
    });
    EXPECT_EQ(ran, "Hba");
}

// What a fork calls itself is in no queue.
TEST(Priority, AForkCallsItsSecondPartFirst) {
    const std::string order = order_at_one_worker([](parley::scope& s, std::string& ran) {
        std::string mine;
        parley::fork_join([&] { s.spawn(priority::high, [&] { ran += 'H'; }); }, [&] { mine += ran + "g"; });
        EXPECT_EQ(mine, "g");
    });
    EXPECT_EQ(order, "H");
}

TEST(Priority, InABarrierToo) {
    parley::runtime rt{{.workers = 1}};
    std::string ran;
    rt.run([&] {
        auto a = async([&] { ran += 'a'; });
        auto h = async(priority::high, [&] { ran += 'H'; });
        parley::barrier();
        EXPECT_TRUE(a.is_ready() && h.is_ready());
    });
    EXPECT_EQ(ran, "Ha");
}

// --- for thieves --------------------------------------------------------------------------------------

// What worker 1 runs while worker 0 only polls, by one thread: in this order.
void expect_high_ones_first(parley::threading::stealing steal) {
    parley::runtime rt{{.workers = 2}, {.steal = steal}};
    for (std::size_t round = 0; round < times(50); ++round) {
        std::mutex m;
        std::string ran;
        rt.run([&] {
            std::atomic<bool> held{false}, go{false};
            // The other worker is kept until everything is queued.
            auto keeper = async([&] {
                held = true;
                block_until([&] { return go.load(); });
            });
            poll_until([&] { return held.load(); });
            const auto note = [&](char c) {
                const std::scoped_lock guard(m);
                ran += c;
            };
            parley::scope s;
            for (int i = 0; i < 5; ++i) s.spawn(note, 'n');
            for (int i = 0; i < 5; ++i) s.spawn(priority::high, note, 'H');
            go = true;
            poll_until([&] {
                const std::scoped_lock guard(m);
                return ran.size() == 10;
            });
            s.wait();
            keeper.get();
        });
        EXPECT_EQ(ran, "HHHHHnnnnn");
    }
}

TEST(Priority, ThievesGetHighOnesFirst) { expect_high_ones_first(parley::threading::stealing::one); }

TEST(Priority, ThievesThatTakeManyKeepThemHigh) { expect_high_ones_first(parley::threading::stealing::half); }

// A thief that has taken two runs the second before what the first spawns.
TEST(Priority, StolenOnesAreHighForTheThiefToo) {
    for (std::size_t round = 0; round < times(50); ++round) {
        // Who is interrupted may give one task instead of half of them. A thief that has stolen in vain asks for one
        // now and then, so each round has a new one.
        parley::runtime rt{{.workers = 2, .watchdog = parley::watchdogs::off}, {.steal = parley::threading::stealing::half}};
        std::mutex m;
        std::string ran;
        const auto note = [&](char c) {
            const std::scoped_lock guard(m);
            ran += c;
            return ran.size();
        };
        rt.run([&] {
            std::atomic<bool> held{false}, go{false};
            auto keeper = async([&] {
                held = true;
                block_until([&] { return go.load(); });
            });
            poll_until([&] { return held.load(); });
            parley::scope s;
            for (int i = 0; i < 4; ++i)
                s.spawn(priority::high, [&] {
                    s.spawn(note, 'n');
                    note('H');
                });
            go = true;
            poll_until([&] {
                const std::scoped_lock guard(m);
                return ran.size() == 8;
            });
            s.wait();
            keeper.get();
        });
        EXPECT_EQ(ran.substr(0, 2), "HH") << ran;
    }
}

// --- what they do not change --------------------------------------------------------------------------

TEST(Priority, ManyMayBeQueued) {
    with_each_size([](parley::runtime& rt) {
        const std::size_t many = times(1'000'000);
        std::vector<std::atomic<char>> ran(many);
        rt.run([&] {
            parley::scope s;
            for (std::size_t i = 0; i < many; ++i) s.spawn(priority::high, [&ran, i] { ++ran[i]; });
            s.wait();
        });
        for (const auto& r : ran) ASSERT_EQ(r, 1);
    });
}

TEST(Priority, TinyQueuesToo) {
    for (const unsigned n : worker_counts) {
        parley::runtime rt{{.workers = n, .queue_bound = 1}};
        std::atomic<std::size_t> ran{0};
        const std::size_t many = times(100'000);
        rt.run([&] {
            parley::scope s;
            for (std::size_t i = 0; i < many; ++i) s.spawn(i % 2 == 0 ? priority::high : priority::normal, [&] { ++ran; });
            s.wait();
        });
        EXPECT_EQ(ran, many);
    }
}

TEST(Priority, ResultsAndExceptionsComeOut) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            int x = 0;
            EXPECT_EQ(&async(priority::high, [&]() -> int& { return x; }).get(), &x);
            EXPECT_EQ(*async(priority::high, [](std::unique_ptr<int> p) { return p; }, std::make_unique<int>(2)).get(), 2);
            static_assert(std::is_same_v<decltype(async(priority::high, [] {})), parley::future<void>>);
            EXPECT_THROW(async(priority::high, [] { throw boom{}; }).get(), boom);
            parley::scope s;
            s.spawn(priority::high, [] { throw boom{1}; });
            EXPECT_THROW(s.wait(), boom);
        });
    });
}

TEST(Priority, FromOutsideTheyRunToo) {
    std::atomic<int> ran{0};
    parley::runtime rt{{.workers = 2}};
    parley::scope s(rt);
    for (int i = 0; i < 100; ++i) s.spawn(priority::high, [&] { ++ran; });
    s.wait();
    EXPECT_EQ(ran, 100);
    EXPECT_EQ(async(priority::high, [] { return 4; }).get(), 4);
}

TEST(Priority, StoppedScopesDropThem) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> ran{0};
        rt.run([&] {
            parley::scope s;
            for (int i = 0; i < 100; ++i) s.spawn(priority::high, [&, c = counted(alive)] { ++ran; });
            s.request_stop();
            for (int i = 0; i < 100; ++i) s.spawn(priority::high, [&, c = counted(alive)] { ran += 1000; });
            EXPECT_THROW(s.wait(), parley::cancelled);
        });
        EXPECT_LE(ran, 100);
        EXPECT_EQ(alive, 0);
    });
}

TEST(Priority, CancelledOnesAreDroppedAndCounted) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        EXPECT_THROW(rt.run([&] {
            parley::scope s;
            std::vector<parley::future<void>> futures;
            for (int i = 0; i < 100; ++i) {
                s.spawn(priority::high, [c = counted(alive)] {});
                futures.push_back(async(priority::high, [c = counted(alive)] {}));
            }
            rt.cancel();
            s.wait();
            parley::poll();
        }),
                     parley::cancelled);
        EXPECT_EQ(alive, 0);
        rt.run([] { EXPECT_EQ(async(priority::high, [] { return 1; }).get(), 1); });
    });
}

TEST(Priority, SerialExecutionCallsThemWhereTheyAre) {
    parley::runtime rt{{.serial = true}};
    std::string ran;
    rt.run([&] {
        parley::scope s;
        s.spawn([&] { ran += 'a'; });
        s.spawn(priority::high, [&] { ran += 'H'; });
        async(priority::high, [&] { ran += 'I'; }).get();
        s.wait();
    });
    EXPECT_EQ(ran, "aHI");
}

}  // namespace
