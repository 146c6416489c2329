// Strongly connected components of a part of a state graph (Tarjan 1972, without recursion: paths
// are millions of states long).
#pragma once

#include <lab/sim/state_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

class components {
public:
    explicit components(const state_graph& g) : graph_(g), index_(g.states(), 0), low_(g.states(), 0) {}

    // Hands each component of these states that has an edge to `use`, as a list of states. `inside`
    // says which edges there are.
    template <class Inside, class Use>
    void each(const std::vector<state_id>& of, const Inside& inside, const Use& use) {
        for (const state_id s : of) index_[s] = 0;
        last_index_ = 0;
        for (const state_id root : of)
            if (index_[root] == 0) from(root, inside, use);
    }

private:
    static constexpr std::uint32_t done = ~std::uint32_t{0};
    struct visit {
        state_id state;
        std::uint64_t next;  // edge to look at
    };

    template <class Inside, class Use>
    void from(state_id root, const Inside& inside, const Use& use) {
        open(root);
        while (!visits_.empty()) {
            visit& v = visits_.back();
            if (v.next < graph_.last(v.state)) {
                const edge& e = graph_.at(v.next++);
                if (!inside(e)) continue;
                if (index_[e.to] == 0) open(e.to);  // v is not valid any more
                else if (index_[e.to] != done) low_[v.state] = std::min(low_[v.state], index_[e.to]);
                continue;
            }
            const state_id s = v.state;
            visits_.pop_back();
            if (!visits_.empty()) low_[visits_.back().state] = std::min(low_[visits_.back().state], low_[s]);
            if (low_[s] == index_[s]) close(s, inside, use);
        }
    }
    void open(state_id s) {
        index_[s] = low_[s] = ++last_index_;
        stack_.push_back(s);
        visits_.push_back({s, graph_.first(s)});
    }
    template <class Inside, class Use>
    void close(state_id s, const Inside& inside, const Use& use) {
        const auto begin = std::find(stack_.rbegin(), stack_.rend(), s).base() - 1;
        std::vector<state_id> members(begin, stack_.end());
        stack_.erase(begin, stack_.end());
        for (const state_id m : members) index_[m] = done;
        if (members.size() > 1 || leads_to_itself(s, inside)) use(std::move(members));
    }
    template <class Inside>
    [[nodiscard]] bool leads_to_itself(state_id s, const Inside& inside) const {
        for (std::uint64_t i = graph_.first(s); i < graph_.last(s); ++i)
            if (graph_.at(i).to == s && inside(graph_.at(i))) return true;
        return false;
    }

    const state_graph& graph_;
    std::vector<std::uint32_t> index_, low_;  // of each state; 0: not seen
    std::vector<state_id> stack_;
    std::vector<visit> visits_;
    std::uint32_t last_index_ = 0;
};

}  // namespace parley::inline v0::sim
