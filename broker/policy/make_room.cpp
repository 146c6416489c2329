#include <broker/policy/make_room.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {
namespace {

struct room {
    program_id from = 0;
    std::vector<core_id> cores;            // any of them
    std::tuple<bool, std::uint32_t> rank;  // can move; has so many for itself
};

// Whether there is another core for it. Tables may be late: its leader asks, too, whether it would find one at once.
// Else two programs without a core could make room for each other for ever.
bool can_move(program_id p, const led_program* state, const knowledge& k, const policy& rules) {
    if (state != nullptr && state->asked) return false;
    bool is_there = false;
    for (section_id s = 0; s < k.table->sections(); ++s) is_there = is_there || k.has_idle_core(s, p);
    for (const auto& [id, row] : k.rows.rows())
        is_there = is_there || (id != p && k.who.count(id) > k.share(id) && k.has_alone(id, p));
    if (!is_there || state == nullptr) return is_there;
    return k.idle_core(p) || rules.give(p, k) || rules.ask(*state, k);
}

// A guest that is there already becomes its holder then. That helps who has no core, since they are fewer on it, but
// not who wants one more for itself.
bool is_worth_leaving(core_id c, program_id holder, program_id taker, terms how, const knowledge& k) {
    const std::span<const holding> holders = k.who.holders(c);
    return how == terms::first || std::all_of(holders.begin(), holders.end(),
                                              [&](const holding& h) { return h.program == holder || h.program == taker; });
}

std::optional<room> room_of(program_id holder, program_id taker, terms how, const knowledge& k, const policy& rules) {
    if (holder == taker) return std::nullopt;
    const auto found = k.led.find(holder);
    const led_program* const state = found == k.led.end() ? nullptr : &found->second;
    const usable_cores& usable = k.usable(taker);
    std::uint32_t has = 0;
    room r{.from = holder, .cores = {}, .rank = {}};
    for (const core_id c : k.who.cores_of(holder)) {
        if (k.who.is_guest(c, holder) || (state != nullptr && !state->cores.contains(c))) continue;
        ++has;
        if (usable.has(c) && is_worth_leaving(c, holder, taker, how, k)) r.cores.push_back(c);
    }
    // Others may be faster: nobody gives its last core for somebody's second one.
    if (r.cores.empty() || (how == terms::moved && has < 2)) return std::nullopt;
    const bool moves = can_move(holder, state, k, rules);
    if (!moves && (how == terms::moved || has < 2)) return std::nullopt;
    r.rank = {moves, has};
    return r;
}

// Of the holders that `may_be` says.
template <class MayBe>
std::optional<room> best_room(program_id taker, terms how, const knowledge& k, const policy& rules, MayBe may_be) {
    std::optional<room> best;
    for (const auto& [id, row] : k.rows.rows()) {
        if (!may_be(id)) continue;
        std::optional<room> r = room_of(id, taker, how, k, rules);
        if (r && (!best || r->rank > best->rank)) best = std::move(r);
    }
    return best;
}

}  // namespace

std::optional<sharing> ask_for_room(const led_program& p, const knowledge& k, const policy& rules) {
    const program_id taker = p.row.program;
    if (p.row.usable.are_all()) return std::nullopt;
    const terms how = k.held_as_first(p) == 0 ? terms::first : terms::moved;
    const auto leader_of = [&](program_id id) { return k.led.contains(id) ? k.self : k.who.leader(id); };
    const std::optional<room> best = best_room(taker, how, k, rules, [&](program_id id) {
        const std::optional<section_id> leader = leader_of(id);
        return leader && (*leader == k.self ? k.led.contains(id) : !p.was_denied(*leader));
    });
    return best ? std::optional(sharing{*leader_of(best->from), how}) : std::nullopt;
}

std::optional<gift> make_room(program_id taker, terms how, const knowledge& k, const policy& rules) {
    if (!k.is_restricted(taker)) return std::nullopt;
    const std::optional<room> best = best_room(taker, how, k, rules, [&](program_id id) { return k.led.contains(id); });
    if (!best) return std::nullopt;
    return gift{best->from, *k.most_inefficient(k.led.at(best->from), best->cores), false, reason::makes_room};
}

}  // namespace parley::inline v0::broker
