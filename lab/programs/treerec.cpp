#include "lab/programs/treerec.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/fib.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

std::uint64_t calls_of_treerec(unsigned n) noexcept { return 2 * forks_of_fib(n); }

namespace {

unsigned n_of(const json& parameters) { return parameters.at("n").get<unsigned>(); }

template <class S>
class treerec_kernel {
public:
    treerec_kernel(const json& parameters, typename S::pool&)
        : n_(n_of(parameters)), leaf_(parameters.at("t").get<double>()) {}
    std::uint64_t operator()() const {
        if constexpr (parley_peers::in_rust<S>) {
            return S::treerec(n_, {spin, leaf_.rounds()});
        } else {
            return treerec<S>(n_, leaf_);
        }
    }
    static json describe(std::uint64_t value) { return {{"value", value}}; }
    static json so_far() { return nullptr; }

private:
    unsigned n_;
    busy_work leaf_;
};

struct row {
    std::string_view size;
    std::int64_t n;
    std::int64_t t;
};

// Of the lengths 10, 100, 1000 us (2014 paper, section 3) and 1, 10, 100 us (thesis, section 6.5)
// the first: the others with --t. Chapters 2 to 5 do not say their n.
constexpr std::array<row, 4> sizes{{{"small", 25, 1}, {"ch", 25, 10}, {"thesis", 32, 1}, {"ch6", 32, 1}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"n", given_or(wanted, "n", size.n)}, {"t", given_or(wanted, "t", size.t)}};
}

json known(const json& parameters) { return {{"value", fib_by_iteration(n_of(parameters))}}; }

}  // namespace

program treerec_program() {
    program p{};
    p.name = "treerec";
    p.summary = "tree of calls like fib's, whose leaves compute for t microseconds";
    p.options = {{"n", "like which Fibonacci number", 0, 60, {}},
                 {"t", "microseconds that each leaf computes", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job_also_in_rust<treerec_kernel>;
    p.forks = true;
    p.is_in_rust = true;
    return p;
}

}  // namespace parley_programs::inline v0
