#include "lab/command/sim/rank_tasks.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "lab/programs/dlb_profile.hpp"
#include "lab/programs/sha1.hpp"

namespace parley_cli {
namespace {

using parley::cluster::position;
using parley::sim::virtual_task;
namespace uts = parley_programs::uts;
using parley_programs::json;

struct totals {
    std::uint64_t nodes = 0, leaves = 0, depth = 0;
    [[nodiscard]] json line() const { return {{"nodes", nodes}, {"depth", depth}, {"leaves", leaves}}; }
};

// Nodes that are known and not yet searched, by number: what travels between virtual ranks has no room for a hash.
class open_nodes {
public:
    explicit open_nodes(const uts::tree& which) : law_(which), root_(uts::root_of(which)) {}

    [[nodiscard]] std::uint64_t add_root() { return add(root_); }
    // Calls `child` with the number of each child. The node's own is free again.
    template <class Child>
    void search(std::uint64_t number, const Child& child) {
        const uts::node here = nodes_[number];
        free_.push_back(number);
        const uts::branching_law::row row = law_.at(here.depth);
        const std::uint32_t value = row.value_of(here.state);
        std::uint32_t index = 0;
        for (; value >= row.bounds[index]; ++index) child(add({hash_(here.state, index), here.depth + 1}));
        ++found.nodes;
        found.leaves += index == 0 ? 1 : 0;
        found.depth = std::max<std::uint64_t>(found.depth, here.depth);
    }
    totals found;

private:
    std::uint64_t add(const uts::node& n) {
        if (free_.empty()) {
            nodes_.push_back(n);
            return nodes_.size() - 1;
        }
        const std::uint64_t at = free_.back();
        free_.pop_back();
        nodes_[at] = n;
        return at;
    }

    uts::branching_law law_;
    uts::node root_;
    parley_programs::sha1_digest (*hash_)(const parley_programs::sha1_digest&,
                                          std::uint32_t) noexcept = parley_programs::with_best_sha1([]<class Hash>(Hash) {
        return &Hash::child;
    });
    std::vector<uts::node> nodes_;
    std::vector<std::uint64_t> free_;
};

totals searched_serially(const uts::tree& tree) {
    open_nodes nodes(tree);
    std::vector<std::uint64_t> stack{nodes.add_root()};
    while (!stack.empty()) {
        const std::uint64_t next = stack.back();
        stack.pop_back();
        nodes.search(next, [&](std::uint64_t child) { stack.push_back(child); });
    }
    return nodes.found;
}

}  // namespace

rank_tasks dlb_tasks(std::uint32_t ranks, const std::string& profile, std::uint64_t each, double seconds) {
    rank_tasks t;
    t.work.ranks = ranks;
    t.work.tasks = [=](position r) {
        const auto first = [&](position p) { return parley_programs::dlb_first_of(profile, each, p, ranks); };
        return std::vector<virtual_task>(first(r + 1) - first(r), virtual_task{.owner = r, .seconds = seconds});
    };
    t.tasks = parley_programs::dlb_first_of(profile, each, ranks, ranks);
    t.result = [] { return json::object(); };
    t.known = json::object();
    return t;
}

rank_tasks uts_tasks(std::uint32_t ranks, const uts::tree& tree, double seconds) {
    const totals known = searched_serially(tree);
    const auto nodes = std::make_shared<open_nodes>(tree);
    rank_tasks t;
    t.work.ranks = ranks;
    t.work.tasks = [=](position r) {
        std::vector<virtual_task> mine;
        if (r == 0) mine.push_back({.owner = 0, .seconds = seconds, .state = nodes->add_root()});
        return mine;
    };
    t.work.spawns = [=](const virtual_task& task, std::vector<virtual_task>& out) {
        nodes->search(task.state, [&](std::uint64_t child) {
            out.push_back({.owner = task.owner, .seconds = seconds, .state = child});
        });
    };
    t.tasks = known.nodes;
    t.result = [=] { return nodes->found.line(); };
    t.known = known.line();
    return t;
}

}  // namespace parley_cli
