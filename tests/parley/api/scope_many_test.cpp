// scope: many tasks, in little memory and on short stacks.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace {

using namespace api_test;
using parley::scope;

long most_memory_kib() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

TEST(ScopeMany, AMillionSpawnsTakeLittleMemory) {
    with_each_size([](parley::runtime& rt) {
        const std::size_t n = times(1'000'000);
        const long before = most_memory_kib();
        std::size_t done = 0;
        rt.run([&] {
            parley::worker_local<std::size_t> ran;
            scope s;
            for (std::size_t i = 0; i < n; ++i) s.spawn([&] { ++ran.local(); });
            s.wait();
            done = ran.combine(std::size_t{0}, std::plus<>{});
        });
        EXPECT_EQ(done, n);
        // 16,000 queued tasks of 64 bytes per worker; a million would be 64 MiB.
        if (!is_sanitized) {
            EXPECT_LT(most_memory_kib() - before, 20 * 1024);
        }
    });
}

// How deep tasks are run inside each other.
class nesting {
public:
    nesting() { deepest() = std::max(deepest(), ++current()); }
    ~nesting() { --current(); }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;
    static int& deepest() {
        thread_local int depth = 0;
        return depth;
    }

private:
    static int& current() {
        thread_local int depth = 0;
        return depth;
    }
};

struct producers {
    explicit producers(parley::runtime& rt) : s(rt), deepest(rt) {}

    void produce(int generation) {
        const nesting here;
        deepest.local() = std::max(deepest.local(), nesting::deepest());
        ++made;
        if (generation == 0) return;
        for (int i = 0; i < 2; ++i) s.spawn([this] { ++leaves; });
        s.spawn([this, generation] { produce(generation - 1); });
        for (int i = 0; i < 8; ++i) s.spawn([this] { ++leaves; });
    }

    scope s;
    std::atomic<int> made{0};
    std::atomic<int> leaves{0};
    parley::worker_local<int> deepest;
};

TEST(ScopeMany, ProducersThatCreateProducersDoNotRecurseWithoutEnd) {
    const int generations = is_sanitized ? 2'000 : 20'000;
    for (const unsigned n : worker_counts) {
        parley::runtime rt{{.workers = n, .queue_bound = 1}};
        // Threads are new with each runtime but this one.
        nesting::deepest() = 0;
        producers all(rt);
        // Fills the queue, so that all the rest is spawned into a full one.
        for (int i = 0; i < 1'100; ++i) all.s.spawn([&] { ++all.leaves; });
        all.s.spawn([&] { all.produce(generations); });
        all.s.wait();
        EXPECT_EQ(all.made, generations + 1);
        EXPECT_EQ(all.leaves, 1'100 + 10 * generations);
        const int deepest = all.deepest.combine(0, [](int a, int b) { return std::max(a, b); });
        EXPECT_LE(deepest, 32) << "workers: " << n;
    }
}

// The same tree with the newest task spawned last, from inside run().
TEST(ScopeMany, WideTreeWithAFullQueue) {
    struct tree {
        static void node(scope& s, std::atomic<int>& nodes, int depth) {
            ++nodes;
            if (depth == 0) return;
            const auto child = [&s, &nodes, depth] { node(s, nodes, depth - 1); };
            for (int i = 0; i < 50; ++i) s.spawn(child);
        }
    };
    for (const unsigned n : worker_counts) {
        parley::runtime rt{{.workers = n, .queue_bound = 1}};
        std::atomic<int> nodes{0};
        const int depth = is_sanitized ? 2 : 3;
        rt.run([&] {
            scope s;
            tree::node(s, nodes, depth);
            s.wait();
        });
        EXPECT_EQ(nodes, is_sanitized ? 1 + 50 + 2'500 : 1 + 50 + 2'500 + 125'000);
    }
}

TEST(ScopeMany, ExceptionsOfTasksThatRunAtOnceArriveAtWait) {
    parley::runtime rt{{.workers = 1, .queue_bound = 1}};
    rt.run([] {
        scope s;
        int spawned = 0;
        for (; spawned < 3'000; ++spawned)  // beyond the bound they run inside spawn()
            ASSERT_NO_THROW(s.spawn([] { throw boom{}; }));
        EXPECT_THROW(s.wait(), boom);
    });
}

TEST(ScopeMany, ManyScopesNestedWithAFullQueue) {
    for (const unsigned n : worker_counts) {
        parley::runtime rt{{.workers = n, .queue_bound = 1}};
        std::atomic<int> done{0};
        rt.run([&] {
            scope outer;
            for (int i = 0; i < 2'000; ++i)
                outer.spawn([&] {
                    scope inner;
                    for (int k = 0; k < 5; ++k) inner.spawn([&] { ++done; });
                    inner.wait();
                });
            outer.wait();
        });
        EXPECT_EQ(done, 10'000);
    }
}

}  // namespace
