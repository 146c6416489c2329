// promise.hpp can be included alone, and twice.
#include <parley/promise.hpp>
#include <parley/promise.hpp>  // NOLINT

static_assert(requires(parley::promise<int> p) { p.get_future(); });
