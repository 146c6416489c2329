#include "lab/programs/matmul.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class matmul_in_some_form {
public:
    matmul_in_some_form(const json& parameters, typename S::pool&)
        : matmul_(block_grid::of(parameters), parameters.at("seed").get<std::uint64_t>()) {}
    void prepare() { matmul_.prepare(); }
    json describe(bool) const { return {{"error", matmul_.error()}}; }
    static json so_far() { return nullptr; }

protected:
    matmul<S> matmul_;
};

template <class S>
struct matmul_kernel : matmul_in_some_form<S> {
    using matmul_in_some_form<S>::matmul_in_some_form;
    bool operator()() {
        this->matmul_.by_tasks();
        return true;
    }
};

template <class S>
struct matmul_loop_kernel : matmul_in_some_form<S> {
    using matmul_in_some_form<S>::matmul_in_some_form;
    bool operator()() {
        this->matmul_.by_loops();
        return true;
    }
};

struct row {
    std::string_view size;
    std::int64_t n;
    std::int64_t block;
};

// The 2014 paper's and table 2.1's matrices, then those of section 6.8, which has blocks of 32, 64 and 128: the first
// is taken, the others with --block.
constexpr std::array<row, 4> sizes{{{"small", 1024, 32}, {"ch", 2048, 32}, {"thesis", 2048, 32}, {"ch6", 4096, 32}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"n", given_or(wanted, "n", size.n)},
            {"block", given_or(wanted, "block", size.block)},
            {"seed", wanted.seed.value_or(1)}};
}

json known(const json&) { return {{"error", 0.0}}; }

program of_matrices(std::string_view name, std::string_view summary) {
    program p{};
    p.name = name;
    p.summary = summary;
    p.options = {{"n", "rows and columns of the matrices", 1, 16'384, {}},
                 {"block", "rows and columns of a block; a divisor of n", 1, 16'384, {}}};
    p.parameters = parameters;
    p.complaint = block_grid::complaint;
    p.known = known;
    return p;
}

}  // namespace

program matmul_program() {
    program p = of_matrices("matmul", "product of two n x n matrices, in each phase a task for each block");
    p.make = make_job<matmul_kernel>;
    return p;
}

program matmul_loop_program() {
    program p = of_matrices("matmul-loop", "the same, in each phase a loop over the blocks");
    p.make = make_loop_job<matmul_loop_kernel>;
    p.has_loops = true;
    return p;
}

}  // namespace parley_programs::inline v0
