// runtime.hpp can be included alone, and twice.
#include <parley/runtime.hpp>
#include <parley/runtime.hpp>  // NOLINT

static_assert(requires(parley::runtime r) { r.run([] {}); });
