// when_any.hpp can be included alone, and twice.
#include <parley/when_any.hpp>
#include <parley/when_any.hpp>  // NOLINT

static_assert(requires { parley::when_any(); });
