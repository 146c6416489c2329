// A seeded scheduler: who makes the next steps, how many, who is stalled, what the protocol leaves
// open. The same seed gives the same run, step by step.
#pragma once

#include <lab/sim/invariants.hpp>
#include <lab/sim/message_log.hpp>
#include <lab/sim/virtual_medium.hpp>
#include <lab/sim/worker_driver.hpp>
#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

// One program, run by virtual workers, every step checked.
template <class Machine, class Medium = virtual_medium>
class simulation final : watcher {
public:
    using program_type = program;
    using scene_type = scene<Machine>;

    simulation(const program& p, const settings& s) : now_(p, s), checks_(now_) {}
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    // At least one turn of an agent that is ready, at most `budget` steps of it. True: it was
    // stopped after a step of the kind where stop_after() wants it.
    bool step(agent_id who, std::uint32_t budget, chooser& decide) {
        const driving d{budget, decide, *this, merges_};
        budget_ = &budget;
        stopped_ = false;
        do {
            if (who < now_.worker_count()) worker_driver<Medium, Machine>(now_, who, d).step();
            else outsider_driver<Medium, Machine>(now_, who - now_.worker_count(), d).step();
            checks_.state();
        } while (budget > 0 && ready(now_, who) == readiness::now);
        return stopped_;
    }
    void stop_after(operation o) noexcept { stop_after_ = o; }
    // Steps that commute with all that others can do are made together with one that does not.
    void merge_free_steps() noexcept { merges_ = true; }
    void check_end() const { checks_.end(); }

    [[nodiscard]] scene<Machine>& now() noexcept { return now_; }
    [[nodiscard]] const scene<Machine>& now() const noexcept { return now_; }

    // Keeps the last `steps` steps from now on.
    void remember(std::size_t steps) noexcept { remembered_ = steps; }
    [[nodiscard]] const std::deque<logged_step>& history() const noexcept { return history_; }
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

private:
    void saw(agent_id who, const entry& e) override {
        // FNV-1a over what was done and what came back.
        for (const std::uint64_t word : {std::uint64_t{who}, static_cast<std::uint64_t>(e.what), std::uint64_t{e.about},
                                         std::uint64_t{e.detail}, std::uint64_t{e.result.yes}, e.result.x, e.result.y})
            fingerprint_ = (fingerprint_ ^ word) * 0x100000001B3u;
        if (remembered_ > 0) {
            history_.push_back({now_.shared.step, who, now_.at(who).at, e});
            if (history_.size() > remembered_) history_.pop_front();
        }
        if (e.what == stop_after_) {
            *budget_ = 0;
            stopped_ = true;
        }
        checks_.after(e);
    }

    scene<Machine> now_;
    invariants<Machine> checks_;
    std::uint32_t* budget_ = nullptr;  // of the present step()
    std::optional<operation> stop_after_;
    bool stopped_ = false;
    bool merges_ = false;
    std::size_t remembered_ = 0;
    std::deque<logged_step> history_;
    std::uint64_t fingerprint_ = 0xCBF29CE484222325u;
};

// How a schedule treats its agents, drawn from its seed.
struct temper {
    explicit temper(base::rng& random)
        : longest_burst(1u << random.below(6)),
          stalls_in_1024(random.below(3) == 0 ? random.below(24) : 0),
          longest_stall(16u << random.below(8)),
          slow_agent(random.below(12)),
          slowness(4u << random.below(8)),
          sore_point(static_cast<operation>(random.below(2 * operation_kinds))),
          disturbances_in_1024(random.below(2) == 0 ? 0 : 1 + random.below(32)),
          sleepiness_in_16(1 + random.below(14)),
          rest_in_16(random.below(8)),
          trials_in_16(random.below(3) == 0 ? 1 + random.below(8) : 0) {}

    std::uint32_t longest_burst;         // steps
    std::uint32_t stalls_in_1024;        // per burst
    std::uint32_t longest_stall;         // bursts of others
    agent_id slow_agent;                 // makes one step at a time, then waits; may not exist
    std::uint32_t slowness;              // its longest wait, in bursts of others
    operation sore_point;                // whoever has made such a step is often stalled there
    std::uint32_t disturbances_in_1024;  // spurious wake-ups and early ends of short sleeps
    std::uint32_t sleepiness_in_16;      // per turn without work
    std::uint32_t rest_in_16;
    std::uint32_t trials_in_16;  // a thief asks for something else than its strategy says
};

// Runs a simulation to its end.
template <class Machine, class Medium = virtual_medium>
class schedule final : chooser {
public:
    // More than any run of the programs here takes, by a factor of ten. Where thieves never rest, they go on while a
    // slow agent takes its time.
    static constexpr std::uint64_t too_many_steps = 2'000'000;
    static constexpr std::uint64_t too_many_without_rest = 20 * too_many_steps;

    schedule(const program& p, settings s)
        : random_(s.seed * 0x9E3779B97F4A7C15u + s.workers),
          temper_(random_),
          run_(p, with_end(s, random_)),
          stalled_until_(run_.now().agent_count(), 0) {
        run_.stop_after(temper_.sore_point);
    }

    // Throws `violation`.
    void run() {
        while (const std::size_t candidates = collect()) {
            const agent_id who = ready_[random_.below(static_cast<std::uint32_t>(candidates))];
            ++bursts_;
            const bool slow = who == temper_.slow_agent;
            const bool sore = run_.step(who, slow ? 1 : 1 + random_.below(temper_.longest_burst), *this);
            if (slow || (sore && random_.below(2) == 0)) stalled_until_[who] = bursts_ + random_.below(temper_.slowness);
            else if (random_.below(1024) < temper_.stalls_in_1024)
                stalled_until_[who] = bursts_ + random_.below(temper_.longest_stall);
            const bool rests = !run_.now().workers[0].machine.circulates();
            const std::uint64_t too_many = rests ? too_many_steps : too_many_without_rest;
            if (run_.now().shared.step > too_many) violated("I7", "no end after " + std::to_string(too_many) + " steps");
        }
        run_.check_end();
    }

    // Before run(): stalls agents after steps of this kind, for as long as that, whatever the seed
    // says.
    void aim_at(operation o, std::uint32_t longest_wait) noexcept {
        temper_.sore_point = o;
        temper_.slowness = longest_wait;
        run_.stop_after(o);
    }

    [[nodiscard]] simulation<Machine, Medium>& what_runs() noexcept { return run_; }

private:
    static settings with_end(settings s, base::rng& random) {
        s.patient_end = random.below(2) == 0;
        return s;
    }

    // Who may be next. Somebody who is stalled or asleep for a while only if nobody else can go on;
    // a sleeper who waits to be woken only as a disturbance, never to save the run.
    std::size_t collect() {
        ready_.clear();
        stalled_.clear();
        late_.clear();
        disturbable_.clear();
        for (agent_id a = 0; a < run_.now().agent_count(); ++a) {
            switch (ready(run_.now(), a)) {
                case readiness::never: break;
                case readiness::if_disturbed: disturbable_.push_back(a); break;
                case readiness::when_time_is_up: late_.push_back(a); break;
                case readiness::now: (stalled_until_[a] > bursts_ ? stalled_ : ready_).push_back(a); break;
            }
        }
        if (ready_.empty()) ready_ = stalled_;
        if (ready_.empty()) {
            ready_ = late_;
        } else if (random_.below(1024) < temper_.disturbances_in_1024) {
            if (!late_.empty()) ready_ = late_;
            else if (!disturbable_.empty()) ready_ = disturbable_;
        }
        return ready_.size();
    }

    std::uint32_t choose(choice what, std::uint32_t options) override {
        if (what == choice::victims) return 0;  // random_victims draws its own
        const std::uint32_t die = random_.below(16);
        if (what == choice::asking) return die < temper_.trials_in_16 ? random_.below(options) : 0;
        if (die < temper_.sleepiness_in_16) return 2;
        return die < temper_.sleepiness_in_16 + temper_.rest_in_16 ? 1 : 0;
    }

    base::rng random_;
    temper temper_;
    simulation<Machine, Medium> run_;
    std::vector<std::uint64_t> stalled_until_;  // in bursts
    std::vector<agent_id> ready_, stalled_, late_, disturbable_;
    std::uint64_t bursts_ = 0;
};

}  // namespace parley::inline v0::sim
