// fp_environment.hpp can be included alone, and twice.
#include <parley/fp_environment.hpp>
#include <parley/fp_environment.hpp>  // NOLINT

static_assert(noexcept(parley::base::fp_control::now()));
