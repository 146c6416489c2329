// shared_future.hpp can be included alone, and twice.
#include <parley/shared_future.hpp>
#include <parley/shared_future.hpp>  // NOLINT

static_assert(requires(parley::shared_future<int> s) { s.valid(); });
