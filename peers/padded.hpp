// A value with cache lines of its own.
#pragma once

namespace parley_peers {

template <class T>
struct alignas(128) padded {
    T value{};
};

}  // namespace parley_peers
