// scope.hpp can be included alone, and twice.
#include <parley/scope.hpp>
#include <parley/scope.hpp>  // NOLINT

static_assert(requires(parley::scope s) { s.spawn([] {}); });
