// std_execution.hpp can be included alone, and twice.
#include <parley/std_execution.hpp>
#include <parley/std_execution.hpp>  // NOLINT

#include <execution>

static_assert(std::is_same_v<decltype(std::execution::par), const parley_pstl::execution::parallel_policy>);
