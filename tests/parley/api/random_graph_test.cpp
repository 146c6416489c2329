// Random task graphs: every node randomly forks, spawns, loops, fetches futures, polls or throws, with high or
// normal priority;
// the same graph is computed serially and must give the same result.
// SEED_OF_TEST=n replays one.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>

namespace {

using namespace api_test;

// A node is known by its number alone, so that both computations see the same graph.
class node {
public:
    node(std::uint64_t seed, unsigned depth) : bits_(mix(seed)), depth_(depth) {}

    enum class kind { leaf, fork, fork_many, async, scope, scope_tree, loop, guarded, throws };
    [[nodiscard]] kind what() const {
        if (depth_ == 0) return bits_ % 64 == 0 ? kind::throws : kind::leaf;
        static constexpr kind inner[] = {kind::fork,       kind::fork, kind::fork_many, kind::async,   kind::scope,
                                         kind::scope_tree, kind::loop, kind::guarded,   kind::guarded, kind::leaf};
        return inner[bits_ % 10];
    }
    [[nodiscard]] unsigned children() const {
        switch (what()) {
            case kind::leaf:
            case kind::throws: return 0;
            case kind::guarded: return 1;
            case kind::fork:
            case kind::async: return 2;
            case kind::fork_many: return 3;
            default: return 2 + static_cast<unsigned>((bits_ >> 8) % 4);
        }
    }
    [[nodiscard]] node child(unsigned i) const { return {bits_ + i + 1, depth_ - 1}; }
    [[nodiscard]] std::uint64_t own() const { return bits_ >> 32; }
    [[nodiscard]] parley::priority urgency() const {
        return (bits_ >> 16) % 3 == 0 ? parley::priority::high : parley::priority::normal;
    }

private:
    static std::uint64_t mix(std::uint64_t x) {  // splitmix64
        x += 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }
    std::uint64_t bits_;
    unsigned depth_;
};
using kind = node::kind;

constexpr std::uint64_t caught = 12345;

// Nothing if the node throws.
std::optional<std::uint64_t> serially(node n) {
    if (n.what() == kind::throws) return std::nullopt;
    std::uint64_t sum = n.own();
    for (unsigned i = 0; i < n.children(); ++i) {
        const auto value = serially(n.child(i));
        if (!value && n.what() != kind::guarded) return std::nullopt;
        sum += value.value_or(caught);
    }
    return sum;
}

std::uint64_t in_parallel(node n, tally& alive);

std::uint64_t by_scope(node n, tally& alive) {
    std::atomic<std::uint64_t> sum{0};
    parley::scope s;
    for (unsigned i = 0; i < n.children(); ++i)
        s.spawn(n.child(i).urgency(), [&, i, c = counted(alive)] { sum += in_parallel(n.child(i), alive); });
    s.wait();
    return sum;
}

// Each task spawns the next one.
std::uint64_t by_scope_tree(node n, tally& alive) {
    std::atomic<std::uint64_t> sum{0};
    parley::scope s;
    const std::function<void(unsigned)> next = [&](unsigned i) {
        if (i == n.children()) return;
        s.spawn(n.child(i).urgency(), [&, i, c = counted(alive)] { next(i + 1); });
        sum += in_parallel(n.child(i), alive);
    };
    s.spawn([&] { next(0); });
    s.wait();
    return sum;
}

std::uint64_t by_loop(node n, tally& alive) {
    std::atomic<std::uint64_t> sum{0};
    parley::for_each_index(0U, n.children(), [&](unsigned i) { sum += in_parallel(n.child(i), alive); });
    return sum;
}

std::uint64_t children_in_parallel(node n, tally& alive) {
    const auto child = [n, &alive, c = counted(alive)](unsigned i) {
        return [n, &alive, c, i] { return in_parallel(n.child(i), alive); };
    };
    switch (n.what()) {
        case kind::leaf: return 0;
        case kind::throws: throw boom{};
        case kind::fork: {
            const auto [a, b] = parley::fork_join(child(0), child(1));
            return a + b;
        }
        case kind::fork_many: {
            const auto [a, b, d] = parley::fork_join(child(0), child(1), child(2));
            return a + b + d;
        }
        case kind::async: {
            auto a = parley::async(n.child(0).urgency(), child(0));
            auto b = parley::async(n.child(1).urgency(), child(1));
            const std::uint64_t first = a.get();  // b is joined by its destructor if this throws
            return first + b.get();
        }
        case kind::scope: return by_scope(n, alive);
        case kind::scope_tree: return by_scope_tree(n, alive);
        case kind::loop: return by_loop(n, alive);
        case kind::guarded: break;
    }
    try {
        return in_parallel(n.child(0), alive);
    } catch (const boom&) {
        return caught;
    }
}

std::uint64_t in_parallel(node n, tally& alive) {
    const counted here(alive);
    if (n.own() % 4 == 0) parley::poll();
    return n.own() + children_in_parallel(n, alive);
}

std::uint64_t first_seed() {
    if (const char* given = std::getenv("SEED_OF_TEST")) return std::stoull(given);
    return std::random_device{}();
}

void check(parley::runtime& rt, node root) {
    tally alive{0};
    const auto expected = serially(root);
    if (expected) {
        EXPECT_EQ(rt.run([&] { return in_parallel(root, alive); }), *expected);
    } else {
        EXPECT_THROW(rt.run([&] { return in_parallel(root, alive); }), boom);
    }
    EXPECT_EQ(alive, 0);
}

// Calls body(seed) with one seed after another, one alone if it is given.
template <class Body>
void with_seeds(std::size_t n, Body body) {
    std::uint64_t seed = first_seed();
    if (std::getenv("SEED_OF_TEST") != nullptr) n = 1;
    for (std::size_t i = 0; i < n && !testing::Test::HasFailure(); ++i, ++seed) {
        SCOPED_TRACE("SEED_OF_TEST=" + std::to_string(seed));
        body(seed);
    }
}

TEST(RandomGraph, GivesWhatTheSerialComputationGives) {
    with_each_size(
        [](parley::runtime& rt) { with_seeds(times(100), [&](std::uint64_t seed) { check(rt, node(seed, 7)); }); });
}

TEST(RandomGraph, WithTinyQueues) {
    for (const unsigned n : worker_counts) {
        parley::runtime rt{{.workers = n, .queue_bound = 1}, {.steal = parley::threading::stealing::half}};
        with_seeds(times(50), [&](std::uint64_t seed) { check(rt, node(seed, 7)); });
    }
}

TEST(RandomGraph, FromManyThreadsAtOnce) {
    with_each_size([](parley::runtime& rt) {
        with_seeds(times(30),
                   [&](std::uint64_t seed) { in_threads(4, [&](unsigned me) { check(rt, node(seed * 4 + me, 5)); }); });
    });
}

// Cancelled at some moment: a run gives the right result, its own exception, or `cancelled`.
TEST(RandomGraph, CancelledAtSomeMoment) {
    with_each_size([](parley::runtime& rt) {
        with_seeds(times(50), [&](std::uint64_t seed) {
            tally alive{0};
            const node root(seed, 8);
            const auto expected = serially(root);
            std::atomic<bool> begun{false};
            std::thread other([&] {
                while (!begun) std::this_thread::yield();
                std::this_thread::sleep_for(std::chrono::microseconds(seed % 200));
                rt.cancel();
            });
            try {
                const auto value = rt.run([&] {
                    begun = true;
                    return in_parallel(root, alive);
                });
                EXPECT_EQ(expected, value);
            } catch (const boom&) {
                EXPECT_FALSE(expected);
            } catch (const parley::cancelled&) {}
            other.join();
            EXPECT_EQ(alive, 0);
            check(rt, node(seed, 3));
        });
    });
}

}  // namespace
