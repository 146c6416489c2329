#include "lab/programs/nested.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S, nest Form>
class nest_kernel {
public:
    nest_kernel(const json& parameters, typename S::pool&)
        : loops_(Form, parameters.at("n").get<std::size_t>(), parameters.at("ns").get<double>()) {}
    void prepare() { loops_.prepare(); }
    bool operator()() {
        loops_();
        return true;
    }
    json describe(bool) const { return {{"sum", loops_.sum()}}; }
    static json so_far() { return nullptr; }

private:
    nested_loops<S> loops_;
};
template <class S>
class nested_kernel : public nest_kernel<S, nest::square> {
    using nest_kernel<S, nest::square>::nest_kernel;
};
template <class S>
class triangular_kernel : public nest_kernel<S, nest::triangle> {
    using nest_kernel<S, nest::triangle>::nest_kernel;
};

// The papers have no nested loops: their sizes are those of small, with n ten times as large.
json parameters(const request& wanted, std::int64_t small_n) {
    return {{"n", given_or(wanted, "n", wanted.size == "small" ? small_n : 10 * small_n)},
            {"ns", given_or(wanted, "ns", 100)}};
}

program nest_program(std::string_view name, std::string_view summary) {
    program p{};
    p.name = name;
    p.summary = summary;
    p.options = {{"n", "iterations of the outer loop", 0, 10'000, {}},
                 {"ns", "nanoseconds that each body computes", 0, 1'000'000, {}}};
    p.has_loops = true;
    return p;
}

}  // namespace

program nested_program() {
    program p = nest_program("nested", "a loop of n iterations, each of which is a loop of n short ones");
    p.parameters = [](const request& wanted) { return parameters(wanted, 1000); };
    p.known = [](const json& parameters) {
        const auto n = parameters.at("n").get<std::uint64_t>();
        return json{{"sum", sum_of_marks(n * n)}};
    };
    p.make = make_loop_job<nested_kernel>;
    return p;
}

program triangular_program() {
    program p = nest_program("triangular", "the same over a triangle: iteration i is a loop of i + 1 short ones");
    p.options.front().high = 14'000;
    p.parameters = [](const request& wanted) { return parameters(wanted, 1400); };
    p.known = [](const json& parameters) {
        const auto n = parameters.at("n").get<std::uint64_t>();
        return json{{"sum", sum_of_marks(n * (n + 1) / 2)}};
    };
    p.make = make_loop_job<triangular_kernel>;
    return p;
}

}  // namespace parley_programs::inline v0
