// spawn.hpp can be included alone, and twice.
#include <parley/spawn.hpp>
#include <parley/spawn.hpp>  // NOLINT

static_assert(requires { parley::spawn([] {}); });
