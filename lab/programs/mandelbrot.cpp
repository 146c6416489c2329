#include "lab/programs/mandelbrot.hpp"

#include <mutex>
#include <optional>

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

[[gnu::noinline]] void squarings_of_row(const mandelbrot_size& size, std::size_t row, std::uint32_t* squarings) noexcept {
    const double step = 3.0 / static_cast<double>(size.n);
    const double ci = -1.5 + step * static_cast<double>(row);
    for (std::size_t column = 0; column < size.n; ++column) {
        const double cr = -2.25 + step * static_cast<double>(column);
        double zr = 0.0;
        double zi = 0.0;
        std::uint32_t count = 0;
        while (count < size.limit && zr * zr + zi * zi <= 4.0) {
            const double next = zr * zr - zi * zi + cr;
            zi = 2.0 * zr * zi + ci;
            zr = next;
            ++count;
        }
        squarings[column] += count;
    }
}

std::uint64_t sum_of_squarings(const mandelbrot_size& size) {
    static std::mutex mutex;
    static std::optional<mandelbrot_size> last_size;
    static std::uint64_t last = 0;
    const std::lock_guard lock(mutex);
    if (last_size != size) {
        last = 0;
        std::vector<std::uint32_t> one_row(size.n);
        for (std::size_t row = 0; row < size.n; ++row) {
            std::fill(one_row.begin(), one_row.end(), 0U);
            squarings_of_row(size, row, one_row.data());
            last = std::accumulate(one_row.begin(), one_row.end(), last);
        }
        last_size = size;
    }
    return last;
}

namespace {

mandelbrot_size size_of(const json& parameters) {
    return {parameters.at("n").get<std::size_t>(), parameters.at("limit").get<std::uint32_t>()};
}

template <class S>
class mandelbrot_kernel {
public:
    mandelbrot_kernel(const json& parameters, typename S::pool&) : image_(size_of(parameters)) {}
    void prepare() { image_.prepare(); }
    bool operator()() {
        image_();
        return true;
    }
    json describe(bool) const { return {{"sum", image_.sum()}}; }
    static json so_far() { return nullptr; }

private:
    mandelbrot<S> image_;
};

// The papers do not draw it.
json parameters(const request& wanted) {
    const bool is_small = wanted.size == "small";
    return {{"n", given_or(wanted, "n", is_small ? 512 : 4096)},
            {"limit", given_or(wanted, "limit", is_small ? 500 : 1000)}};
}

json known(const json& parameters) { return {{"sum", sum_of_squarings(size_of(parameters))}}; }

}  // namespace

program mandelbrot_program() {
    program p{};
    p.name = "mandelbrot";
    p.summary = "the Mandelbrot set on n x n points, row by row: iterations of very different lengths";
    p.options = {{"n", "rows, and points of a row", 1, 16'384, {}},
                 {"limit", "squarings after which a point counts as one of the set", 0, 100'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_loop_job<mandelbrot_kernel>;
    p.has_loops = true;
    return p;
}

}  // namespace parley_programs::inline v0
