// isolated.hpp can be included alone, and twice.
#include <parley/isolated.hpp>
#include <parley/isolated.hpp>  // NOLINT

static_assert(requires { parley::isolated([] {}); });
