#include "lab/programs/uts.hpp"

#include <fmt/format.h>

#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"
#include "lab/programs/uts_in_rust.hpp"

namespace parley_programs::uts {
namespace {

tree tree_of(const json& parameters) {
    tree wanted = *find_tree(parameters.at("tree").get<std::string>());
    wanted.seed = parameters.at("seed").get<std::uint32_t>();
    return wanted;
}

template <class S>
class uts_kernel {
public:
    uts_kernel(const json& parameters, typename S::pool& pool) : search_(tree_of(parameters), pool) {}
    totals operator()() { return search_(); }
    static json describe(const totals& t) { return {{"nodes", t.nodes}, {"depth", t.depth}, {"leaves", t.leaves}}; }
    json so_far() { return searcher<S>::can_be_watched ? describe(search_.so_far()) : nullptr; }

private:
    searcher<S> search_;
};

// small: 4 million nodes. The papers' sizes are T1L, T2L and T3L (2014 paper, section 3; thesis,
// table 2.1 and section 6.7): --size says the first, --tree the others.
json parameters(const request& wanted) {
    const auto given = wanted.given.find("tree");
    const std::string name = given != wanted.given.end() ? given->second : wanted.size == "small" ? "T1" : "T1L";
    const std::uint64_t seed = wanted.seed.value_or(find_tree(name)->seed);
    return {{"tree", name}, {"seed", static_cast<std::uint32_t>(seed)}};
}

// Another seed makes another tree, of which nothing is known.
json known(const json& parameters) {
    json facts = json::object();
    const tree* published = find_tree(parameters.at("tree").get<std::string>());
    if (parameters.at("seed").get<std::uint32_t>() != published->seed) {
        return facts;
    }
    if (published->known.nodes) {
        facts["nodes"] = *published->known.nodes;
    }
    if (published->known.depth) {
        facts["depth"] = *published->known.depth;
    }
    if (published->known.leaves) {
        facts["leaves"] = *published->known.leaves;
    }
    return facts;
}

}  // namespace
}  // namespace parley_programs::uts

namespace parley_programs::inline v0 {

program uts_program() {
    std::vector<std::string> names;
    for (const uts::tree& t : uts::official_trees()) {
        names.emplace_back(t.name);
    }
    program p{};
    p.name = "uts";
    p.summary = "unbalanced tree search: counts a tree that nobody can cut into equal parts";
    p.options = {{"tree", "which of the official trees", 0, 0, std::move(names)}};
    p.parameters = uts::parameters;
    p.known = uts::known;
    p.make = make_job_also_in_rust<uts::uts_kernel>;
    p.is_in_rust = true;
    return p;
}

}  // namespace parley_programs::inline v0
