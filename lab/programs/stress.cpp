#include "lab/programs/stress.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

std::uint64_t expected_stress(const stress_shape& shape) noexcept {
    return sum_of_marks(std::uint64_t{1} << shape.depth) * shape.repeats % stress_modulus;
}

namespace {

stress_shape shape_of(const json& parameters) {
    return {parameters.at("leaf").get<std::uint64_t>(), parameters.at("depth").get<unsigned>(),
            parameters.at("repeat-tree").get<std::uint64_t>()};
}

template <class S>
class stress_kernel {
public:
    stress_kernel(const json& parameters, typename S::pool&) : shape_(shape_of(parameters)) {}
    std::uint64_t operator()() const { return stress<S>(shape_); }
    static json describe(std::uint64_t sum) { return {{"sum", sum}}; }
    static json so_far() { return nullptr; }

private:
    stress_shape shape_;
};

struct row {
    std::string_view grain;
    std::int64_t leaf;
    std::int64_t depth;
    std::int64_t repeats;
};

// The BIAS paper says neither lengths nor numbers, but that each program takes 30 seconds at least: so do the larger
// sizes, serially. Leaves of a tenth of a microsecond, or of a tenth of a millisecond.
constexpr std::array<row, 2> long_ones{{{"fine", 100, 14, 26'000}, {"coarse", 100'000, 10, 300}}};
constexpr std::array<row, 2> small{{{"fine", 100, 14, 60}, {"coarse", 100'000, 10, 2}}};

json parameters(const request& wanted) {
    const auto given = wanted.given.find("grain");
    const std::string grain = given != wanted.given.end() ? given->second : "fine";
    const auto& table = wanted.size == "small" ? small : long_ones;
    const row& size = *std::find_if(table.begin(), table.end(), [&](const row& r) { return r.grain == grain; });
    return {{"grain", grain},
            {"leaf", given_or(wanted, "leaf", size.leaf)},
            {"depth", given_or(wanted, "depth", size.depth)},
            {"repeat-tree", given_or(wanted, "repeat-tree", size.repeats)}};
}

json known(const json& parameters) { return {{"sum", expected_stress(shape_of(parameters))}}; }

}  // namespace

program stress_program() {
    program p{};
    p.name = "stress";
    p.summary = "balanced trees of forks, one after another, whose leaves are loops: fine or coarse";
    p.options = {{"grain", "short leaves or long ones", 0, 0, {"fine", "coarse"}},
                 {"leaf", "iterations of each leaf; default: the grain's", 0, 1'000'000'000, {}},
                 {"depth", "height of each tree, which has 2^N leaves", 0, 24, {}},
                 {"repeat-tree", "trees, one after another; default: the grain's", 0, 1'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job<stress_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
