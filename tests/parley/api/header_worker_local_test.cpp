// worker_local.hpp can be included alone, and twice.
#include <parley/worker_local.hpp>
#include <parley/worker_local.hpp>  // NOLINT

static_assert(requires(parley::worker_local<int> l) { ++l.local(); });
