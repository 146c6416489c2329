// version.hpp can be included alone, and twice.
#include <parley/version.hpp>
#include <parley/version.hpp>  // NOLINT

static_assert(parley::version_major == PARLEY_VERSION_MAJOR);
