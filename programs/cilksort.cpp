#include "programs/cilksort.hpp"

#include <parley/base/rng.hpp>

#include "programs/choice.hpp"
#include "programs/job_of.hpp"
#include "programs/programs.hpp"

namespace parley_programs {
namespace {

constexpr std::ptrdiff_t insertion_sort_up_to = 20;

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

sort_element nth_element_of(parley::base::rng& random) noexcept {
    return static_cast<sort_element>(random.next() >> 33);
}

// A hash of each, so that two wrong elements hardly make up for each other in the sum.
class summer {
public:
    void add(sort_element element) noexcept {
        sum_ += parley::base::rng(static_cast<std::uint64_t>(element)).next();
    }
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_ >> 12; }

private:
    std::uint64_t sum_ = 0;
};

std::uint64_t merges_of(std::uint64_t shorter) noexcept {
    return shorter < serial_merge_below ? 1 : 1 + 2 * merges_of(shorter / 2);
}

}  // namespace

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

void merge_serially(std::span<const sort_element> a, std::span<const sort_element> b,
                    sort_element* out) noexcept {
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
    return {4 * below.sorts + 4,
            4 * below.merges + 2 * merges_of(quarter) + merges_of(2 * quarter)};
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
    return {{"sorted", std::is_sorted(found.begin(), found.end())},
            {"checksum", checksum_of(found)}};
}

namespace {

template <class S>
class cilksort_kernel {
public:
    cilksort_kernel(const json& parameters, typename S::pool&)
        : sort_(parameters.at("n").get<std::size_t>(),
                parameters.at("seed").get<std::uint64_t>()) {}
    void prepare() { sort_.prepare(); }
    std::span<const sort_element> operator()() { return sort_(); }
    static json describe(std::span<const sort_element> found) { return describe_sorted(found); }
    static json so_far() { return nullptr; }

private:
    cilksort<S> sort_;
};

struct row {
    std::string_view size;
    std::int64_t n;
};

// The thesis sorts 10^8 (table 2.1 and section 6.6); the 2014 paper sorts as many, by Quicksort.
constexpr std::array<row, 4> sizes{{{"small", 2'000'000},
                                    {"ch", 100'000'000},
                                    {"thesis", 100'000'000},
                                    {"ch6", 100'000'000}}};

json parameters(const request& wanted) {
    return {{"n", given_or(wanted, "n", row_of(wanted, sizes).n)},
            {"seed", wanted.seed.value_or(1)}};
}

json known(const json& parameters) {
    return {{"sorted", true},
            {"checksum", expected_checksum(parameters.at("n").get<std::uint64_t>(),
                                           parameters.at("seed").get<std::uint64_t>())}};
}

}  // namespace

program cilksort_program() {
    program p{};
    p.name = "cilksort";
    p.summary = "merge sort of n numbers by quarters, with parallel merging";
    p.options = {{"n", "numbers to sort", 0, 1'000'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job_also_in_rust<cilksort_kernel>;
    p.forks = true;
    p.is_in_rust = true;
    return p;
}

}  // namespace parley_programs
