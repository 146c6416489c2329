// Quicksort in place: an array is partitioned serially, and its two parts are sorted in parallel (thesis, section 2.8).
// The first partition goes over all elements, so that speedup is bounded whoever schedules (section 6.6).
#pragma once

#include <cstddef>
#include <span>

#include "lab/programs/fork_both.hpp"
#include "lab/programs/sorting.hpp"

namespace parley_programs::inline v0 {

// Fewer elements are sorted by insertion. The thesis says that 100 are, too, but its 1,697,314 tasks of sorting 10^8
// elements are those of 99: with 100 there would be one in a hundred less.
constexpr std::size_t quicksort_from = 100;

// Around the median of the first, middle and last element, which goes to its place: returns that. What lies before it
// is not greater and what lies behind not smaller, both nearly in random order if all was. Three elements or more.
[[nodiscard]] sort_element* partition_around_median(sort_element* first, sort_element* last) noexcept;

// One task for each partition, as the thesis counts them.
template <class S>
void quicksort_in_parallel(std::span<sort_element> elements) {
    sort_element* const first = elements.data();
    sort_element* const last = first + elements.size();
    if (elements.size() < quicksort_from) {
        insertion_sort(first, last);
        return;
    }
    sort_element* const pivot = partition_around_median(first, last);
    fork_both<S>([=] { quicksort_in_parallel<S>({first, pivot}); }, [=] { quicksort_in_parallel<S>({pivot + 1, last}); });
}

template <class S>
class quicksort : public elements_to_sort {
public:
    using elements_to_sort::elements_to_sort;

    std::span<const sort_element> operator()() {
        quicksort_in_parallel<S>(all());
        return all();
    }
};

}  // namespace parley_programs::inline v0
