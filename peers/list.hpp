// The schedulers of this build, and those that it could have had.
#pragma once

#include <string_view>
#include <vector>

#include "peers/deque.hpp"
#include "peers/parley.hpp"
#include "peers/serial.hpp"
#if defined(PARLEY_WITH_TBB)
#include "peers/tbb.hpp"
#endif
#if defined(PARLEY_WITH_OPENMP)
#include "peers/openmp.hpp"
#endif

namespace parley_peers {

template <class... Schedulers>
struct list {};

using built = list<parley, deque,
#if defined(PARLEY_WITH_TBB)
                   tbb,
#endif
#if defined(PARLEY_WITH_OPENMP)
                   openmp,
#endif
                   serial>;

/// A scheduler that was not built, and the Debian package without which it is not.
struct left_out {
    std::string_view name;
    std::string_view package;
};

inline std::vector<left_out> not_built() {
    std::vector<left_out> all;
#if !defined(PARLEY_WITH_TBB)
    all.push_back({"tbb", "libtbb-dev"});
#endif
#if !defined(PARLEY_WITH_OPENMP)
    all.push_back({"openmp", "libomp-16-dev (g++ needs none)"});
#endif
    return all;
}

}  // namespace parley_peers
