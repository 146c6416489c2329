// A thread that interrupts all workers as fast as it can, whatever they do.
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

namespace {

std::uint64_t serial_fib(unsigned n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

std::uint64_t fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}

// In a blocking region, and in two runtimes at once, a handler does nothing.
TEST(MayBeInterrupted, OnlyInATaskOfTheOnlyRuntime) {
    parley::runtime rt{{.workers = 2}}, other{{.workers = 2}};
    const auto may_be = [] { return parley::threading::current->may_be_interrupted(); };
    rt.run([&] {
        EXPECT_TRUE(may_be());
        {
            const parley::blocking_region here;
            EXPECT_FALSE(may_be());
            EXPECT_TRUE(parley::async(may_be).get()) << "what a wait in a region runs is in no region";
            EXPECT_FALSE(may_be());
        }
        EXPECT_TRUE(may_be());
        EXPECT_TRUE(parley::isolated(may_be));
        other.run([&] { EXPECT_FALSE(may_be()); });
        EXPECT_TRUE(may_be());
        parley::scope s;
        for (int i = 0; i < 100; ++i) s.spawn([&] { EXPECT_TRUE(may_be()); });
        s.wait();
        parley::for_each_index(0, 100, [&](int) { EXPECT_TRUE(may_be()); });
        parley::barrier();
        EXPECT_TRUE(may_be());
    });
}

class tormentor {
public:
    explicit tormentor(parley::runtime& rt) : pool_(parley::detail::pool_of(rt)), thread_([this] { interrupt(); }) {}
    ~tormentor() {
        over_ = true;
        thread_.join();
    }

private:
    void interrupt() {
        while (!over_)
            for (unsigned id = 0; id < pool_.size(); ++id) parley::threading::interrupt(pool_.at(0), pool_.at(id));
    }
    parley::threading::pool& pool_;
    std::atomic<bool> over_{false};
    std::thread thread_;
};

class Torment : public testing::TestWithParam<unsigned> {
protected:
    parley::runtime rt{{.workers = GetParam(), .stack_size = 0}};
};

TEST_P(Torment, Forks) {
    rt.run([] { fib(5); });
    const tormentor t(rt);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(rt.run([] { return fib(14); }), serial_fib(14));
}

TEST_P(Torment, Spawns) {
    rt.run([] { fib(5); });
    const tormentor t(rt);
    for (int i = 0; i < 50; ++i) {
        std::atomic<int> ran{0};
        rt.run([&] {
            parley::scope s;
            for (int k = 0; k < 2500; ++k) s.spawn([&] { ++ran; });
            s.wait();
        });
        ASSERT_EQ(ran, 2500);
    }
}

TEST_P(Torment, Loops) {
    rt.run([] { fib(5); });
    const tormentor t(rt);
    for (int i = 0; i < 100; ++i) {
        std::vector<std::atomic<int>> ran(500);
        const int sum = rt.run([&] {
            parley::for_each_index(0, 500, [&](int k) {
                ++ran[static_cast<std::size_t>(k)];
                if (k % 50 == 0) parley::for_each_index(0, 5, [](int) { fib(3); });
            });
            return parley::reduce_index(0, 500, 0, std::plus<>{}, [](int k) { return k; });
        });
        ASSERT_EQ(sum, 499 * 500 / 2);
        for (const auto& r : ran) ASSERT_EQ(r, 1);
    }
}

TEST_P(Torment, WaitsOnStacksOfTheirOwn) {
    rt.run([] { fib(5); });
    const tormentor t(rt);
    for (int i = 0; i < 50; ++i)
        rt.run([] {
            parley::scope s;
            for (unsigned k = 0; k < 20; ++k)
                s.spawn([k] {
                    auto a = parley::async([] { return fib(6); });
                    auto b = parley::async([&a] { return a.get() + 1; });
                    ASSERT_EQ(b.get(), serial_fib(6) + 1);
                    if (k % 5 == 0) parley::blocking([] { std::this_thread::yield(); });
                    if (k % 7 == 0) parley::isolated([] { fib(6); });
                });
            s.wait();
            parley::barrier();
        });
}

INSTANTIATE_TEST_SUITE_P(Workers, Torment, testing::Values(2U, 3U, 8U));

}  // namespace
