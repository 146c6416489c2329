#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

std::vector<program> programs_on_this_machine() {
    return {uts_program(),        fib_program(),      nqueens_program(),      treerec_program(),    spc_program(),
            bpc_program(),        spawns_program(),   heat_program(),         cilksort_program(),   loop_program(),
            saxpy_program(),      sum_program(),      dot_program(),          mandelbrot_program(), nested_program(),
            triangular_program(), bpc_loop_program(), empty_loop_program(),   phases_program(),     stencil_program(),
            n_body_program(),     skynet_program(),   farm_uniform_program(), farm_fast_program(),  farm_slow_program(),
            farm_sleep_program(), farm_md_program(),  farm_pool_program(),    fft_program(),        knapsack_program(),
            stress_program(),     matmul_program(),   matmul_loop_program(),  lu_program(),         quicksort_program(),
            strassen_program()};
}

}  // namespace parley_programs::inline v0
