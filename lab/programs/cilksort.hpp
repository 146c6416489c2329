// Merge sort as in MIT Cilk: four quarters are sorted, then merged in pairs, then the two halves,
// and merging is parallel, too: it cuts the longer part in its middle and the other one where that
// middle belongs. Below some length both go on serially. Limits and task counts are those of the
// thesis (section 2.8, table 2.1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "lab/programs/fork_both.hpp"
#include "lab/programs/sorting.hpp"

namespace parley_programs::inline v0 {

// What is shorter is sorted serially. MIT Cilk's 2048. The thesis says 1024, but its 87,380 tasks
// of sorting 10^8 elements are those of 2048: the 4^8 parts of 1,526 elements are not divided.
constexpr std::size_t serial_sort_below = 2048;

// Two runs of which the shorter is shorter than this are merged serially.
constexpr std::size_t serial_merge_below = 2048;

// Merges two sorted runs.
void merge_serially(std::span<const sort_element> a, std::span<const sort_element> b, sort_element* out) noexcept;

template <class S>
void merge_in_parallel(std::span<const sort_element> a, std::span<const sort_element> b, sort_element* out) {
    if (a.size() < b.size()) {
        std::swap(a, b);
    }
    if (b.size() < serial_merge_below) {
        merge_serially(a, b, out);
        return;
    }
    const std::size_t cut = a.size() / 2;
    const auto other_cut = static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[cut]) - b.begin());
    fork_both<S>([&] { merge_in_parallel<S>(a.first(cut), b.first(other_cut), out); },
                 [&] { merge_in_parallel<S>(a.subspan(cut), b.subspan(other_cut), out + cut + other_cut); });
}

// Sorts `elements`; `scratch` has as many.
template <class S>
void sort_in_parallel(std::span<sort_element> elements, sort_element* scratch) {
    if (elements.size() < serial_sort_below) {
        quick_sort(elements);
        return;
    }
    const std::size_t quarter = elements.size() / 4;
    const auto a = elements.first(quarter);
    const auto b = elements.subspan(quarter, quarter);
    const auto c = elements.subspan(2 * quarter, quarter);
    const auto d = elements.subspan(3 * quarter);
    fork_both<S>(
        [&] { fork_both<S>([&] { sort_in_parallel<S>(a, scratch); }, [&] { sort_in_parallel<S>(b, scratch + quarter); }); },
        [&] {
            fork_both<S>([&] { sort_in_parallel<S>(c, scratch + 2 * quarter); },
                         [&] { sort_in_parallel<S>(d, scratch + 3 * quarter); });
        });
    const std::span<sort_element> halves(scratch, elements.size());
    fork_both<S>([&] { merge_in_parallel<S>(a, b, halves.data()); },
                 [&] { merge_in_parallel<S>(c, d, halves.data() + 2 * quarter); });
    merge_in_parallel<S>(halves.first(2 * quarter), halves.subspan(2 * quarter), elements.data());
}

// Calls of the two below the first one, if merging always cuts both runs in their middles, as it
// nearly does with random elements: what the thesis counts as tasks.
struct sort_calls {
    std::uint64_t sorts = 0;
    std::uint64_t merges = 0;
    friend bool operator==(const sort_calls&, const sort_calls&) = default;
};
[[nodiscard]] sort_calls calls_of_cilksort(std::uint64_t n) noexcept;

template <class S>
class cilksort : public elements_to_sort {
public:
    cilksort(std::size_t n, std::uint64_t seed) : elements_to_sort(n, seed), scratch_(std::make_unique<sort_element[]>(n)) {}

    std::span<const sort_element> operator()() {
        if constexpr (parley_peers::in_rust<S>) {
            S::cilksort(all().data(), scratch_.get(), all().size());
        } else {
            sort_in_parallel<S>(all(), scratch_.get());
        }
        return all();
    }

private:
    std::unique_ptr<sort_element[]> scratch_;
};

}  // namespace parley_programs::inline v0
