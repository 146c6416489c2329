// when_all.hpp can be included alone, and twice.
#include <parley/when_all.hpp>
#include <parley/when_all.hpp>  // NOLINT

static_assert(requires { parley::when_all(); });
