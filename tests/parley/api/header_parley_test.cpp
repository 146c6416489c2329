// parley.hpp can be included alone, and twice.
#include <parley/parley.hpp>
#include <parley/parley.hpp>  // NOLINT

static_assert(requires(parley::scope s) { parley::for_each_index(0, 1, [](int) {}); });
