// A model of ParlayLib's header of this name, of what its pages say of it: it declares four functions for a scheduler to
// define, and builds others on them.
#ifndef PARLAY_PARALLEL_H_
#define PARLAY_PARALLEL_H_

#include <cstddef>
#include <utility>

namespace parlay {

inline std::size_t num_workers();
inline std::size_t worker_id();
template <typename F>
inline void parallel_for(std::size_t start, std::size_t end, F&& f, long granularity = 0, bool conservative = false);
template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool conservative = false);

// In the words above, as all of the library is.
template <typename F>
void for_blocks_of(std::size_t count, std::size_t length, F&& f) {
    parallel_for(0, (count + length - 1) / length,
                 [&](std::size_t block) { f(block * length, count < (block + 1) * length ? count : (block + 1) * length); });
}

}  // namespace parlay

#if defined(PARLAY_SEQUENTIAL)
#include "internal/scheduler_plugins/sequential.h"
#else
#error "the model has no other scheduler"
#endif

#endif
