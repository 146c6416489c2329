#include "lab/programs/heat.hpp"

#include <mutex>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"
#include "lab/programs/greatest_difference.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

[[gnu::noinline]] void diffuse_row(const plate& before, plate& after, std::size_t row, std::size_t ny) noexcept {
    const double* const here = before.data() + row * ny;
    const double* const above = here - ny;
    const double* const below = here + ny;
    double* __restrict const out = after.data() + row * ny;
    for (std::size_t i = 1; i + 1 < ny; ++i) {
        out[i] = here[i] + diffusion_rate * (above[i] - 2.0 * here[i] + below[i]) +
                 diffusion_rate * (here[i - 1] - 2.0 * here[i] + here[i + 1]);
    }
}

void fill_with_noise(plate& p) noexcept {
    parley::base::rng random(1);
    for (double& temperature : p) {
        temperature = static_cast<double>(random.next() >> 11) * 0x1p-53;  // from 0 to 1
    }
}

std::shared_ptr<const plate> expected_plate(const heat_size& size) {
    static std::mutex mutex;
    static heat_size last_size{};
    static std::shared_ptr<const plate> last;
    const std::lock_guard lock(mutex);
    if (last == nullptr || last_size != size) {
        last.reset();
        plate now(size.nx * size.ny);
        fill_with_noise(now);
        plate next = now;
        for (unsigned step = 0; step < size.nt; ++step) {
            for (std::size_t row = 1; row + 1 < size.nx; ++row) {
                diffuse_row(now, next, row, size.ny);
            }
            now.swap(next);
        }
        last = std::make_shared<const plate>(std::move(now));
        last_size = size;
    }
    return last;
}

namespace {

template <class S>
class heat_kernel {
public:
    heat_kernel(const json& parameters, typename S::pool&)
        : size_{parameters.at("nx").get<std::size_t>(), parameters.at("ny").get<std::size_t>(),
                parameters.at("nt").get<unsigned>()},
          heat_(size_) {}
    void prepare() { heat_.prepare(); }
    const plate* operator()() { return &heat_(); }
    json describe(const plate* found) const { return {{"error", greatest_difference(*found, *expected_plate(size_))}}; }
    static json so_far() { return nullptr; }

private:
    heat_size size_;
    heat<S> heat_;
};

struct row {
    std::string_view size;
    std::int64_t nx;
    std::int64_t ny;
    std::int64_t nt;
};

// The papers have no heat: instead of theirs, the long benchmark of MIT Cilk.
constexpr std::array<row, 4> sizes{
    {{"small", 1024, 1024, 100}, {"ch", 4096, 1024, 100}, {"thesis", 4096, 1024, 100}, {"ch6", 4096, 1024, 100}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"nx", given_or(wanted, "nx", size.nx)},
            {"ny", given_or(wanted, "ny", size.ny)},
            {"nt", given_or(wanted, "nt", size.nt)}};
}

json known(const json&) { return {{"error", 0.0}}; }

}  // namespace

program heat_program() {
    program p{};
    p.name = "heat";
    p.summary = "heat diffusion on a plate by Jacobi's iteration, rows divided and conquered";
    p.options = {{"nx", "rows of the grid", 2, 16'384, {}},
                 {"ny", "points of a row", 2, 16'384, {}},
                 {"nt", "steps", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job<heat_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
