// Counting the nodes of an unbalanced tree: every node is a task that spawns its children into the
// same scope. The tree may be as deep as it likes, since no task waits for its children; only the
// scope's owner waits, for all of them.
#include <parley/parley.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>

// A node has up to three children, which depend on its number; most nodes have none.
int children_of(std::uint64_t node) { return node % 5 < 2 ? 3 : 0; }

std::uint64_t child_of(std::uint64_t node, int i) {
    std::uint64_t x = node * 3 + static_cast<std::uint64_t>(i) + 1;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 32;
    return x;
}

struct counting {
    // Each worker counts for itself: nobody shares a counter, so no atomics are needed.
    parley::worker_local<long> nodes;
    parley::scope tasks;  // behind what its tasks use: it is destroyed first, and waits for them

    void visit(std::uint64_t node, int depth) {
        ++nodes.local();
        if (depth == 0) return;
        for (int i = 0; i < children_of(node); ++i)
            tasks.spawn([this, node, i, depth] { visit(child_of(node, i), depth - 1); });
    }
};

long count_serially(std::uint64_t node, int depth) {
    long sum = 1;
    if (depth == 0) return sum;
    for (int i = 0; i < children_of(node); ++i) sum += count_serially(child_of(node, i), depth - 1);
    return sum;
}

int main() {
    const int depth = 24;
    long expected = 0, found = 0;
    for (std::uint64_t root = 0; root < 20; ++root) {
        counting c;
        c.tasks.spawn([&] { c.visit(root, depth); });
        c.tasks.wait();
        found += c.nodes.combine(0L, std::plus<>{});
        expected += count_serially(root, depth);
    }
    std::printf("%ld nodes in 20 trees, serially %ld\n", found, expected);
    return found == expected ? 0 : 1;
}
