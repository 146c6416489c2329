// What is sorted, how a serial quicksort goes about it, and how the result is checked: for the programs that sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "lab/programs/program.hpp"

namespace parley_programs {

using sort_element = std::int32_t;

void insertion_sort(sort_element* first, sort_element* last) noexcept;

// Quicksort with the median of the first, middle and last element as its pivot; insertion sort for
// up to 20 elements.
void quick_sort(std::span<sort_element> elements) noexcept;

// The elements to be sorted: a random sequence.
void fill_with_elements(std::span<sort_element> elements, std::uint64_t seed) noexcept;

// Does not depend on their order: 52 bits, which all readers of JSON take as they are.
[[nodiscard]] std::uint64_t checksum_of(std::span<const sort_element> elements) noexcept;

// The same of the elements to be sorted, which need not be there.
[[nodiscard]] std::uint64_t expected_checksum(std::uint64_t n, std::uint64_t seed) noexcept;

[[nodiscard]] json describe_sorted(std::span<const sort_element> found);

// Of programs that sort n elements: --n and the seed, and what is known of the result.
[[nodiscard]] json parameters_of_sort(const request& wanted);
[[nodiscard]] json known_of_sort(const json& parameters);

// n elements, again and again in the same disorder.
class elements_to_sort {
public:
    elements_to_sort(std::size_t n, std::uint64_t seed)
        : n_(n), seed_(seed), elements_(std::make_unique<sort_element[]>(n)) {}

    // Not timed: a sorted array must be unsorted again.
    void prepare() { fill_with_elements(all(), seed_); }

protected:
    [[nodiscard]] std::span<sort_element> all() noexcept { return {elements_.get(), n_}; }
    [[nodiscard]] std::span<const sort_element> all() const noexcept { return {elements_.get(), n_}; }

private:
    std::size_t n_;
    std::uint64_t seed_;
    std::unique_ptr<sort_element[]> elements_;
};

// The kernel of a program whose Sort is made from n and seed, and returns its elements.
template <class S, class Sort>
class sort_kernel {
public:
    sort_kernel(const json& parameters, typename S::pool&)
        : sort_(parameters.at("n").get<std::size_t>(), parameters.at("seed").get<std::uint64_t>()) {}
    void prepare() { sort_.prepare(); }
    std::span<const sort_element> operator()() { return sort_(); }
    static json describe(std::span<const sort_element> found) { return describe_sorted(found); }
    static json so_far() { return nullptr; }

private:
    Sort sort_;
};

}  // namespace parley_programs
