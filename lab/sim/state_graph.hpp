// What an exploration has found, as a graph: its states by number, and the steps between them.
#pragma once

#include <lab/sim/operation.hpp>
#include <lab/sim/state_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace parley::inline v0::sim {

// What was chosen in a step, as far as fairness asks for it.
namespace chosen {
inline constexpr std::uint8_t to_look_again = 1u << 0;
inline constexpr std::uint8_t to_give_up = 1u << 1;  // to rest or to sleep
inline constexpr std::uint8_t to_ask_nothing = 1u << 2;
inline constexpr std::uint8_t to_ask = 1u << 3;
}  // namespace chosen

struct edge {
    state_id to = no_state;
    std::uint16_t move = 0;  // its number among the moves of the state that it leaves
    std::uint8_t who = 0;
    std::uint8_t choices = 0;
};

// The moves of each state are entered together, in the order of the states' numbers.
class state_graph {
public:
    // `fair`: agents that can go on here and must not be kept waiting for ever, one bit each.
    void begin_state(std::uint8_t fair) {
        first_.push_back(edges_.size());
        fair_.push_back(fair);
    }
    void add(const edge& e) { edges_.push_back(e); }

    [[nodiscard]] state_id states() const noexcept { return static_cast<state_id>(fair_.size()); }
    [[nodiscard]] std::uint64_t edges() const noexcept { return edges_.size(); }
    [[nodiscard]] std::uint8_t fair(state_id s) const { return fair_[s]; }

    [[nodiscard]] std::uint64_t first(state_id s) const { return first_[s]; }
    [[nodiscard]] std::uint64_t last(state_id s) const { return s + 1 < first_.size() ? first_[s + 1] : edges_.size(); }
    [[nodiscard]] const edge& at(std::uint64_t number) const { return edges_[number]; }

    // The shortest way from one state to an edge that fits, which is its last. `inside`: where it
    // may lead, and over which edges.
    template <class Inside, class Fits>
    [[nodiscard]] std::optional<std::vector<edge>> way(state_id from, const Inside& inside, const Fits& fits) const {
        std::vector<std::uint64_t> came_by(states(), not_seen);
        std::deque<state_id> next{from};
        came_by[from] = start;
        while (!next.empty()) {
            const state_id s = next.front();
            next.pop_front();
            for (std::uint64_t i = first(s); i < last(s); ++i) {
                const edge& e = at(i);
                if (!inside(e)) continue;
                if (fits(s, e)) return back_from(i, came_by);
                if (came_by[e.to] != not_seen) continue;
                came_by[e.to] = i;
                next.push_back(e.to);
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<edge> way_to(state_id target) const {
        if (target == 0) return {};
        return *way(
            0, [&](const edge& e) { return e.to < states(); }, [&](state_id, const edge& e) { return e.to == target; });
    }
    [[nodiscard]] state_id source_of(std::uint64_t number) const {
        const auto after = std::upper_bound(first_.begin(), first_.end(), number);
        return static_cast<state_id>(after - first_.begin() - 1);
    }

private:
    static constexpr std::uint64_t not_seen = ~std::uint64_t{0};
    static constexpr std::uint64_t start = not_seen - 1;

    [[nodiscard]] std::vector<edge> back_from(std::uint64_t number, const std::vector<std::uint64_t>& came_by) const {
        std::vector<edge> path;
        for (; number != start; number = came_by[source_of(number)]) path.push_back(at(number));
        std::reverse(path.begin(), path.end());
        return path;
    }

    // Deques grow without copying: the edges may take most of a machine's memory.
    std::deque<edge> edges_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint8_t> fair_;
};

}  // namespace parley::inline v0::sim
