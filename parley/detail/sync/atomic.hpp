// The atomics of this room are those of the standard library. The laboratory compiles sources of the library once more,
// where PARLEY_ATOMIC names a header with atomics of its own. Before each operation of those a scheduler decides which
// thread goes on (lab/explore/atomic.hpp), or a search what the operation reads (lab/memory/atomic.hpp).
#pragma once

#ifdef PARLEY_ATOMIC
#include PARLEY_ATOMIC
#else

#include <atomic>

namespace parley::inline v0::sync {

template <class T>
using atomic = std::atomic<T>;

}  // namespace parley::inline v0::sync

#endif
