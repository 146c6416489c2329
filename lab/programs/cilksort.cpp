#include "lab/programs/cilksort.hpp"

#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

std::uint64_t merges_of(std::uint64_t shorter) noexcept {
    return shorter < serial_merge_below ? 1 : 1 + 2 * merges_of(shorter / 2);
}

}  // namespace

void merge_serially(std::span<const sort_element> a, std::span<const sort_element> b, sort_element* out) noexcept {
    const sort_element* left = a.data();
    const sort_element* right = b.data();
    const sort_element* const end_of_left = left + a.size();
    const sort_element* const end_of_right = right + b.size();
    while (left != end_of_left && right != end_of_right) {
        // No branch: which of the two it is cannot be predicted.
        const bool from_right = *right < *left;
        *out++ = from_right ? *right : *left;
        right += from_right ? 1 : 0;
        left += from_right ? 0 : 1;
    }
    out = std::copy(left, end_of_left, out);
    std::copy(right, end_of_right, out);
}

sort_calls calls_of_cilksort(std::uint64_t n) noexcept {
    if (n < serial_sort_below) {
        return {};
    }
    const std::uint64_t quarter = n / 4;
    const sort_calls below = calls_of_cilksort(quarter);
    return {4 * below.sorts + 4, 4 * below.merges + 2 * merges_of(quarter) + merges_of(2 * quarter)};
}

namespace {

template <class S>
using cilksort_kernel = sort_kernel<S, cilksort<S>>;

}  // namespace

program cilksort_program() {
    program p{};
    p.name = "cilksort";
    p.summary = "merge sort of n numbers by quarters, with parallel merging";
    p.options = {{"n", "numbers to sort", 0, 1'000'000'000, {}}};
    p.parameters = parameters_of_sort;
    p.known = known_of_sort;
    p.make = make_forking_job_also_in_rust<cilksort_kernel>;
    p.forks = true;
    p.is_in_rust = true;
    return p;
}

}  // namespace parley_programs::inline v0
