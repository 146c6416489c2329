#include "lab/programs/empty_loop.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

template <class S>
class empty_loop_kernel {
public:
    empty_loop_kernel(const json& parameters, typename S::pool&)
        : loops_(parameters.at("n").get<std::size_t>(), parameters.at("loops").get<std::uint32_t>()) {}
    void prepare() { loops_.prepare(); }
    bool operator()() {
        loops_();
        return true;
    }
    json describe(bool) const { return {{"sum", loops_.sum()}}; }
    static json so_far() { return nullptr; }

private:
    empty_loops<S> loops_;
};

struct row {
    std::string_view size;
    std::int64_t n;
    std::int64_t loops;
};

// The papers have no such loops. Few indices: who takes them one by one is slow enough.
constexpr std::array<row, 4> sizes{
    {{"small", 100, 50'000}, {"ch", 100, 1'000'000}, {"thesis", 100, 1'000'000}, {"ch6", 100, 1'000'000}}};

json parameters(const request& wanted) {
    const row& size = row_of(wanted, sizes);
    return {{"n", given_or(wanted, "n", size.n)}, {"loops", given_or(wanted, "loops", size.loops)}};
}

json known(const json& parameters) { return {{"sum", sum_of_marks(parameters.at("n").get<std::uint64_t>())}}; }

}  // namespace

program empty_loop_program() {
    program p{};
    p.name = "empty-loop";
    p.summary = "an empty loop, again and again: what a loop costs";
    p.options = {{"n", "indices of each loop", 0, 100'000'000, {}},
                 {"loops", "how many, one after another; the last one leaves marks", 1, 100'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_phases_job<empty_loop_kernel>;
    p.has_loops = true;
    p.has_phases = true;
    p.loops = [](const json& parameters) { return parameters.at("loops").get<std::uint64_t>(); };
    return p;
}

}  // namespace parley_programs::inline v0
