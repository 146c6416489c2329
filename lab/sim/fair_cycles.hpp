// Liveness: is there a fair run that never ends? Every program of the simulator is finite, and in
// the end every agent has finished; so whatever the protocol promises to happen "soon" (the barrier
// opens, whoever waits returns, a sleeper is woken, a thief is fed) has failed to happen in a run
// that goes on for ever, and in no other.
//
// A run that goes on for ever stays, from some point on, in one strongly connected component of the
// state graph and takes its edges again and again. It is fair if
//   - nobody who can go on all the time is kept waiting all the time (weak fairness): a component
//     in all of whose states an agent can go on, without a step of it, holds no fair run at all;
//   - a worker without work does not for ever choose to look again instead of resting or sleeping,
//     nor to ask for nothing: its patience is finite. If a component has only such choices of a
//     worker, a fair run in it does without them: the edges are removed and what remains is looked
//     at again (Emerson and Lei 1987, for strong fairness).
// A spurious wake-up is a step like any other, but nobody can rely on it: a sleeper can not go on.
#pragma once

#include <lab/sim/components.hpp>
#include <lab/sim/state_graph.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

class fair_cycles {
    static constexpr std::uint32_t agents = 8;
    // Of each agent, the choices whose edges are removed.
    using removed = std::array<std::uint8_t, agents>;
    struct part {
        std::vector<state_id> states;
        std::uint32_t number;
        removed without;
    };
    enum class verdict : std::uint8_t { unfair, fair_without_some, fair };

    [[nodiscard]] auto inside(const part& p) const {
        return [this, &p](const edge& e) {
            return e.to < part_of_.size() && part_of_[e.to] == p.number && (e.choices & p.without[e.who]) == 0;
        };
    }

public:
    explicit fair_cycles(const state_graph& g) : graph_(g), components_(g), part_of_(g.states(), 0) {}

    // A way round that a fair run may take for ever, beginning at its first state.
    struct cycle {
        state_id begin = 0;
        std::vector<edge> edges;
    };
    [[nodiscard]] std::optional<cycle> find() {
        part all{.states = std::vector<state_id>(graph_.states()), .number = 0, .without = {}};
        std::iota(all.states.begin(), all.states.end(), state_id{0});
        std::vector<part> parts;
        parts.push_back(std::move(all));
        std::optional<part> found;
        while (!parts.empty() && !found) {
            const part p = std::move(parts.back());
            parts.pop_back();
            components_.each(p.states, inside(p), [&](std::vector<state_id> states) {
                part smaller{std::move(states), ++parts_, p.without};
                for (const state_id s : smaller.states) part_of_[s] = smaller.number;
                switch (judge(smaller)) {
                    case verdict::unfair: break;
                    case verdict::fair_without_some: parts.push_back(std::move(smaller)); break;
                    case verdict::fair:
                        if (!found) found = std::move(smaller);
                        break;
                }
            });
        }
        if (!found) return std::nullopt;
        return way_round(*found);
    }

private:
    template <class Use>
    void each_edge(const part& p, const Use& use) const {
        const auto is_inside = inside(p);
        for (const state_id s : p.states)
            for (std::uint64_t i = graph_.first(s); i < graph_.last(s); ++i)
                if (is_inside(graph_.at(i))) use(s, graph_.at(i));
    }

    struct summary {
        unsigned always = 0xFF;  // agents that can go on in every state
        unsigned stepped = 0;
        std::array<std::uint8_t, agents> chosen{};
    };
    [[nodiscard]] summary sum_up(const part& p) const {
        summary s;
        for (const state_id state : p.states) s.always &= graph_.fair(state);
        each_edge(p, [&](state_id, const edge& e) {
            s.stepped |= 1u << e.who;
            s.chosen[e.who] |= e.choices;
        });
        return s;
    }
    // Removes what a fair run can not do for ever.
    [[nodiscard]] verdict judge(part& p) const {
        const summary s = sum_up(p);
        if ((s.always & ~s.stepped) != 0) return verdict::unfair;
        verdict v = verdict::fair;
        const auto only = [&](std::uint32_t who, std::uint8_t what, std::uint8_t instead_of) {
            if ((s.chosen[who] & what) == 0 || (s.chosen[who] & instead_of) != 0) return;
            p.without[who] |= what;
            v = verdict::fair_without_some;
        };
        for (std::uint32_t who = 0; who < agents; ++who) {
            only(who, chosen::to_look_again, chosen::to_give_up);
            only(who, chosen::to_ask_nothing, chosen::to_ask);
        }
        return v;
    }

    // From the first state found, through everything that makes the run fair, and back.
    [[nodiscard]] cycle way_round(const part& p) const {
        const summary all = sum_up(p);
        cycle c{.begin = *std::min_element(p.states.begin(), p.states.end()), .edges = {}};
        state_id here = c.begin;
        std::vector<state_id> sources;  // of the edges
        const auto go = [&](const auto& fits, bool once_is_enough = true) {
            for (std::size_t i = 0; once_is_enough && i < c.edges.size(); ++i)
                if (fits(sources[i], c.edges[i])) return;
            const auto leg = graph_.way(here, inside(p), fits);
            if (!leg) return;
            for (const edge& e : *leg) {
                sources.push_back(here);
                c.edges.push_back(e);
                here = e.to;
            }
        };
        for (std::uint32_t who = 0; who < agents; ++who) {
            const unsigned bit = 1u << who;
            const std::uint8_t good = all.chosen[who] & (chosen::to_give_up | chosen::to_ask);
            if ((all.stepped & bit) != 0) go([&](state_id, const edge& e) { return e.who == who; });
            else go([&](state_id s, const edge&) { return (graph_.fair(s) & bit) == 0; });
            for (const std::uint8_t one : {chosen::to_give_up, chosen::to_ask})
                if ((good & one) != 0) go([&](state_id, const edge& e) { return e.who == who && (e.choices & one) != 0; });
        }
        if (here != c.begin || c.edges.empty()) go([&](state_id, const edge& e) { return e.to == c.begin; }, false);
        return c;
    }

    const state_graph& graph_;
    components components_;
    std::vector<std::uint32_t> part_of_;  // of each state
    std::uint32_t parts_ = 0;
};

}  // namespace parley::inline v0::sim
