// The calls of all rows with a policy, or without one.
#pragma once

#include "lab/programs/std/rows.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

namespace parley_programs::std_algorithms {

inline constexpr number marked = ~number{0};

// libstdc++ takes constants only.
template <class Policy>
inline constexpr Policy policy{};

// The policies of two backends are two types, so these are two functions.
template <class... Policy>
struct ways_with {
    static constexpr auto is_odd = [](number x) { return x % 2 == 1; };
    static constexpr auto mixed = [](number x) { return (x ^ x >> 15U) * 0x2c1b3c6dU; };

    // The iterators are in no order with `out`, so what is returned is a number of elements.
    static void keep_end(arrays& a, numbers::iterator end) {
        a.returned = static_cast<std::uint64_t>(end - a.out.begin());
        a.out.resize(a.returned);
    }
    static void keep_place(arrays& a, numbers::iterator place) {
        a.returned = static_cast<std::uint64_t>(place - a.in.begin());
    }

    static std::vector<call> all() {
        return {
            [](arrays& a) { std::for_each(policy<Policy>..., a.in.begin(), a.in.end(), [](number& x) { x = mixed(x); }); },
            [](arrays& a) { std::transform(policy<Policy>..., a.in.begin(), a.in.end(), a.out.begin(), mixed); },
            [](arrays& a) { a.returned = std::reduce(policy<Policy>..., a.in.begin(), a.in.end()); },
            [](arrays& a) {
                a.returned = std::transform_reduce(policy<Policy>..., a.in.begin(), a.in.end(), a.other.begin(), number{0});
            },
            [](arrays& a) { std::sort(policy<Policy>..., a.in.begin(), a.in.end()); },
            [](arrays& a) { std::stable_sort(policy<Policy>..., a.in.begin(), a.in.end()); },
            [](arrays& a) { std::inclusive_scan(policy<Policy>..., a.in.begin(), a.in.end(), a.out.begin()); },
            [](arrays& a) { std::exclusive_scan(policy<Policy>..., a.in.begin(), a.in.end(), a.out.begin(), number{7}); },
            [](arrays& a) { keep_end(a, std::copy_if(policy<Policy>..., a.in.begin(), a.in.end(), a.out.begin(), is_odd)); },
            [](arrays& a) { keep_place(a, std::partition(policy<Policy>..., a.in.begin(), a.in.end(), is_odd)); },
            [](arrays& a) {
                const auto end = std::unique(policy<Policy>..., a.in.begin(), a.in.end());
                keep_place(a, end);
                a.in.erase(end, a.in.end());
            },
            [](arrays& a) {
                keep_end(a, std::merge(policy<Policy>..., a.in.begin(), a.in.end(), a.other.begin(), a.other.end(),
                                       a.out.begin()));
            },
            [](arrays& a) {
                keep_end(a, std::set_union(policy<Policy>..., a.in.begin(), a.in.end(), a.other.begin(), a.other.end(),
                                           a.out.begin()));
            },
            [](arrays& a) { keep_place(a, std::find(policy<Policy>..., a.in.begin(), a.in.end(), marked)); },
            [](arrays& a) { keep_place(a, std::find(policy<Policy>..., a.in.begin(), a.in.end(), marked)); },
            [](arrays& a) { keep_place(a, std::min_element(policy<Policy>..., a.in.begin(), a.in.end())); },
            [](arrays& a) {
                a.returned = static_cast<std::uint64_t>(std::count_if(policy<Policy>..., a.in.begin(), a.in.end(), is_odd));
            },
            [](arrays& a) {
                const auto middle = a.in.begin() + std::ssize(a.in) / 2;
                std::nth_element(policy<Policy>..., a.in.begin(), middle, a.in.end());
                a.returned = *middle;
            },
        };
    }
};

}  // namespace parley_programs::std_algorithms
