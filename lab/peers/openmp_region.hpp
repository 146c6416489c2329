// OpenMP with one parallel region around all loops of a run, as programs of many short loops are written there: a loop ends
// with a barrier, and no threads come and go.
#pragma once

#include "lab/peers/openmp_loops.hpp"

namespace parley_peers {

struct openmp_region : openmp_loops {
    static constexpr std::string_view name = "openmp-region";

    // All threads call `phases`. It calls for_each_index(), and what it does in between, each thread does for itself.
    template <class F>
    static void region(F&& phases) {
#pragma omp parallel default(none) shared(phases)
        phases();
    }

// Clang warns of the conversions in the code that it makes of the loop itself.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-conversion"
#pragma clang diagnostic ignored "-Wsign-compare"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"
#endif
    // Inside a region. All threads have to come: nobody may leave a loop out because a run was cancelled.
    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
#pragma omp for schedule(runtime)
        for (I i = first; i < last; ++i) body(i);
    }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
};

}  // namespace parley_peers
