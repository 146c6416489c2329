// coroutine.hpp can be included alone, and twice.
#include <parley/coroutine.hpp>
#include <parley/coroutine.hpp>  // NOLINT

static_assert(requires(parley::task<int> t) { t.valid(); });
