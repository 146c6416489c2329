// States made by hand, and all sections together.
#pragma once

#include <broker/policy/fair_share.hpp>
#include <broker/policy/section_network.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace broker_tests {

using namespace parley::broker;

// Of 100 on each core.
inline program_use use_of(std::initializer_list<std::pair<core_id, nanoseconds>> useful) {
    program_use use;
    for (const auto& [c, t] : useful) use.cores.push_back({.core = c, .held = 100, .useful = t});
    return use;
}

// The default policy, but programs begin with one core.
inline std::shared_ptr<const policy> from_one(user_caps caps = {}) {
    return std::make_shared<fair_share>(
        fair_share_options{.desire = {}, .first_desire = 1, .caps = std::move(caps), .alone_gets_all = false});
}

inline usable_cores only(const std::set<core_id>& cores) {
    return usable_cores(*cores.rbegin() + 2, [&](core_id c) { return cores.contains(c); });
}

// What a section knows.
struct given : knowledge {
    given(const ownership& t, section_id s) : knowledge(s, std::make_shared<const ownership>(t)) {}
    given& exists(program_id p, const std::vector<core_id>& cores, program_class judged, std::uint32_t desire = 1) {
        for (const core_id c : cores) who.add(c, {p, 1});
        rows.apply({.program = p, .desire = desire, .judged = judged, .version = 1});
        return *this;
    }
    // Only these, of a program that exists.
    given& may_use(program_id p, const std::set<core_id>& cores) {
        claim row = *rows.find(p);
        row.usable = only(cores);
        ++row.version;
        rows.apply(row);
        if (const auto found = led.find(p); found != led.end()) found->second.row = row;
        return *this;
    }
    given& leads(program_id p, const std::vector<core_id>& cores, program_class judged, std::uint32_t desire = 1) {
        exists(p, cores, judged, desire);
        led_program& l = led[p];
        l.row = *rows.find(p);
        for (const core_id c : cores) l.cores[c] = 1;
        return *this;
    }
    given& uses(program_id p, std::initializer_list<std::pair<core_id, nanoseconds>> useful) {
        led.at(p).last = use_of(useful);
        return *this;
    }
};

// All sections, in which every input has its full effect before the next one.
struct world {
    world(const ownership& t, const std::shared_ptr<const policy>& how)
        : table(std::make_shared<const ownership>(t)), rules(how), net(table, how, [this](section_id, const outcome& out) {
              decisions.insert(decisions.end(), out.decisions.begin(), out.decisions.end());
              for (const message& m : out.messages) count(m);
              last_step = out;
          }) {}

    void join(section_id s, program_id p, user_id user = 0, std::uint32_t weight = 1, std::uint32_t most = unlimited) {
        net.put(s, joining{p, user, weight, most});
        ASSERT_TRUE(net.deliver_all());
    }
    // A program that may use these cores only.
    void join_on(section_id s, program_id p, const std::set<core_id>& usable) {
        net.put(s, joining{.program = p, .usable = only(usable)});
        ASSERT_TRUE(net.deliver_all());
    }
    void leave(section_id s, program_id p) {
        net.put(s, leaving{p});
        ASSERT_TRUE(net.deliver_all());
    }
    // Each program is so many percent efficient on each of its cores; those not named say nothing.
    void quantum(const std::map<program_id, nanoseconds>& efficiency = {}) {
        for (section_id s = 0; s < net.size(); ++s) {
            parley::broker::quantum q{.length = 100, .samples = {}};
            for (const auto& [p, percent] : efficiency) {
                if (!net[s].leads(p)) continue;
                q.samples.push_back({p, {}});
                for (const auto& [c, stamp] : net[s].allotment(p))
                    q.samples.back().use.cores.push_back({.core = c, .held = 100, .useful = percent});
            }
            net.put(s, q);
        }
        ASSERT_TRUE(net.deliver_all());
    }
    // The end of a quantum for that program alone, in which it does not run, as it has not before; or runs again.
    void falls_asleep(program_id p, bool asleep = true) {
        const std::optional<section_id> s = leader(p);
        ASSERT_TRUE(s);
        net.put(*s, parley::broker::quantum{100, {{p, {}, asleep}}});
        ASSERT_TRUE(net.deliver_all());
    }
    void wakes(program_id p) { falls_asleep(p, false); }

    // Each can use so many cores, and no more.
    void quantum_of_width(const std::map<program_id, std::uint32_t>& width) {
        for (section_id s = 0; s < net.size(); ++s) {
            parley::broker::quantum q{.length = 100, .samples = {}};
            for (const auto& [p, w] : width) {
                if (!net[s].leads(p)) continue;
                q.samples.push_back({p, {}});
                std::uint32_t left = w;
                for (const auto& [c, stamp] : net[s].allotment(p)) {
                    q.samples.back().use.cores.push_back({.core = c, .held = 100, .useful = left > 0 ? 100u : 0u});
                    left -= left > 0 ? 1 : 0;
                }
            }
            net.put(s, q);
        }
        ASSERT_TRUE(net.deliver_all());
    }

    // As service/section_thread.cpp does between two quanta, 2 ms after the first: a section whose programs lack cores
    // looks again, since others may not have known yet what was whose share.
    void look_again() {
        for (section_id s = 0; s < net.size(); ++s) {
            const knowledge& k = net[s].known();
            const auto lacks = [&](const auto& p) { return rules->lacks(p.second, k) > 0; };
            if (std::none_of(k.led.begin(), k.led.end(), lacks)) continue;
            net.put(s, parley::broker::quantum{});
            ASSERT_TRUE(net.deliver_all());
        }
    }

    // As the cores' owners have it.
    [[nodiscard]] std::span<const holding> holders(core_id c) const { return net[table->owner(c)].known().who.holders(c); }
    [[nodiscard]] std::set<core_id> cores(program_id p) const {
        std::set<core_id> all;
        for (core_id c = 0; c < table->cores(); ++c)
            for (const holding& h : holders(c))
                if (h.program == p) all.insert(c);
        return all;
    }
    [[nodiscard]] std::size_t shared() const {
        std::size_t n = 0;
        for (core_id c = 0; c < table->cores(); ++c) n += holders(c).size() > 1 ? 1u : 0u;
        return n;
    }
    [[nodiscard]] std::optional<section_id> leader(program_id p) const {
        for (section_id s = 0; s < net.size(); ++s)
            if (net[s].leads(p)) return s;
        return std::nullopt;
    }
    [[nodiscard]] std::uint32_t desire_of(program_id p) const { return net[0].known().rows.find(p)->desire; }

    // Nothing is under way: then all know the same, and it is true.
    void expect_settled() const {
        ASSERT_TRUE(net.is_quiet());
        const knowledge& first = net[0].known();
        std::map<program_id, int> leaders;
        for (section_id s = 0; s < net.size(); ++s) {
            const knowledge& k = net[s].known();
            ASSERT_TRUE(k.who.agrees_with(first.who)) << "replica " << s;
            ASSERT_EQ(k.rows.rows(), first.rows.rows()) << "replica " << s;
            ASSERT_EQ(k.rows.ending(), 0u);
            for (const auto& [id, p] : k.led) {
                ++leaders[id];
                ASSERT_FALSE(p.asked) << "a request is lost";
                ASSERT_EQ(p.row, *k.rows.find(id));
                ASSERT_EQ(k.who.leader(id).value_or(s), s) << "program " << id << " is led by " << s;
                std::set<core_id> own;
                for (const auto& [c, stamp] : p.cores) {
                    own.insert(c);
                    ASSERT_EQ(k.who.stamp(c, id), stamp);
                }
                ASSERT_EQ(own, cores(id)) << "a core of program " << id << " is lost or doubled";
            }
        }
        for (const auto& [id, row] : first.rows.rows()) {
            ASSERT_EQ(leaders[id], 1) << "program " << id;
            for (const core_id c : cores(id)) ASSERT_TRUE(row.usable.has(c)) << "program " << id << ", core " << c;
        }
        for (core_id c = 0; c < table->cores(); ++c)
            for (const holding& h : holders(c)) ASSERT_TRUE(first.rows.find(h.program)) << "core " << c << " is lost";
    }

    void count(const message& m) {
        grants += std::holds_alternative<grant>(m.what) ? 1u : 0u;
        denials += std::holds_alternative<deny>(m.what) ? 1u : 0u;
        handovers += std::holds_alternative<handover>(m.what) ? 1u : 0u;
        if (const return_core* r = std::get_if<return_core>(&m.what)) {
            ++returns;
            on_behalf += r->next ? 1u : 0u;
            surplus += r->why == reason::surplus ? 1u : 0u;
        }
    }
    std::uint64_t grants = 0, denials = 0, handovers = 0, returns = 0, on_behalf = 0, surplus = 0;

    std::shared_ptr<const ownership> table;
    std::shared_ptr<const policy> rules;
    std::vector<decision> decisions;
    outcome last_step;
    parley::broker::section_network net;
};

}  // namespace broker_tests
