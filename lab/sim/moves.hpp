// The ways in which a state can go on, in a fixed order: who makes the next step, and what is
// chosen in it. Number k is the same move whenever it is asked for, so a list of numbers is a run.
#pragma once

#include <lab/sim/chooser.hpp>
#include <lab/sim/scene.hpp>
#include <lab/sim/state_graph.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace parley::inline v0::sim {

// What an exploration leaves open besides who is next and who is asked.
struct openness {
    bool may_look_again = true;       // a worker without work,
    bool may_rest = true;             // or let its request rest first,
    bool may_sleep = true;            // or sleep
    bool may_take_back = false;       // or take back what it has sent (settings::takes_back)
    bool may_ask_nothing = false;     // or ask for nothing for a while
    bool wakes_for_no_reason = true;  // a sleeper
};

// Takes every combination of choices in turn: run a step, then next(), and again until it is false.
class every_choice final : public chooser {
public:
    explicit every_choice(const openness& o) noexcept : open_(o) {}

    void begin_step() noexcept {
        taken_ = 0;
        choices_ = 0;
    }
    std::uint32_t choose(choice what, std::uint32_t options) override {
        if (what == choice::asking) return ask(pick(open_.may_ask_nothing ? 2 : 1));
        if (what == choice::advice) return advise();
        return pick(options);
    }
    bool next() {
        while (!picks_.empty() && picks_.back().value + 1 == picks_.back().options) picks_.pop_back();
        if (picks_.empty()) return false;
        ++picks_.back().value;
        return true;
    }
    // Of the last step, for fairness.
    [[nodiscard]] std::uint8_t choices() const noexcept { return choices_; }

private:
    struct one {
        std::uint32_t value;
        std::uint32_t options;
    };
    std::uint32_t pick(std::uint32_t options) {
        if (taken_ == picks_.size()) picks_.push_back({0, options});
        return picks_[taken_++].value;
    }
    std::uint32_t ask(std::uint32_t picked) noexcept {
        choices_ |= picked == 0 ? chosen::to_ask : chosen::to_ask_nothing;
        return static_cast<std::uint32_t>(picked == 0 ? protocol::asking::as_strategy : protocol::asking::nothing);
    }
    std::uint32_t advise() {
        const bool may[] = {open_.may_look_again, open_.may_rest, open_.may_sleep, open_.may_take_back};
        std::uint32_t advice = 0;
        const auto options = static_cast<std::uint32_t>(std::count(std::begin(may), std::end(may), true));
        for (std::uint32_t left = pick(options); !may[advice] || left-- > 0;) ++advice;
        choices_ |= advice == 0 || advice == 3 ? chosen::to_look_again : chosen::to_give_up;
        return advice;
    }

    openness open_;
    std::vector<one> picks_;
    std::size_t taken_ = 0;
    std::uint8_t choices_ = 0;
};

// Agents that can go on here without being disturbed, one bit each.
template <class Scene>
std::uint8_t who_can_go_on(const Scene& s) {
    std::uint8_t set = 0;
    for (agent_id a = 0; a < s.agent_count(); ++a) {
        const readiness r = ready(s, a);
        if (r == readiness::now || r == readiness::when_time_is_up) set = static_cast<std::uint8_t>(set | 1u << a);
    }
    return set;
}

// Makes every move once. `restore` puts the simulation into the state where it began; `made` is
// called after each move with its number, its agent and what was chosen, and says whether to go on.
template <class Simulation, class Restore, class Made>
void each_move(Simulation& run, const openness& open, const Restore& restore, const Made& made) {
    std::uint16_t number = 0;
    for (agent_id a = 0; a < run.now().agent_count(); ++a) {
        restore();
        const readiness r = ready(run.now(), a);
        if (r == readiness::never || (r == readiness::if_disturbed && !open.wakes_for_no_reason)) continue;
        every_choice choices(open);
        bool more = true;
        for (bool first = true; more; first = false) {
            if (!first) restore();
            choices.begin_step();
            if (!made(edge{.to = no_state, .move = number++, .who = static_cast<std::uint8_t>(a)}, [&] {
                    run.step(a, 1, choices);
                    return choices.choices();
                }))
                return;
            more = choices.next();
        }
    }
}

}  // namespace parley::inline v0::sim
