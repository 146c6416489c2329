// base/errors.hpp can be included alone, and twice.
#include <parley/base/errors.hpp>
#include <parley/base/errors.hpp> // NOLINT

static_assert(requires { throw parley::usage_error(""); });
