#include "lab/programs/quicksort.hpp"

#include <utility>

#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

sort_element* partition_around_median(sort_element* first, sort_element* last) noexcept {
    sort_element* const middle = first + (last - first) / 2;
    sort_element* const kept = last - 2;  // the pivot, until it is known where it belongs
    if (*middle < *first) {
        std::swap(*middle, *first);
    }
    if (last[-1] < *first) {
        std::swap(last[-1], *first);
    }
    if (last[-1] < *middle) {
        std::swap(last[-1], *middle);
    }
    std::swap(*middle, *kept);
    const sort_element pivot = *kept;
    // Neither runs out of the elements: the first one is not greater than the pivot, which itself stands at the end.
    sort_element* low = first;
    sort_element* high = kept;
    for (;;) {
        while (*++low < pivot) {}
        while (pivot < *--high) {}
        if (low >= high) {
            break;
        }
        std::swap(*low, *high);
    }
    std::swap(*low, *kept);
    return low;
}

namespace {

template <class S>
using quicksort_kernel = sort_kernel<S, quicksort<S>>;

}  // namespace

program quicksort_program() {
    program p{};
    p.name = "quicksort";
    p.summary = "quicksort of n numbers in place, with serial partitioning";
    p.options = {{"n", "numbers to sort", 0, 1'000'000'000, {}}};
    p.parameters = parameters_of_sort;
    p.known = known_of_sort;
    p.make = make_forking_job<quicksort_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
