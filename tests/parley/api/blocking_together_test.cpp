// blocking_region together with isolation, other runtimes, cancellation, and in random programs.
#include "tests/parley/api/support.hpp"

#include <optional>
#include <random>

namespace {

using namespace api_test;
using parley::async;
using parley::blocking;
using parley::blocking_region;

TEST(BlockingTogether, InsideIsolatedWaitsEnd) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([&] {
                std::atomic<unsigned> inside{0};
                std::atomic<int> ran{0}, before{0};
                parley::scope all;
                for (unsigned i = 0; i < n; ++i)
                    all.spawn([&] {
                        parley::scope mine;
                        for (int k = 0; k < 5; ++k) mine.spawn([&] { ++before; });
                        parley::isolated([&] {
                            parley::scope s;
                            for (int k = 0; k < 20; ++k) s.spawn([&] { ++ran; });
                            parley::fork_join(
                                [&] {
                                    ++inside;
                                    blocking([&] { block_until([&] { return inside == n; }); });
                                },
                                [&] { ++ran; });
                            s.wait();
                            parley::for_each_index(0, 10, [&](int) { blocking([&] { ++ran; }); });
                        });
                        mine.wait();
                    });
                all.wait();
                EXPECT_EQ(ran, static_cast<int>(31 * n));
                EXPECT_EQ(before, static_cast<int>(5 * n));
            });
    }
}

TEST(BlockingTogether, InATaskOfAnotherRuntimeBothAreLeft) {
    for (const unsigned n : several) {
        parley::runtime outer{{.workers = n}};
        parley::runtime inner{{.workers = 2}};
        for (std::size_t round = 0; round < times(20); ++round)
            outer.run([&] {
                std::atomic<int> ran{0};
                parley::scope s;
                for (int i = 0; i < 20; ++i) s.spawn([&] { ++ran; });
                inner.run([&] {
                    const auto f = async([&] { ++ran; });
                    blocking([&] { block_until([&] { return ran == 21; }); });
                });
                s.wait();
            });
    }
}

TEST(BlockingTogether, ACancelledTaskLeavesItsRegion) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round)
            EXPECT_THROW(rt.run([&] {
                parley::scope s;
                for (int i = 0; i < 20; ++i) s.spawn([] { parley::poll(); });
                const blocking_region here;
                rt.cancel();
                parley::poll();
            }),
                         parley::cancelled);
        EXPECT_EQ(rt.run([] { return fib(5); }), 5U);
    });
}

// Futures in random order, loops and scopes, anything of which may block, under all sizes and strategies.
int tangled(std::mt19937& random, unsigned depth) {
    std::unique_ptr<blocking_region> region;
    std::vector<parley::future<int>> open;
    int sum = 1;
    for (int i = 0; i < 4; ++i) {
        const unsigned seed = static_cast<unsigned>(random());
        if (depth > 0)
            open.push_back(async([seed, depth] {
                std::mt19937 own(seed);
                return tangled(own, depth - 1);
            }));
        switch (random() % 6) {
            case 0: region = std::make_unique<blocking_region>(); break;
            case 1: region.reset(); break;
            case 2: blocking([] { std::this_thread::yield(); }); break;
            case 3: {
                std::atomic<int> n{0};
                parley::for_each_index(0, 20, [&](int k) {
                    if (k % 7 == 3) blocking([] { std::this_thread::yield(); });
                    ++n;
                });
                sum += n;
                break;
            }
            case 4:
                if (open.empty()) break;
                sum += open.back().get();
                open.pop_back();
                break;
            default: {
                const auto [a, b] = parley::fork_join([] { return blocking([] { return fib(3); }); }, [] { return fib(4); });
                sum += static_cast<int>(a + b);
            }
        }
    }
    for (auto& f : open) sum += f.get();
    return sum;
}

TEST(BlockingTogether, AnythingMayBlockAnywhere) {
    for (std::size_t seed = 0; seed < times(40); ++seed) {
        std::optional<int> expected;
        for (const unsigned n : worker_counts)
            for (const auto dry : {parley::threading::dry_mailbox::open, parley::threading::dry_mailbox::closed}) {
                parley::runtime rt{
                    {.workers = n, .seed = seed},
                    {.requests = 1 + static_cast<unsigned>(seed % 2), .early = static_cast<unsigned>(seed % 3), .dry = dry}};
                const int found = rt.run([&] {
                    std::mt19937 random(static_cast<unsigned>(seed));
                    return tangled(random, 4);
                });
                if (!expected) expected = found;
                EXPECT_EQ(found, *expected) << seed << ", workers: " << n;
            }
    }
}

}  // namespace
