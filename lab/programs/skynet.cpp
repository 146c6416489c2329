#include "lab/programs/skynet.hpp"

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

std::uint64_t leaves_of(const json& parameters) {
    std::uint64_t leaves = 1;
    for (auto level = parameters.at("depth").get<unsigned>(); level > 0; --level) {
        leaves *= 10;
    }
    return leaves;
}

template <class S>
class skynet_kernel {
public:
    skynet_kernel(const json& parameters, typename S::pool&)
        : leaves_(leaves_of(parameters)), has_loops_(parameters.at("form") == "loops") {}
    std::uint64_t operator()() const {
        return has_loops_ ? skynet_by_loops<S>(0, leaves_) : skynet_by_scopes<S>(0, leaves_);
    }
    static json describe(std::uint64_t sum) { return {{"sum", sum}}; }
    static json so_far() { return nullptr; }

private:
    std::uint64_t leaves_;
    bool has_loops_;
};

// small: a second or less on the slowest scheduler. The papers have no skynet; 8 is the depth of public comparisons.
json parameters(const request& wanted) {
    const auto given = wanted.given.find("form");
    return {{"form", given != wanted.given.end() ? given->second : "scopes"},
            {"depth", given_or(wanted, "depth", wanted.size == "small" ? 6 : 8)}};
}

json known(const json& parameters) {
    const std::uint64_t leaves = leaves_of(parameters);
    return {{"sum", leaves * (leaves - 1) / 2}};
}

}  // namespace

program skynet_program() {
    program p{};
    p.name = "skynet";
    p.summary = "the sum of 10^depth leaves of a tree in which each task has ten children";
    // Deeper ones have sums above 2^53, which not all JSON readers know.
    p.options = {{"form", "scopes: each node spawns ten tasks; loops: it is a loop of ten", 0, 0, {"scopes", "loops"}},
                 {"depth", "levels below the root", 0, 8, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_job<skynet_kernel>;
    return p;
}

}  // namespace parley_programs::inline v0
