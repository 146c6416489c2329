// Unbalanced tree search: counts the nodes of a tree that shows its shape only as it is walked.
// Each node is a task, and all of them are spawned into one group, so that a tree may be deep
// where the stack is not.
#pragma once

#include <atomic>
#include <cstdint>

#include "lab/programs/uts_tree.hpp"

namespace parley_programs::uts {

struct totals {
    std::uint64_t nodes = 0;
    std::uint64_t depth = 0;
    std::uint64_t leaves = 0;
};

// What one worker saw: the children of the nodes that have any. Of a leaf there is nothing to
// note, and most nodes are leaves. Only that worker writes, by plain loads and stores; others may
// look at any time (relaxed: the sum is exact once the search has ended, which orders all of it).
class tally {
public:
    void note(std::uint32_t children, std::uint32_t their_depth) noexcept {
        add(children_, children);
        add(parents_, 1);
        if (their_depth > depth_.load(std::memory_order_relaxed)) {
            depth_.store(their_depth, std::memory_order_relaxed);
        }
    }

    // Between two searches, by whoever starts the next.
    void clear() noexcept {
        children_.store(0, std::memory_order_relaxed);
        parents_.store(0, std::memory_order_relaxed);
        depth_.store(0, std::memory_order_relaxed);
    }

    // Every node but the root is a child; those that are no parents are leaves.
    void add_to(totals& sum) const noexcept {
        const std::uint64_t parents = parents_.load(std::memory_order_relaxed);
        const std::uint64_t children = children_.load(std::memory_order_relaxed);
        const std::uint64_t depth = depth_.load(std::memory_order_relaxed);
        sum.nodes += children;
        sum.leaves += children > parents ? children - parents : 0;
        sum.depth = depth > sum.depth ? depth : sum.depth;
    }

private:
    static void add(std::atomic<std::uint64_t>& count, std::uint64_t more) noexcept {
        count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    }

    std::atomic<std::uint64_t> children_{0};
    std::atomic<std::uint64_t> parents_{0};
    std::atomic<std::uint32_t> depth_{0};
};

// One search with the hash decided; the tasks refer to it. On the serial scheduler this is plain
// recursion; a loop with a stack of its own takes the same time within a few per cent, now more,
// now less (lab/bench/baselines.cpp measures both).
template <class S, class Hash>
struct search {
    const branching_law& law;
    typename S::template local<tally>& tallies;
    typename S::group& group;

    // A task: 32 bytes of reference, state and depth. It hashes its children, so that those
    // hashes, which do not depend on each other, overlap in the processor.
    void visit(const node& here) const {
        const branching_law::row row = law.at(here.depth);
        const std::uint32_t value = row.value_of(here.state);
        std::uint32_t index = 0;
        for (; value >= row.bounds[index]; ++index) {
            const node child{Hash::child(here.state, index), here.depth + 1};
            group.spawn([this, child] { visit(child); });
        }
        if (index > 0) {
            tallies.mine().note(index, here.depth + 1);
        }
    }
};

// A tree on a scheduler, to be searched any number of times.
template <class S>
class searcher {
public:
    static constexpr bool can_be_watched = true;

    searcher(const tree& which, typename S::pool& pool, sha1_choice hash = sha1_choice::best)
        : law_(which), root_(root_of(which)), tallies_(pool), hash_(hash) {}

    totals operator()() {
        tallies_.each([](tally& t) { t.clear(); });
        with_sha1(hash_, [this]<class Hash>(Hash) {
            typename S::group group;
            const search<S, Hash> all{law_, tallies_, group};
            group.run([&] { group.spawn([&all, root = root_] { all.visit(root); }); });
        });
        return so_far();
    }

    // May be called by any thread during a search, then roughly right.
    totals so_far() {
        totals sum{1, 0, 1};  // the root, which is nobody's child
        tallies_.each([&sum](const tally& t) { t.add_to(sum); });
        return sum;
    }

private:
    branching_law law_;
    node root_;
    typename S::template local<tally> tallies_;
    sha1_choice hash_;
};

}  // namespace parley_programs::uts
