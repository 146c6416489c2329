#include <broker/policy/bias_policy.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace parley::inline v0::broker {
namespace {

// Those of its cores that the taker may use.
std::vector<core_id> cores_for(program_id taker, const led_program& p, const knowledge& k) {
    const usable_cores& usable = k.usable(taker);
    std::vector<core_id> cores;
    for (const auto& [c, stamp] : p.cores)
        if (usable.has(c)) cores.push_back(c);
    return cores;
}

}  // namespace

// Lines 1 to 5.
std::optional<gift> bias_policy::get_available_core(program_id taker, const knowledge& k) const {
    for (const auto& [id, p] : k.led) {
        if (id == taker || p.row.judged != program_class::inefficient || p.held() <= 1) continue;
        if (const std::optional<core_id> worst = k.most_inefficient(p, cores_for(taker, p, k)))
            return gift{id, *worst, false, reason::from_inefficient};
    }
    return std::nullopt;
}

// One section after the other, nearest first, until one has said yes.
std::optional<section_id> bias_policy::broadcast_for_available_core(const led_program& p, const knowledge& k) const {
    for (const section_id s : k.table->others(k.self))
        if (!p.was_denied(s)) return s;
    return std::nullopt;
}

// Line 1: the section that leads the program with most cores.
std::optional<section_id> bias_policy::has_most_cores(program_id taker, const knowledge& k) const {
    const usable_cores& usable = k.usable(taker);
    std::optional<section_id> best;
    std::uint32_t most = 0;
    for (const auto& [id, row] : k.rows.rows()) {
        if (id == taker || row.judged != program_class::satisfied || k.who.count(id) <= most) continue;
        const std::span<const core_id> cores = k.who.cores_of(id);
        if (std::none_of(cores.begin(), cores.end(), [&](core_id c) { return usable.has(c); })) continue;
        const section_id leader = *k.who.leader(id);
        if (leader == k.self && k.table->sections() > 1) continue;
        best = leader;
        most = k.who.count(id);
    }
    return best;
}

// Line 2, there.
std::optional<gift> bias_policy::get_core_to_timeshare_with(program_id taker, const knowledge& k) const {
    std::optional<gift> best;
    std::uint32_t most = 0;
    for (const auto& [id, p] : k.led) {
        if (id == taker || p.row.judged != program_class::satisfied || p.held() <= most) continue;
        std::vector<core_id> others = cores_for(taker, p, k);
        std::erase_if(others, [&](core_id c) { return k.who.stamp(c, taker).has_value(); });
        const std::optional<core_id> worst = k.most_inefficient(p, others);
        if (!worst || p.efficiency_on(*worst) > options_.most_efficiency_to_share) continue;
        most = p.held();
        best = gift{id, *worst, true, reason::time_shared};
    }
    return best;
}

void bias_policy::welcome(led_program& p, const knowledge& k) const {
    p.wish = {};
    p.starting = true;
    if (options_.starts_everywhere) p.wish.cores = k.most(p.row);
}

std::optional<gift> bias_policy::give(program_id taker, const knowledge& k) const {
    const auto p = k.led.find(taker);
    if (p != k.led.end() && p->second.starting && options_.starts_everywhere) return std::nullopt;
    return get_available_core(taker, k);
}

std::optional<section_id> bias_policy::ask(const led_program& p, const knowledge& k) const {
    if (p.starting && options_.starts_everywhere) return std::nullopt;
    return broadcast_for_available_core(p, k);
}

std::optional<sharing> bias_policy::ask_to_share(const led_program& p, const knowledge& k) const {
    const program_id id = p.row.program;
    if (!p.starting) {
        const std::optional<section_id> s = has_most_cores(id, k);
        return s ? std::optional(sharing{*s, terms::shared_with}) : std::nullopt;
    }
    if (k.least_shared(k.self, id)) return sharing{k.self, terms::any};
    for (const section_id s : k.table->others(k.self))
        if (!p.was_denied(s) && k.least_shared(s, id)) return sharing{s, terms::any};
    return std::nullopt;
}

std::optional<gift> bias_policy::share(program_id taker, terms how, const knowledge& k) const {
    if (how == terms::shared_with) return get_core_to_timeshare_with(taker, k);
    const std::optional<core_id> core = k.least_shared(k.self, taker);
    if (!core) return std::nullopt;
    return gift{0, *core, true, k.who.is_idle(*core) ? reason::idle_core : reason::starts_everywhere};
}

void bias_policy::judge(led_program& p, const program_use& use, nanoseconds, const knowledge& k) const {
    p.last = use;
    p.wanted = 0;
    p.starting = p.starting && p.held() < p.wish.cores;
    if (p.starting || use.held() == 0) return;
    desire& d = p.wish;
    d.judged = classify(use.efficiency(), p.held(), d.cores, options_.least_efficiency);
    const std::uint32_t most = k.most(p.row);
    if (d.judged == program_class::inefficient) d.cores = std::max(1u, d.cores - 1);
    if (d.judged == program_class::satisfied) d.cores = std::min(most, d.cores + 1);
    const bool is_served =
        d.judged == program_class::satisfied || (options_.serves_deprived && d.judged == program_class::deprived);
    // On all cores that it may use it may still get one for itself that it shares now.
    if (is_served && (p.held() < most || most == p.row.usable.count(k.table->cores()))) p.wanted = 1;
}

}  // namespace parley::inline v0::broker
