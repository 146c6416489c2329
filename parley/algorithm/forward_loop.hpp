// A loop over lists, maps and other ranges whose middle is found only by a walk.
#pragma once

#include <parley/loop.hpp>
#include <parley/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace parley::inline v0::detail {

// The loop is divided at so many iterators at most, which lie at equal distances. If there are more elements than that,
// there are at least half as many iterators.
inline constexpr std::size_t most_marks = 4096;

template <std::forward_iterator Iterator, std::sentinel_for<Iterator> Sentinel>
std::vector<Iterator> marks_in(Iterator first, Sentinel last) {
    std::vector<Iterator> marks;
    std::uint64_t distance = 1;  // a power of two
    for (std::uint64_t n = 0; first != last; ++first, ++n) {
        if ((n & (distance - 1)) != 0) continue;
        poll();
        if (marks.size() == most_marks) {
            for (std::size_t kept = 0; kept < most_marks / 2; ++kept) marks[kept] = marks[2 * kept];
            marks.erase(marks.begin() + most_marks / 2, marks.end());
            distance *= 2;
        }
        marks.push_back(first);
    }
    return marks;
}

template <std::forward_iterator Iterator, std::sentinel_for<Iterator> Sentinel, class F>
void for_each_forward(Iterator first, Sentinel last, F& f) {
    const std::vector<Iterator> marks = marks_in(first, last);
    for_blocks(marks.size(), [&](std::uint64_t from, std::uint64_t to) {
        Iterator i = marks[from];
        if (to == marks.size())
            for (; i != last; ++i) std::invoke(f, *i);
        else
            for (const Iterator& stop = marks[to]; i != stop; ++i) std::invoke(f, *i);
    });
}

}  // namespace parley::inline v0::detail
