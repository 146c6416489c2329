// Completers and awaiters meet at random times, on random threads. Each seed is a run of its own.
#include "tests/parley/coroutines/support.hpp"
#include "tests/seeds.hpp"

#include <parley/detail/base/rng.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace coroutine_test;
using parley::async;
using parley::future;
using parley::promise;
using parley::task;

// A tree of coroutines, each of which does one of several things at random. Returns the number of leaves below it.
task<std::uint64_t> random_tree(std::uint64_t seed, unsigned depth, parley::runtime& other, parley::runtime& home) {
    if (depth == 0) co_return 1;
    parley::base::rng random(seed);
    const auto child = [&](std::uint64_t i) { return random_tree(seed * 7 + i + 1, depth - 1, other, home); };
    switch (random.below(8)) {
        case 0: {  // the newest task first, then one that may be anywhere
            future<std::uint64_t> a = async(child(0));
            future<std::uint64_t> b = async(child(1));
            const std::uint64_t y = co_await b;
            co_return co_await a + y;
        }
        case 1: {
            std::vector<future<std::uint64_t>> all;
            for (std::uint64_t i = 0; i < 3; ++i) all.push_back(async(child(i)));
            std::uint64_t sum = 0;
            for (const std::uint64_t x : co_await parley::when_all(std::move(all))) sum += x;
            co_return sum;
        }
        case 2: {
            const parley::shared_future<std::uint64_t> s = async(child(0)).share();
            const auto reads = [](parley::shared_future<std::uint64_t> f) -> task<std::uint64_t> { co_return co_await f; };
            future<std::uint64_t> a = async(reads(s));
            future<std::uint64_t> b = async([s] { return s.get(); });
            co_return co_await a + co_await b + co_await s;
        }
        case 3: {
            future<std::uint64_t> a = async(child(0)).then([](std::uint64_t x) { return x + 1; });
            co_return co_await a;
        }
        case 4: {
            auto first = co_await parley::when_any(async(child(0)), async(child(1)));
            co_return co_await std::get<0>(first.futures) + co_await std::get<1>(first.futures);
        }
        case 5: {
            co_await parley::spawn_on(other);
            const std::uint64_t x = co_await child(0);
            co_await parley::spawn_on(home);
            co_return x + co_await child(1);
        }
        case 6: {  // a wait that keeps its stack
            future<std::uint64_t> a = async(child(0));
            co_return a.get() + co_await child(1);
        }
        default: co_return co_await child(0) + co_await child(1);
    }
}

std::uint64_t leaves_of(std::uint64_t seed, unsigned depth) {
    if (depth == 0) return 1;
    parley::base::rng random(seed);
    const auto child = [&](std::uint64_t i) { return leaves_of(seed * 7 + i + 1, depth - 1); };
    switch (random.below(8)) {
        case 1: return child(0) + child(1) + child(2);
        case 2: return 3 * child(0);
        case 3: return child(0) + 1;
        default: return child(0) + child(1);
    }
}

TEST(CoroutineStress, RandomTreesOfAwaits) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime other{{.workers = 2}};
        for (const std::uint64_t seed : parley_tests::seeds(times(20))) {
            SCOPED_TRACE("seed: " + std::to_string(seed));
            ASSERT_EQ(parley::sync_wait(rt, random_tree(seed, 6, other, rt)), leaves_of(seed, 6));
        }
    });
}

// Threads outside set the results, at about the time at which the coroutines begin to wait for them.
TEST(CoroutineStress, ThreadsOutsideMeetCoroutines) {
    with_each_size([](parley::runtime& rt) {
        for (const std::uint64_t seed : parley_tests::seeds(times(10))) {
            SCOPED_TRACE("seed: " + std::to_string(seed));
            constexpr std::size_t n = 200;
            std::vector<promise<std::uint64_t>> promises;
            for (std::size_t i = 0; i < n; ++i) promises.emplace_back(rt);
            std::vector<future<std::uint64_t>> all;
            for (promise<std::uint64_t>& p : promises) all.push_back(p.get_future());
            std::atomic<std::size_t> reached{0};
            const auto sums = [](std::vector<future<std::uint64_t>> v, std::atomic<std::size_t>& at) -> task<std::uint64_t> {
                std::uint64_t sum = 0;
                for (future<std::uint64_t>& f : v) {
                    ++at;
                    sum += co_await f;
                }
                co_return sum;
            };
            const std::jthread setter = thread_outside([&] {
                parley::base::rng random(seed);
                for (std::size_t i = 0; i < n; ++i) {
                    // Sometimes just when the coroutine comes there, sometimes before.
                    if (random.below(3) != 0) block_until([&] { return reached > i; });
                    for (std::uint32_t k = random.below(200); k > 0; --k) (void)reached.load();
                    promises[i].set_value(i);
                }
            });
            ASSERT_EQ(parley::sync_wait(rt, sums(std::move(all), reached)), n * (n - 1) / 2);
        }
    });
}

// A runtime ends as soon as the coroutine has, while the thread that completed what it awaited may still be on its way out.
TEST(CoroutineStress, ARuntimeEndsWhileItsCompleterLeaves) {
    for (const std::uint64_t seed : parley_tests::seeds(times(100))) {
        std::optional<parley::runtime> rt(std::in_place, parley::options{.workers = 1 + static_cast<unsigned>(seed % 3)});
        promise<int> p(*rt);
        const auto waits = [](future<int> f) -> task<int> { co_return co_await f; };
        future<int> f = rt->run([&] { return async(waits(p.get_future())); });
        const std::jthread setter = thread_outside([&] { p.set_value(1); });
        EXPECT_EQ(f.get(), 1);
        rt.reset();
    }
}

}  // namespace
