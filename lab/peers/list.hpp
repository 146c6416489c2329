// The schedulers of this build, and those that it could have had.
#pragma once

#include <string_view>
#include <vector>

#include "lab/peers/parley.hpp"
#include "lab/peers/serial.hpp"
#include "lab/peers/streams/parley.hpp"
#if !defined(PARLEY_MACHINE)
#include "lab/peers/deque.hpp"
#include "lab/peers/parley_futures.hpp"
#include "lab/peers/streams/queue.hpp"
#include "lab/peers/streams/serial.hpp"
#if defined(PARLEY_WITH_TBB)
#include "lab/peers/streams/tbb.hpp"
#include "lab/peers/tbb.hpp"
#include "lab/peers/tbb_affinity.hpp"
#endif
#if defined(PARLEY_WITH_OPENMP)
#include "lab/peers/openmp.hpp"
#include "lab/peers/openmp_loops.hpp"
#include "lab/peers/openmp_region.hpp"
#endif
#if defined(PARLEY_WITH_RUST)
#include "lab/peers/rust.hpp"
#endif
#endif

namespace parley_peers::inline v0 {

template <class... Schedulers>
struct list {};

#if defined(PARLEY_MACHINE)
// Programs are compiled a second time for this one, and nothing else.
using built = list<parley>;
using built_for_loops = built;
using built_for_phases = built;
using built_for_streams = list<parley_streams>;
using built_with_futures = list<>;
using built_in_rust = list<>;
#else
using built = list<parley, deque,
#if defined(PARLEY_WITH_TBB)
                   tbb,
#endif
#if defined(PARLEY_WITH_OPENMP)
                   openmp,
#endif
                   serial>;

// For programs that consist of loops: the same names.
using built_for_loops = list<parley, deque,
#if defined(PARLEY_WITH_TBB)
                             tbb,
#endif
#if defined(PARLEY_WITH_OPENMP)
                             openmp_loops,
#endif
                             serial>;

// For programs of many short loops, one after another: what schedulers have for those as well.
using built_for_phases = list<parley, deque,
#if defined(PARLEY_WITH_TBB)
                              tbb, tbb_affinity,
#endif
#if defined(PARLEY_WITH_OPENMP)
                              openmp_loops, openmp_region,
#endif
#if defined(PARLEY_WITH_RUST)
                              rayon,
#endif
                              serial>;

// For programs that are streams: the same names, and `queue`.
using built_for_streams = list<parley_streams,
#if defined(PARLEY_WITH_TBB)
                               tbb_streams,
#endif
                               queue_streams, serial_streams>;

// For the programs that fork and await: the thesis' futures, where they are named.
using built_with_futures = list<parley_channel, parley_free_list>;

// For the programs that have a form in Rust.
#if defined(PARLEY_WITH_RUST)
using built_in_rust = list<rayon, chili>;
#else
using built_in_rust = list<>;
#endif
#endif

// A scheduler that was not built, and what it needs, as a part of a sentence.
struct left_out {
    std::string_view name;
    std::string_view needs;
};

inline std::vector<left_out> not_built() {
    std::vector<left_out> all;
#if !defined(PARLEY_WITH_TBB)
    for (const std::string_view one : {"tbb", "tbb-affinity"}) {
        all.push_back({one, "the package libtbb-dev"});
    }
#endif
#if !defined(PARLEY_WITH_OPENMP)
    for (const std::string_view one : {"openmp", "openmp-region"}) {
        all.push_back({one, "the package libomp-16-dev (g++ needs none)"});
    }
#endif
#if !defined(PARLEY_WITH_RUST)
    for (const std::string_view crate : {"rayon", "chili"}) {
        all.push_back({crate, "cargo 1.82 or newer, and crates.io for the first build"});
    }
#endif
    return all;
}

}  // namespace parley_peers::inline v0
