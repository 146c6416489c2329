#if defined(PARLEY_LIBSTDCXX) && defined(PARLEY_WITH_TBB)
#include <execution>
#endif

#include "lab/programs/std/ways_with.hpp"

namespace parley_programs::std_algorithms {

std::vector<call> calls_by_onetbb() {
#if defined(PARLEY_LIBSTDCXX) && defined(PARLEY_WITH_TBB)
    return ways_with<std::execution::parallel_policy>::all();
#else
    return {};
#endif
}

}  // namespace parley_programs::std_algorithms
