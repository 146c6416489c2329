// loop.hpp can be included alone, and twice.
#include <parley/loop.hpp>
#include <parley/loop.hpp>  // NOLINT

static_assert(requires { parley::for_each_index(0, 1, [](int) {}); });
