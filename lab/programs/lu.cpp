#include "lab/programs/lu.hpp"

#include <cmath>
#include <limits>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

enum class triangle : std::uint8_t { lower, upper };

// One of the factors times x, or its magnitudes times those of x.
std::vector<double> times_factor(const sparse_blocks& factors, triangle which, std::span<const double> x, bool magnitudes) {
    const bool is_lower = which == triangle::lower;
    const block_grid& grid = factors.grid();
    const auto of = [magnitudes](double number) { return magnitudes ? std::abs(number) : number; };
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < grid.blocks; ++i) {
        for (std::size_t j = is_lower ? 0 : i; j < (is_lower ? i + 1 : grid.blocks); ++j) {
            const double* const block = factors.at(i, j);
            for (std::size_t row = 0; block != nullptr && row < grid.size; ++row) {
                const std::size_t first = i == j && !is_lower ? row : 0;
                const std::size_t last = i == j && is_lower ? row : grid.size;
                double sum = is_lower && i == j ? of(x[i * grid.size + row]) : 0.0;  // the lower one's ones
                for (std::size_t column = first; column < last; ++column) {
                    sum += of(block[row * grid.size + column]) * of(x[j * grid.size + column]);
                }
                y[i * grid.size + row] += sum;
            }
        }
    }
    return y;
}

std::vector<double> times_both(const sparse_blocks& factors, std::span<const double> x, bool magnitudes) {
    return times_factor(factors, triangle::lower, times_factor(factors, triangle::upper, x, magnitudes), magnitudes);
}

}  // namespace

lu_tasks tasks_of_lu(std::size_t blocks) {
    std::vector<std::vector<bool>> nonzero(blocks, std::vector<bool>(blocks));
    for (std::size_t i = 0; i < blocks; ++i) {
        for (std::size_t j = 0; j < blocks; ++j) {
            nonzero[i][j] = begins_nonzero(i, j);
        }
    }
    lu_tasks tasks;
    for (std::size_t k = 0; k < blocks; ++k) {
        std::vector<std::size_t> columns;
        for (std::size_t j = k + 1; j < blocks; ++j) {
            if (nonzero[k][j]) {
                columns.push_back(j);
            }
        }
        tasks.fwd += columns.size();
        for (std::size_t i = k + 1; i < blocks; ++i) {
            if (nonzero[i][k]) {
                ++tasks.bdiv;
                tasks.bmod += columns.size();
                for (const std::size_t j : columns) {
                    nonzero[i][j] = true;
                }
            }
        }
    }
    return tasks;
}

sparse_blocks make_lu_matrix(const block_grid& grid, std::uint64_t seed) {
    parley::base::rng random(seed);
    const double on_diagonal = 2.0 + std::sqrt(static_cast<double>(grid.n()));
    sparse_blocks matrix(grid);
    for (std::size_t i = 0; i < grid.blocks; ++i) {
        for (std::size_t j = 0; j < grid.blocks; ++j) {
            if (!begins_nonzero(i, j)) {
                continue;
            }
            double* const block = matrix.allocate(i, j);
            for (std::size_t number = 0; number < grid.numbers_in_block(); ++number) {
                block[number] = static_cast<double>(random.next() >> 11) * 0x1p-52 - 1.0;
            }
            for (std::size_t row = 0; i == j && row < grid.size; ++row) {
                block[row * (grid.size + 1)] = on_diagonal;
            }
        }
    }
    return matrix;
}

double error_of_lu(const sparse_blocks& a, const sparse_blocks& factors, std::uint64_t seed) {
    const std::vector<double> x = random_vector(a.grid().n(), seed);
    const std::vector<double> expected = times(a.grid(), [&a](std::size_t i, std::size_t j) { return a.at(i, j); }, x);
    const std::vector<double> found = times_both(factors, x, false);
    const std::vector<double> magnitudes = times_both(factors, x, true);
    double greatest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = std::abs(found[i] - expected[i]) / magnitudes[i];
        if (!(error < std::numeric_limits<double>::infinity())) {
            return std::numeric_limits<double>::infinity();
        }
        greatest = std::max(greatest, error);
    }
    return greatest;
}

double allowed_error_of_lu(std::size_t n) { return 2.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(n); }

namespace {

lu_form form_of(const json& parameters) {
    return parameters.at("form") == "barriers" ? lu_form::barriers : lu_form::futures;
}

template <class S>
class lu_kernel {
public:
    lu_kernel(const json& parameters, typename S::pool&)
        : lu_(block_grid::of(parameters), form_of(parameters), parameters.at("seed").get<std::uint64_t>()) {}
    void prepare() { lu_.prepare(); }
    bool operator()() {
        lu_();
        return true;
    }
    json describe(bool) const { return {{"error", lu_.error()}}; }
    static json so_far() { return nullptr; }

private:
    sparse_lu<S> lu_;
};

struct row {
    std::string_view size;
    std::string_view form;
    std::int64_t n;
    std::int64_t block;
};

// The 2014 paper and table 2.1 have blocks of 64 and barriers, section 6.9 has futures and blocks of 32, 64 and 128: of
// these the first.
constexpr std::array<row, 4> sizes{{{"small", "futures", 2048, 64},
                                    {"ch", "barriers", 4096, 64},
                                    {"thesis", "barriers", 4096, 64},
                                    {"ch6", "futures", 4096, 32}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    const auto form = wanted.given.find("form");
    return {{"form", form != wanted.given.end() ? form->second : std::string(size.form)},
            {"n", given_or(wanted, "n", size.n)},
            {"block", given_or(wanted, "block", size.block)},
            {"seed", wanted.seed.value_or(1)}};
}

json known(const json& parameters) {
    return {{"error", {{"at_most", allowed_error_of_lu(parameters.at("n").get<std::size_t>())}}}};
}

}  // namespace

program lu_program() {
    program p{};
    p.name = "lu";
    p.summary = "LU decomposition of a sparse n x n matrix, a task for each block that is not zero";
    p.options = {{"form", "how a phase ends: its futures are awaited, or at a barrier", 0, 0, {"futures", "barriers"}},
                 {"n", "rows and columns of the matrix", 1, 16'384, {}},
                 {"block", "rows and columns of a block; a divisor of n", 1, 16'384, {}}};
    p.parameters = parameters;
    p.complaint = block_grid::complaint;
    p.known = known;
    p.make = make_forking_job<lu_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
