// Items one after the other.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace parley::inline v0::streaming {

// A vector; but one of bool packs its elements, so that there are no references to them.
template <class T>
struct row_of {
    using type = std::vector<T>;
};
template <>
struct row_of<bool> {
    struct type : std::deque<bool> {
        void reserve(std::size_t) noexcept {}
    };
};
template <class T>
using row = typename row_of<T>::type;

}  // namespace parley::inline v0::streaming
