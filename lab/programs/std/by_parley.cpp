#ifdef PARLEY_LIBSTDCXX
#include <parley/std_execution.hpp>

#include <execution>
#endif

#include "lab/programs/std/ways_with.hpp"

namespace parley_programs::std_algorithms {

std::vector<call> calls_by_parley() {
#ifdef PARLEY_LIBSTDCXX
    return ways_with<std::execution::parallel_policy>::all();
#else
    return {};
#endif
}

}  // namespace parley_programs::std_algorithms
