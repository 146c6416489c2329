// priority.hpp can be included alone, and twice.
#include <parley/priority.hpp>
#include <parley/priority.hpp>  // NOLINT

static_assert(parley::priority{} == parley::priority::normal);
