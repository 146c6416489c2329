// Partitions for sorts: elements that go left come first. And partitions of parts become one.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/small_sort.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace parley::inline v0::detail {

// Returns where the elements begin that do not go left. It only swaps, so no element is lost if goes_left throws. The
// form without branches is Lomuto's partition as in A. Alexandrescu, "Lomuto's Comeback" (2020).
template <class Iterator, class GoesLeft>
Iterator partition_serially(Iterator first, Iterator last, GoesLeft goes_left) {
    using value = std::iter_value_t<Iterator>;
    if constexpr (moved_without_branches<value>) {
        Iterator border = first;
        for (Iterator i = first; i != last; ++i) {
            value v = *i;
            const bool left = goes_left(v);
            *i = *border;
            *border = v;
            border += left ? 1 : 0;
        }
        return border;
    } else {
        return std::ranges::partition(first, last, goes_left).begin();
    }
}

// A list of places: runs of elements, numbered one after the other. Two lists of one length are swapped with each
// other.
class places {
public:
    void add(std::uint64_t first, std::uint64_t last) {
        if (first >= last) return;
        firsts_.push_back(first);
        before_.push_back(total_);
        total_ += last - first;
    }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

    // Calls run(place, how many) for the places number [from, to) in the list.
    template <class Run>
    void for_runs(std::uint64_t from, std::uint64_t to, Run run) const {
        auto k = static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), from) - before_.begin()) - 1;
        for (; from < to; ++k) {
            const std::uint64_t end = std::min(to, k + 1 < before_.size() ? before_[k + 1] : total_);
            run(firsts_[k] + (from - before_[k]), end - from);
            from = end;
        }
    }

private:
    std::vector<std::uint64_t> firsts_, before_;
    std::uint64_t total_ = 0;
};

// A run of elements that is partitioned already.
struct partitioned {
    std::uint64_t first, border, last;
};

// Makes one partition of such runs, which lie side by side, and returns its border. Elements on the wrong side of it are
// swapped with each other.
template <class Iterator>
std::uint64_t join_partitions(Iterator first, const std::vector<partitioned>& runs) {
    std::uint64_t border = 0;
    for (const partitioned& run : runs) border += run.border - run.first;
    places wrong_left, wrong_right;
    for (const partitioned& run : runs) {
        wrong_left.add(run.border, std::min(run.last, border));
        wrong_right.add(std::max(run.first, border), run.border);
    }
    for_blocks(wrong_left.total(), [&, first](std::uint64_t from, std::uint64_t to) {
        wrong_left.for_runs(from, to, [&](std::uint64_t place, std::uint64_t n) {
            wrong_right.for_runs(from, from + n, [&](std::uint64_t other, std::uint64_t m) {
                std::swap_ranges(iterator_at(first, place), iterator_at(first, place + m), iterator_at(first, other));
                place += m;
            });
            from += n;
        });
    });
    return border;
}

// Partitions in parallel: first each chunk by itself. Then about a quarter of all elements are swapped.
template <class Iterator, class GoesLeft>
Iterator partition_in_parallel(Iterator first, Iterator last, std::uint64_t chunks, GoesLeft goes_left) {
    const std::uint64_t count = length_of(first, last);
    const std::uint64_t length = count / chunks + 1;
    std::vector<partitioned> runs(chunks);
    parley::for_each_index(std::uint64_t{0}, chunks, [&](std::uint64_t c) {
        const std::uint64_t from = std::min(c * length, count), to = std::min(from + length, count);
        const auto border = partition_serially(iterator_at(first, from), iterator_at(first, to), goes_left);
        runs[c] = {from, static_cast<std::uint64_t>(border - first), to};
    });
    return iterator_at(first, join_partitions(first, runs));
}

}  // namespace parley::inline v0::detail
