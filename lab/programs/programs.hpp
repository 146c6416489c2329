// The list that the registry is made of; each is defined in the file of its name. They are compiled twice: once more with
// the papers' machine in the library (lab/papers), where the namespace is parley_programs::papers.
#pragma once

#include <vector>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// All of them.
[[nodiscard]] std::vector<program> programs_on_this_machine();

[[nodiscard]] program bpc_loop_program();
[[nodiscard]] program bpc_program();
[[nodiscard]] program cilksort_program();
[[nodiscard]] program dot_program();
[[nodiscard]] program empty_loop_program();
[[nodiscard]] program farm_fast_program();
[[nodiscard]] program farm_md_program();
[[nodiscard]] program farm_pool_program();
[[nodiscard]] program farm_sleep_program();
[[nodiscard]] program farm_slow_program();
[[nodiscard]] program farm_uniform_program();
[[nodiscard]] program fft_program();
[[nodiscard]] program fib_program();
[[nodiscard]] program heat_program();
[[nodiscard]] program knapsack_program();
[[nodiscard]] program loop_program();
[[nodiscard]] program lu_program();
[[nodiscard]] program mandelbrot_program();
[[nodiscard]] program matmul_loop_program();
[[nodiscard]] program matmul_program();
[[nodiscard]] program n_body_program();
[[nodiscard]] program nested_program();
[[nodiscard]] program nqueens_program();
[[nodiscard]] program phases_program();
[[nodiscard]] program quicksort_program();
[[nodiscard]] program saxpy_program();
[[nodiscard]] program skynet_program();
[[nodiscard]] program spawns_program();
[[nodiscard]] program spc_program();
[[nodiscard]] program stencil_program();
[[nodiscard]] program strassen_program();
[[nodiscard]] program stress_program();
[[nodiscard]] program sum_program();
[[nodiscard]] program treerec_program();
[[nodiscard]] program triangular_program();
[[nodiscard]] program uts_program();

}  // namespace parley_programs::inline v0
