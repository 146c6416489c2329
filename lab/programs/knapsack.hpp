// The knapsack problem by branch and bound: of n items, which go in so that their weight is at most the capacity and
// their value is greatest? One task for each item that is taken or left, no cut-off. All share the best value found so
// far, and whoever cannot exceed it gives up: how many tasks there are depends on who was first, the result does not.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lab/programs/fork_both.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

struct knapsack_item {
    std::uint64_t value;
    std::uint64_t weight;
};

// Items in the order of value / weight, the greatest first.
struct knapsack_instance {
    std::vector<knapsack_item> items;
    std::uint64_t capacity = 0;
};

// Weights are drawn between 1000 and 1099, and each value is the item's weight and 100: about half of the items fit,
// and which of them matters so little that bounds leave much to search. Of weights and values that differ more, 28
// items would be a matter of microseconds.
[[nodiscard]] knapsack_instance make_knapsack(std::size_t n, std::uint64_t seed);

// The greatest value, by dynamic programming over capacities: n times the capacity steps.
[[nodiscard]] std::uint64_t best_by_table(const knapsack_instance& instance);

template <class S>
class knapsack {
public:
    explicit knapsack(knapsack_instance instance) : instance_(std::move(instance)) {}

    // Not timed.
    void prepare() { best_.store(0, std::memory_order_relaxed); }

    std::uint64_t operator()() {
        search(0, instance_.capacity, 0);
        return best();
    }

    // Of what has been found; any thread may ask.
    [[nodiscard]] std::uint64_t best() const noexcept { return best_.load(std::memory_order_relaxed); }

private:
    // The items before `next` are decided: they left `room` and are worth `value`.
    void search(std::size_t next, std::uint64_t room, std::uint64_t value) {
        const std::vector<knapsack_item>& items = instance_.items;
        raise_best_to(value);
        while (next < items.size() && items[next].weight > room) {
            ++next;
        }
        if (next == items.size() || bound(next, room, value) <= best()) {
            return;
        }
        const knapsack_item item = items[next];
        fork_both<S>([=, this] { search(next + 1, room - item.weight, value + item.value); },
                     [=, this] { search(next + 1, room, value); });
    }

    // As if what does not fit could be cut: the rest in order of value / weight, and of the last one a part.
    [[nodiscard]] std::uint64_t bound(std::size_t next, std::uint64_t room, std::uint64_t value) const noexcept {
        for (const std::vector<knapsack_item>& items = instance_.items; next < items.size(); ++next) {
            const knapsack_item item = items[next];
            if (item.weight > room) {
                return value + room * item.value / item.weight;
            }
            room -= item.weight;
            value += item.value;
        }
        return value;
    }

    // Relaxed: nothing else is read because of it, and the forks' joins order it before the end.
    void raise_best_to(std::uint64_t value) noexcept {
        std::uint64_t seen = best();
        while (seen < value && !best_.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {}
    }

    knapsack_instance instance_;
    alignas(64) std::atomic<std::uint64_t> best_{0};  // written seldom, read by every task
};

}  // namespace parley_programs::inline v0
