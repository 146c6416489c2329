#include "lab/programs/sorting.hpp"

#include <algorithm>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"

namespace parley_programs {
namespace {

constexpr std::ptrdiff_t insertion_sort_up_to = 20;

sort_element median(sort_element a, sort_element b, sort_element c) noexcept {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// Hoare's. Returns where the second part begins; neither is empty, for at least two of the three
// elements that the pivot is chosen from are not smaller than it, and two not greater.
sort_element* partition(sort_element* first, sort_element* last) noexcept {
    const sort_element pivot = median(*first, first[(last - first) / 2], last[-1]);
    sort_element* low = first;
    sort_element* high = last - 1;
    for (;; ++low, --high) {
        while (*low < pivot) {
            ++low;
        }
        while (pivot < *high) {
            --high;
        }
        if (low >= high) {
            return high + 1;
        }
        std::swap(*low, *high);
    }
}

sort_element nth_element_of(parley::base::rng& random) noexcept { return static_cast<sort_element>(random.next() >> 33); }

// A hash of each, so that two wrong elements hardly make up for each other in the sum.
class summer {
public:
    void add(sort_element element) noexcept { sum_ += parley::base::rng(static_cast<std::uint64_t>(element)).next(); }
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_ >> 12; }

private:
    std::uint64_t sum_ = 0;
};

struct row {
    std::string_view size;
    std::int64_t n;
};

// The thesis sorts 10^8 (table 2.1 and section 6.6), the 2014 paper as many.
constexpr std::array<row, 4> sizes{
    {{"small", 2'000'000}, {"ch", 100'000'000}, {"thesis", 100'000'000}, {"ch6", 100'000'000}}};

}  // namespace

void insertion_sort(sort_element* first, sort_element* last) noexcept {
    for (sort_element* next = first; next != last; ++next) {
        const sort_element value = *next;
        sort_element* hole = next;
        for (; hole != first && value < hole[-1]; --hole) {
            *hole = hole[-1];
        }
        *hole = value;
    }
}

void quick_sort(std::span<sort_element> elements) noexcept {
    sort_element* first = elements.data();
    sort_element* last = first + elements.size();
    while (last - first > insertion_sort_up_to) {
        sort_element* const middle = partition(first, last);
        if (middle - first < last - middle) {  // the longer part by this loop: a shallow stack
            quick_sort({first, middle});
            first = middle;
        } else {
            quick_sort({middle, last});
            last = middle;
        }
    }
    insertion_sort(first, last);
}

void fill_with_elements(std::span<sort_element> elements, std::uint64_t seed) noexcept {
    parley::base::rng random(seed);
    for (sort_element& element : elements) {
        element = nth_element_of(random);
    }
}

std::uint64_t checksum_of(std::span<const sort_element> elements) noexcept {
    summer s;
    for (const sort_element element : elements) {
        s.add(element);
    }
    return s.sum();
}

std::uint64_t expected_checksum(std::uint64_t n, std::uint64_t seed) noexcept {
    parley::base::rng random(seed);
    summer s;
    for (; n > 0; --n) {
        s.add(nth_element_of(random));
    }
    return s.sum();
}

json describe_sorted(std::span<const sort_element> found) {
    return {{"sorted", std::is_sorted(found.begin(), found.end())}, {"checksum", checksum_of(found)}};
}

json parameters_of_sort(const request& wanted) {
    return {{"n", given_or(wanted, "n", row_of(wanted, sizes).n)}, {"seed", wanted.seed.value_or(1)}};
}

json known_of_sort(const json& parameters) {
    return {{"sorted", true},
            {"checksum",
             expected_checksum(parameters.at("n").get<std::uint64_t>(), parameters.at("seed").get<std::uint64_t>())}};
}

}  // namespace parley_programs
