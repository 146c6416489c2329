#include "lab/programs/std/ways_with.hpp"

namespace parley_programs::std_algorithms {

std::vector<call> serial_calls() { return ways_with<>::all(); }

}  // namespace parley_programs::std_algorithms
