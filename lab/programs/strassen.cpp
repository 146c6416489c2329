#include "lab/programs/strassen.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

int halvings_for_strassen(std::uint64_t n) noexcept {
    int halvings = 0;
    for (; n > largest_plain_product; n /= 2) {
        if (n % 2 != 0) {
            return -1;
        }
        ++halvings;
    }
    return halvings;
}

void sums_of_left(const quarters& a, double* __restrict s, std::size_t count, std::size_t first, std::size_t last) noexcept {
    for (std::size_t i = first; i < last; ++i) {
        const double s1 = a.q21[i] + a.q22[i];
        const double s2 = s1 - a.q11[i];
        s[i] = s1;
        s[count + i] = s2;
        s[2 * count + i] = a.q11[i] - a.q21[i];
        s[3 * count + i] = a.q12[i] - s2;
    }
}

void sums_of_right(const quarters& b, double* __restrict t, std::size_t count, std::size_t first,
                   std::size_t last) noexcept {
    for (std::size_t i = first; i < last; ++i) {
        const double t1 = b.q12[i] - b.q11[i];
        const double t2 = b.q22[i] - t1;
        t[i] = t1;
        t[count + i] = t2;
        t[2 * count + i] = b.q22[i] - b.q12[i];
        t[3 * count + i] = t2 - b.q21[i];
    }
}

void sums_of_products(const double* __restrict p, double* __restrict c, std::size_t count, std::size_t first,
                      std::size_t last) noexcept {
    for (std::size_t i = first; i < last; ++i) {
        const double p1 = p[i];
        const double p2 = c[i];
        const double p3 = c[count + i];
        const double p4 = c[2 * count + i];
        const double p5 = c[3 * count + i];
        const double u2 = p1 + p[count + i];
        const double u3 = u2 + p[2 * count + i];
        c[i] = p1 + p2;
        c[count + i] = u2 + p5 + p3;
        c[2 * count + i] = u3 - p4;
        c[3 * count + i] = u3 + p5;
    }
}

namespace {

template <class S>
class strassen_kernel {
public:
    strassen_kernel(const json& parameters, typename S::pool&)
        : strassen_(parameters.at("n").get<std::size_t>(), parameters.at("seed").get<std::uint64_t>()) {}
    void prepare() { strassen_.prepare(); }
    bool operator()() {
        strassen_();
        return true;
    }
    json describe(bool) const { return {{"error", strassen_.error()}}; }
    static json so_far() { return nullptr; }

private:
    strassen<S> strassen_;
};

// No paper has it: the larger sizes have the matrices of the thesis' other programs.
json parameters(const request& wanted) {
    return {{"n", given_or(wanted, "n", wanted.size == "small" ? 1024 : 4096)}, {"seed", wanted.seed.value_or(1)}};
}

json known(const json&) { return {{"error", 0.0}}; }

}  // namespace

program strassen_program() {
    program p{};
    p.name = "strassen";
    p.summary = "product of two n x n matrices by Strassen's algorithm: seven products of quarters, divided again";
    p.options = {{"n",
                  "rows and columns: up to 64 times a power of two",
                  1,
                  8192,
                  {},
                  [](std::int64_t n) { return halvings_for_strassen(static_cast<std::uint64_t>(n)) >= 0; },
                  "that halving brings to 64 or less without a remainder"}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job<strassen_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
