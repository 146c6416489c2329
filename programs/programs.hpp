// The list that the registry is made of; each is defined in the file of its name.
#pragma once

#include "programs/program.hpp"

namespace parley_programs {

[[nodiscard]] program fib_program();
[[nodiscard]] program nqueens_program();
[[nodiscard]] program uts_program();

}  // namespace parley_programs
