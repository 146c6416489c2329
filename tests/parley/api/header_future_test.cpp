// future.hpp can be included alone, and twice.
#include <parley/future.hpp>
#include <parley/future.hpp>  // NOLINT

static_assert(requires { parley::async([] {}).get(); });
