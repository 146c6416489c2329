// Unbalanced tree search: counts the nodes of a tree that shows its shape only as it is walked.
// Each node is a task, and all of them are spawned into one scope, so that a tree may be deep
// where the stack is not.
#pragma once

#include <atomic>
#include <cstdint>

#include "programs/uts_tree.hpp"

namespace parley_programs::uts {

/// What one worker saw. Only that worker writes, by plain loads and stores; others may look at any
/// time (relaxed: the sum is exact once the search has ended, which orders all of it).
class tally {
public:
    void note(std::uint32_t depth, bool leaf) noexcept {
        add(nodes_, 1);
        add(leaves_, leaf ? 1 : 0);
        if (depth > depth_.load(std::memory_order_relaxed)) {
            depth_.store(depth, std::memory_order_relaxed);
        }
    }

    /// Between two searches, by whoever starts the next.
    void clear() noexcept {
        nodes_.store(0, std::memory_order_relaxed);
        leaves_.store(0, std::memory_order_relaxed);
        depth_.store(0, std::memory_order_relaxed);
    }

    void add_to(struct totals& sum) const noexcept;

private:
    static void add(std::atomic<std::uint64_t>& count, std::uint64_t more) noexcept {
        count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    }

    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<std::uint64_t> leaves_{0};
    std::atomic<std::uint32_t> depth_{0};
};

struct totals {
    std::uint64_t nodes = 0;
    std::uint64_t depth = 0;
    std::uint64_t leaves = 0;
};

inline void tally::add_to(totals& sum) const noexcept {
    sum.nodes += nodes_.load(std::memory_order_relaxed);
    sum.leaves += leaves_.load(std::memory_order_relaxed);
    const std::uint64_t depth = depth_.load(std::memory_order_relaxed);
    sum.depth = depth > sum.depth ? depth : sum.depth;
}

/// One search with the hash decided; the tasks refer to it.
template <class S, class Hash>
struct search {
    const branching_law& law;
    typename S::template local<tally>& tallies;
    typename S::scope& scope;

    /// A task: 32 bytes of reference, state and depth. It hashes its children, so that those
    /// hashes, which do not depend on each other, overlap in the processor.
    void visit(const node& here) const {
        const branching_law::row row = law.at(here.depth);
        const std::uint32_t value = row.value_of(here.state);
        std::uint32_t index = 0;
        for (; value >= row.bounds[index]; ++index) {
            const node child{Hash::child(here.state, index), here.depth + 1};
            scope.spawn([this, child] { visit(child); });
        }
        tallies.mine().note(here.depth, index == 0);
    }
};

/// A tree on a scheduler, to be searched any number of times.
template <class S>
class searcher {
public:
    searcher(const tree& which, typename S::pool& pool)
        : law_(which), root_(root_of(which)), tallies_(pool) {}

    totals operator()() {
        tallies_.each([](tally& t) { t.clear(); });
        with_best_sha1([this]<class Hash>(Hash) {
            typename S::scope scope;
            const search<S, Hash> all{law_, tallies_, scope};
            scope.spawn([&all, root = root_] { all.visit(root); });
            scope.wait();
        });
        return so_far();
    }

    /// May be called by any thread during a search, then roughly right.
    totals so_far() {
        totals sum;
        tallies_.each([&sum](const tally& t) { t.add_to(sum); });
        return sum;
    }

private:
    branching_law law_;
    node root_;
    typename S::template local<tally> tallies_;
};

}  // namespace parley_programs::uts
