// Programs that come, work, lie and die, sections that get their quanta at any time, and messages of different pairs
// in any order: by a seed. After each step everything that must always hold is looked at.
#pragma once

#include "tests/broker/policies/given.hpp"

#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace broker_tests {

struct life_settings {
    std::uint32_t sections = 3;
    std::uint32_t cores = 9;
    std::uint32_t most_programs = 4;  // at a time, with those of whose end somebody has not heard
    bool may_share = false;           // else no core may ever have two holders
    std::uint32_t steps = 600;
    // Every second program may use some cores only. Then cores are shared though there are enough of them.
    bool restricts = false;
    bool sleeps = false;  // programs fall asleep, and run again
};

class random_life {
public:
    random_life(std::uint64_t seed, const life_settings& s, const std::shared_ptr<const policy>& how)
        : settings_(s),
          random_(seed),
          delivers_(50 + random_.below(40)),
          deaths_(1 + random_.below(3)),
          w(equal_sections(s.cores, s.sections), how),
          how_(how) {}

    // Stops at the first breach.
    void run() {
        for (std::uint32_t i = 0; i < settings_.steps && !testing::Test::HasFatalFailure(); ++i) {
            step();
            expect_always();
        }
    }
    // Until nothing is under way, in any order; then some quanta without samples.
    void settle() {
        for (int round = 0; round < 5 && !testing::Test::HasFatalFailure(); ++round) {
            for (int i = 0; !w.net.is_quiet(); ++i) {
                ASSERT_LT(i, 200'000) << "messages without end";
                w.net.deliver_one(random_);
                expect_always();
                if (testing::Test::HasFatalFailure()) return;
            }
            for (section_id s = 0; s < w.net.size() && round < 4; ++s) {
                w.net.put(s, parley::broker::quantum{});
                expect_always();
            }
        }
    }
    [[nodiscard]] const std::set<program_id>& alive() const noexcept { return alive_; }

private:
    void step() {
        const std::uint32_t what = random_.below(100);
        if (what < delivers_ && !w.net.is_quiet()) w.net.deliver_one(random_);
        else if (what < 92) sample(any_section());
        else if (what < 97) join();
        else if (!alive_.empty() && random_.below(3) < deaths_) kill();
    }
    section_id any_section() { return random_.below(settings_.sections); }

    void join() {
        std::set<program_id> known = alive_;
        for (std::size_t s = 0; s < w.net.size(); ++s)
            for (const auto& [id, row] : w.net[s].known().rows.rows()) known.insert(id);
        for (const auto& [way, messages] : w.net.under_way())
            for (const message& m : messages)
                if (const claim_delta* d = std::get_if<claim_delta>(&m.what)) known.insert(d->row.program);
        if (known.size() >= settings_.most_programs) return;
        alive_.insert(++last_);
        joining j{last_, random_.below(2), 1 + random_.below(3), random_.below(3) == 0 ? 1 + random_.below(4) : unlimited};
        if (settings_.restricts && random_.below(2) == 0) {
            const std::uint32_t one_in = 1 + random_.below(5);
            j.usable = usable_cores(settings_.cores, [&](core_id) { return random_.below(one_in) == 0; });
        }
        w.net.put(any_section(), j);
    }
    void kill() {
        const auto who = std::next(alive_.begin(), random_.below(static_cast<std::uint32_t>(alive_.size())));
        const program_id p = *who;
        alive_.erase(who);
        had_.erase(p);
        w.net.put(any_section(), leaving{p});
    }
    void sample(section_id s) {
        parley::broker::quantum q{.length = 100, .samples = {}};
        for (const program_id p : alive_) {
            if (!w.net[s].leads(p) || random_.below(4) == 0) continue;
            q.samples.push_back({p, {}});
            const std::uint32_t mood = random_.below(6);  // mostly it works, so that cores are scarce
            for (const auto& [c, stamp] : w.net[s].allotment(p))
                q.samples.back().use.cores.push_back({.core = c,
                                                      .held = 100,
                                                      .useful = mood == 0   ? 0
                                                                : mood == 1 ? random_.below(101)
                                                                            : 100});
            q.samples.back().asleep = settings_.sleeps && random_.below(4) == 0;
        }
        w.net.put(s, q);
    }

    void expect_always() {
        expect_one_leader();
        expect_cores_once();
        expect_last_cores_only_for_room();
        w.last_step = {};
    }
    // Of each program at most one state exists, at a section or under way; of one that lives exactly one.
    void expect_one_leader() {
        std::map<program_id, int> states;
        for (std::size_t s = 0; s < w.net.size(); ++s)
            for (const auto& [id, p] : w.net[s].known().led) ++states[id];
        for (const auto& [way, messages] : w.net.under_way())
            for (const message& m : messages)
                if (const handover* h = std::get_if<handover>(&m.what)) ++states[h->state.row.program];
        for (const auto& [id, n] : states) ASSERT_EQ(n, 1) << "program " << id << " has two leaders";
        for (const program_id p : alive_) ASSERT_EQ(states[p], 1) << "program " << p << " has no leader";
    }
    // What a leader may give its program is held by that program, says the core's owner; and by no other.
    void expect_cores_once() {
        for (core_id c = 0; c < w.table->cores(); ++c) {
            std::set<program_id> holders;
            for (const holding& h : w.holders(c)) ASSERT_TRUE(holders.insert(h.program).second);
            if (!settings_.may_share) {
                ASSERT_LE(holders.size(), 1u) << "core " << c << " has two holders";
            }
        }
        std::set<core_id> used;
        for (std::size_t s = 0; s < w.net.size(); ++s)
            for (const auto& [id, p] : w.net[s].known().led) {
                for (const auto& [c, stamp] : p.cores) {
                    ASSERT_TRUE(p.row.usable.has(c)) << "program " << id << " may not use core " << c;
                    const section& owner = w.net[w.table->owner(c)];
                    if (!alive_.contains(id)) continue;
                    const auto held = owner.known().who.stamp(c, id);
                    ASSERT_TRUE(held) << "program " << id << ", core " << c;
                    if (held != stamp) {
                        ASSERT_TRUE(p.asked) << "it was granted again, and the answer is under way";
                    }
                    if (!settings_.may_share) {
                        ASSERT_TRUE(used.insert(c).second) << "core " << c;
                    }
                }
            }
    }
    // Nobody who is awake loses its last core, unless in that step it makes room with it for a program that has none.
    void expect_last_cores_only_for_room() {
        const auto look_at = [&](const led_program& p) {
            const program_id id = p.row.program;
            if (!alive_.contains(id)) return;
            std::set<core_id> has;
            for (const auto& [c, stamp] : p.cores) has.insert(c);
            const std::set<core_id> had = std::exchange(had_[id], std::move(has));
            if (p.cores.empty() && !had.empty() && !p.row.asleep) {
                ASSERT_TRUE(makes_room(id, had)) << "program " << id << " lost its last core";
            }
        };
        for (std::size_t s = 0; s < w.net.size(); ++s)
            for (const auto& [id, p] : w.net[s].known().led) look_at(p);
        for (const auto& [way, messages] : w.net.under_way())
            for (const message& m : messages)
                if (const handover* h = std::get_if<handover>(&m.what)) look_at(h->state);
    }
    [[nodiscard]] bool makes_room(program_id p, const std::set<core_id>& with) const {
        return std::any_of(w.last_step.decisions.begin(), w.last_step.decisions.end(),
                           [&](const decision& d) {
                               return d.what == deed::loses && d.why == reason::makes_room && d.program == p &&
                                      with.contains(d.core);
                           }) ||
               std::any_of(w.last_step.messages.begin(), w.last_step.messages.end(), [&](const message& m) {
                   const return_core* const r = std::get_if<return_core>(&m.what);
                   return r != nullptr && r->why == reason::makes_room && r->holder.program == p && with.contains(r->core);
               });
    }

    life_settings settings_;
    parley::base::rng random_;
    std::uint32_t delivers_, deaths_;  // some lives are quieter than others

public:
    world w;

private:
    std::shared_ptr<const policy> how_;
    std::set<program_id> alive_;
    std::map<program_id, std::set<core_id>> had_;  // what their leaders listed after the last step
    program_id last_ = 0;
};

}  // namespace broker_tests
