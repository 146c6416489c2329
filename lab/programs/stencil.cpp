#include "lab/programs/stencil.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/greatest_difference.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class stencil_kernel {
public:
    stencil_kernel(const json& parameters, typename S::pool&)
        : size_{parameters.at("nx").get<std::size_t>(), parameters.at("ny").get<std::size_t>(),
                parameters.at("nt").get<unsigned>()},
          stencil_(size_) {}
    void prepare() { stencil_.prepare(); }
    const plate* operator()() { return &stencil_(); }
    json describe(const plate* found) const { return {{"error", greatest_difference(*found, *expected_plate(size_))}}; }
    static json so_far() { return nullptr; }

private:
    heat_size size_;
    stencil<S> stencil_;
};

// The papers have no stencil: their sizes are that of small, with ten times as many steps.
json parameters(const request& wanted) {
    return {{"nx", given_or(wanted, "nx", 256)},
            {"ny", given_or(wanted, "ny", 256)},
            {"nt", given_or(wanted, "nt", wanted.size == "small" ? 2000 : 20'000)}};
}

json known(const json&) { return {{"error", 0.0}}; }

}  // namespace

program stencil_program() {
    program p{};
    p.name = "stencil";
    p.summary = "heat diffusion on a small plate, each of many steps a loop over its rows";
    p.options = {{"nx", "rows of the grid", 2, 16'384, {}},
                 {"ny", "points of a row", 2, 16'384, {}},
                 {"nt", "steps", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_phases_job<stencil_kernel>;
    p.has_loops = true;
    p.has_phases = true;
    p.loops = [](const json& parameters) { return parameters.at("nt").get<std::uint64_t>(); };
    return p;
}

}  // namespace parley_programs::inline v0
