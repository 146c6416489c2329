// parlaylib.hpp can be included alone, and twice. ParlayLib's header may come after it.
#include <parley/parlaylib.hpp>
#include <parley/parlaylib.hpp>  // NOLINT

#include <parlay/parallel.h>

static_assert(requires { parlay::num_workers(); });
