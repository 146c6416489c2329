// fork_join.hpp can be included alone, and twice.
#include <parley/fork_join.hpp>
#include <parley/fork_join.hpp>  // NOLINT

static_assert(requires { parley::fork_join([] {}, [] {}); });
