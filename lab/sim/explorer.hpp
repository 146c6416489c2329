// Stateful search: every state that a program can reach, over the real protocol, whoever is next
// and whatever is left open. Breadth first, so what is found is found on a shortest way. Each step
// and each end is checked (invariants.hpp), and then the whole for runs without an end
// (fair_cycles.hpp).
//
// Between two states lies one step on the shared world, with the free steps around it (see
// stepper::freedom): nothing is lost by taking them together. A step of another agent before,
// between or after is the delay of a message, the stall of a thread, the loss of a race.
#pragma once

#include <lab/sim/fair_cycles.hpp>
#include <lab/sim/moves.hpp>
#include <lab/sim/normal_form.hpp>
#include <lab/sim/packed_state.hpp>
#include <lab/sim/replay.hpp>
#include <lab/sim/schedule.hpp>
#include <lab/sim/state_graph.hpp>
#include <lab/sim/state_table.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

struct exploration_limits {
    state_id states = 2'000'000;  // about 60 bytes each when all is done, edges included
    openness open = {};
    bool until_tasks_ended = false;   // what comes after that is not explored
    bool until_roots_ended = false;   // nor what comes after that
    bool others_sleep_first = false;  // begins where all but worker 0 have started and sleep
    // See live_log.hpp. If not, states are told apart by more than it takes, and it is looked at whether those
    // that live logs would not tell apart go on alike.
    bool live_logs_only = true;
    bool merges_free_steps = true;  // see stepper::freedom
};

// A run that must not be: the moves to it and, if it goes on for ever, those of the way round.
struct finding {
    std::string invariant;
    std::string what;
    std::vector<std::uint16_t> moves;
    std::vector<std::uint16_t> for_ever;
};

struct exploration {
    std::uint64_t states = 0;
    std::uint64_t distinct = 0;  // if logs are taken as a whole: those that do not go on alike
    std::uint64_t transitions = 0;
    std::uint64_t ends = 0;    // states in which everybody has finished
    bool is_complete = false;  // every reachable state was explored
    std::optional<finding> found;
    // Two ways to states that live logs do not tell apart and that do not go on alike.
    std::optional<std::pair<std::vector<std::uint16_t>, std::vector<std::uint16_t>>> not_alike;
};

template <class Machine, class Medium = virtual_medium, class Simulation = simulation<Machine, Medium>>
class explorer {
public:
    explorer(const typename Simulation::program_type& p, const settings& s, const exploration_limits& limits)
        : limits_(limits), run_(p, s) {
        if (run_.now().agent_count() > 8) throw std::invalid_argument("at most 8 agents");
        if (limits.merges_free_steps) run_.merge_free_steps();
    }

    exploration run() {
        if (limits_.others_sleep_first) let_others_sleep();
        if (!result_.found) enter();
        while (!frontier_.empty() && !result_.found) {
            expand(frontier_.front());
            frontier_.pop_front();
        }
        result_.states = table_.size();
        result_.distinct = limits_.live_logs_only ? table_.size() : distinct_.size();
        result_.transitions = graph_.edges();
        result_.is_complete = !result_.found && frontier_.empty() && !left_out_;
        if (!result_.found) look_for_runs_without_end();
        return result_;
    }

private:
    void let_others_sleep() {
        replay<Machine, Medium, Simulation> there(*run_.now().what, run_.now().set, limits_.open);
        try {
            there.make_until_others_sleep(moves_before_);
            run_.now() = there.now();
        } catch (const violation& v) {
            result_.found = finding{v.invariant, v.what(), moves_before_, {}};
        }
    }
    // The state where the simulation is. Nothing if it was left out.
    state_id enter() {
        make_normal(run_.now());
        packer_.pack(run_.now(), packed_);
        packer_.pack_key(run_.now(), key_);
        const bool may_grow = table_.size() < limits_.states;
        if (!limits_.live_logs_only && may_grow) (void)distinct_.number_of(hash_of(key_), true);
        const auto [id, is_new] = table_.number_of(hash_of(limits_.live_logs_only ? key_ : packed_), may_grow);
        last_key_ = hash_of(key_);
        if (is_new) frontier_.push_back(packed_);
        if (id == no_state) left_out_ = true;
        return id;
    }
    void expand(const std::string& state) {
        packer_.unpack(state, run_.now());
        packer_.pack_key(run_.now(), key_);
        const std::uint64_t own_key = hash_of(key_);
        const auto id = graph_.states();
        std::vector<std::uint64_t> next;
        const bool far_enough = (limits_.until_tasks_ended && run_.now().all_tasks_ended()) ||
                                (limits_.until_roots_ended && run_.now().all_roots_ended());
        const std::uint8_t fair = far_enough ? 0 : who_can_go_on(run_.now());
        graph_.begin_state(fair);
        if (far_enough) {
            ++result_.ends;
            return;
        }
        if (fair == 0) {
            ++result_.ends;
            try {
                run_.check_end();
            } catch (const violation& v) {
                report(v, id, std::nullopt);
                return;
            }
        }
        each_move(
            run_, limits_.open, [&] { packer_.unpack(state, run_.now()); },
            [&](edge e, const auto& make) {
                try {
                    e.choices = make();
                } catch (const violation& v) {
                    report(v, id, e.move);
                    return false;
                }
                e.to = enter();
                next.push_back(last_key_);
                if (e.to != no_state) graph_.add(e);
                return true;
            });
        if (!limits_.live_logs_only) compare(own_key, id, next);
    }
    // With all others of that key: move by move they must lead to the same keys.
    void compare(std::uint64_t key, state_id id, const std::vector<std::uint64_t>& next) {
        const auto [at, is_new] = ways_on_.try_emplace(key, way_on{id, next});
        if (!is_new && !result_.not_alike && at->second.next != next)
            result_.not_alike = {moves_to(at->second.state), moves_to(id)};
    }

    void report(const violation& v, state_id at, std::optional<std::uint16_t> last) {
        result_.found = finding{v.invariant, v.what(), moves_to(at), {}};
        if (last) result_.found->moves.push_back(*last);
    }
    void look_for_runs_without_end() {
        const auto cycle = fair_cycles(graph_).find();
        if (!cycle) return;
        finding f;
        f.moves = moves_to(cycle->begin);
        f.for_ever = moves_of(cycle->edges);
        replay<Machine, Medium, Simulation> there(*run_.now().what, run_.now().set, limits_.open);
        there.make(f.moves);
        const violation v = what_never_happens(there.now());
        f.invariant = v.invariant;
        f.what = v.what();
        result_.found = std::move(f);
    }
    [[nodiscard]] std::vector<std::uint16_t> moves_to(state_id at) const {
        std::vector<std::uint16_t> moves = moves_before_;
        for (const std::uint16_t m : moves_of(graph_.way_to(at))) moves.push_back(m);
        return moves;
    }
    static std::vector<std::uint16_t> moves_of(const std::vector<edge>& way) {
        std::vector<std::uint16_t> moves;
        moves.reserve(way.size());
        for (const edge& e : way) moves.push_back(e.move);
        return moves;
    }

    exploration_limits limits_;
    Simulation run_;
    state_packer<Machine> packer_;
    state_table table_, distinct_;
    state_graph graph_;
    std::deque<std::string> frontier_;  // in the order of their numbers
    std::string packed_, key_;
    std::vector<std::uint16_t> moves_before_;  // those to where it begins
    bool left_out_ = false;
    exploration result_;

    struct way_on {
        state_id state;
        std::vector<std::uint64_t> next;  // the keys of where its moves lead
    };
    std::uint64_t last_key_ = 0;
    std::unordered_map<std::uint64_t, way_on> ways_on_;
};

}  // namespace parley::inline v0::sim
