// blocking.hpp can be included alone, and twice.
#include <parley/blocking.hpp>
#include <parley/blocking.hpp>  // NOLINT

static_assert(requires { parley::blocking([] {}); });
