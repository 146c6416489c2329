#include "lab/programs/nqueens.hpp"

#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

namespace {

unsigned n_of(const json& parameters) { return parameters.at("n").get<unsigned>(); }

template <class S>
class nqueens_kernel {
public:
    nqueens_kernel(const json& parameters, typename S::pool&) : n_(n_of(parameters)) {}
    std::uint64_t operator()() const {
        if constexpr (parley_peers::in_rust<S>) {
            return S::nqueens(n_);
        } else {
            return count_solutions<S>(n_);
        }
    }
    static json describe(std::uint64_t solutions) { return {{"solutions", solutions}}; }
    static json so_far() { return nullptr; }

private:
    unsigned n_;
};

// small: 856,188 tasks. The thesis has n = 14 in table 2.1 and in section 6.6 (27,358,552 tasks);
// the 2014 paper has no N-Queens and gets the same.
json parameters(const request& wanted) {
    const auto given = wanted.given.find("n");
    const std::int64_t n = given != wanted.given.end() ? std::stoll(given->second) : wanted.size == "small" ? 12 : 14;
    return {{"n", n}};
}

json known(const json& parameters) { return {{"solutions", known_solutions(n_of(parameters))}}; }

}  // namespace

program nqueens_program() {
    program p{};
    p.name = "nqueens";
    p.summary = "ways to place n queens on a chess board, one task for each placed queen";
    p.options = {{"n", "queens, and rows of the board", 1, max_queens, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job_also_in_rust<nqueens_kernel>;
    p.forks = true;
    p.is_in_rust = true;
    return p;
}

}  // namespace parley_programs::inline v0
