// cluster.hpp can be included alone, and twice.
#include <parley/cluster.hpp>
#include <parley/cluster.hpp>  // NOLINT

static_assert(requires(parley::cluster::options o) { o.steal_bytes = 1; });
