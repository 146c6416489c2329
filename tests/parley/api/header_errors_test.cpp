// errors.hpp can be included alone, and twice.
#include <parley/errors.hpp>
#include <parley/errors.hpp>  // NOLINT

static_assert(requires { throw parley::usage_error(""); });
