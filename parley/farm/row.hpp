// A sequence of items.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace parley::inline v0::streaming {

// It is a vector, except that one of bool packs its elements, so there would be no references to them.
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
