// options.hpp can be included alone, and twice.
#include <parley/options.hpp>
#include <parley/options.hpp>  // NOLINT

static_assert(requires(parley::options how) { how.workers = 2; });
