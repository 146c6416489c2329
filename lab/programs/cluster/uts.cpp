// The unbalanced tree search over ranks: each node a task that may run anywhere, their counts summed up.
#include "lab/programs/uts.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "lab/peers/serial.hpp"
#include "lab/programs/cluster/program.hpp"

namespace parley_programs::cluster {
namespace {

using parley::cluster::group;
using parley::cluster::spawner;
using uts::node;
using uts::totals;

void add(totals& sum, const totals& more) {
    sum.nodes += more.nodes;
    sum.leaves += more.leaves;
    sum.depth = std::max(sum.depth, more.depth);
}

// A node's children are spawned if they may have some of their own; all are counted here.
template <class Hash>
struct visit {
    const uts::branching_law* law;

    void operator()(const node& here, spawner<node>& children, totals& sum) const {
        const uts::branching_law::row row = law->at(here.depth);
        const std::uint32_t value = row.value_of(here.state);
        std::uint32_t index = 0;
        for (; value >= row.bounds[index]; ++index) children.spawn({Hash::child(here.state, index), here.depth + 1});
        ++sum.nodes;
        sum.leaves += index == 0 ? 1 : 0;
        sum.depth = std::max<std::uint64_t>(sum.depth, here.depth);
    }
};

outcome run(group& g, const json& p) {
    const uts::tree& tree = *uts::find_tree(p.at("tree").get<std::string>());
    const uts::branching_law law(tree);
    outcome o;
    share own{.rank = g.rank(), .brought = g.rank() == 0 ? 1U : 0U};
    totals found;
    with_sha1(sha1_choice::best, [&]<class Hash>(Hash) {
        std::vector<node> roots;
        if (g.rank() == 0) roots.push_back(uts::root_of(tree));
        using f = visit<Hash>;
        parley::cluster::spawning<node, totals, f, decltype(&add)> search(g, std::move(roots), f{&law}, &add, totals{});
        found = search.finish();
        o.total = search.total().counts;
        own.ran = search.own().tasks;
        own.busy_seconds = search.own().busy_seconds;
        own.timeline = search.timeline();
    });
    if (p.at("serial") == "on" && g.rank() == 0) {
        parley_peers::serial::pool alone({});
        uts::searcher<parley_peers::serial> serial(tree, alone);
        const auto begin = std::chrono::steady_clock::now();
        const totals again = serial();
        o.serial_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (again.nodes != found.nodes || again.depth != found.depth || again.leaves != found.leaves)
            o.problem = "the serial search has found " + std::to_string(again.nodes) + " nodes";
    }
    const auto differs = [](const std::optional<std::uint64_t>& known, std::uint64_t is) { return known && *known != is; };
    if (differs(tree.known.nodes, found.nodes) || differs(tree.known.depth, found.depth) ||
        differs(tree.known.leaves, found.leaves))
        o.problem = "not what is published of this tree";
    o.shares = gather(g, own);
    o.seconds = o.total.seconds;
    o.result = {{"nodes", found.nodes}, {"depth", found.depth}, {"leaves", found.leaves}};
    return o;
}

std::vector<std::string> tree_names() {
    std::vector<std::string> names;
    for (const uts::tree& t : uts::official_trees()) names.emplace_back(t.name);
    return names;
}

}  // namespace

program uts_program() {
    return {.name = "uts",
            .summary = "nodes of an unbalanced tree, counted wherever they are",
            .options = {{"tree", "one of the official ones", unit::word, "T1", tree_names()},
                        {"serial", "whether rank 0 searches it alone as well", unit::word, "on", {"on", "off"}}},
            .run = run};
}

}  // namespace parley_programs::cluster
