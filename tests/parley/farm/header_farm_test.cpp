// farm.hpp can be included alone, and twice.
#include <parley/farm.hpp>
#include <parley/farm.hpp>  // NOLINT

#include <ranges>

static_assert(requires { parley::source(std::views::iota(0, 1)) | parley::sink([](int) {}); });
