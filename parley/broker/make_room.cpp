#include <parley/broker/make_room.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace parley::inline v0::broker {
namespace {

struct room {
    std::vector<core_id> cores;  // any of them
    std::tuple<bool, std::uint32_t> rank;  // can move; has so many for itself
};

// Whether there is another core for it. Tables may be late: its leader asks, too, whether it would find one at once.
// Else two programs without a core could make room for each other for ever.
bool can_move(program_id p, const led_program* state, const knowledge& k, const policy& rules) {
    bool is_there = false;
    for (section_id s = 0; s < k.table->sections(); ++s) is_there = is_there || k.has_idle_core(s, p);
    for (const auto& [id, row] : k.rows.rows())
        is_there = is_there || (id != p && k.who.count(id) > k.share(id) && k.has_alone(id, p));
    if (!is_there || state == nullptr) return is_there;
    return !state->asked && (k.idle_core(p) || rules.give(p, k) || rules.ask(*state, k));
}

// A guest that is there already becomes its holder then. That helps who has no core, since they are fewer on it, but
// not who wants one more for itself.
bool is_worth_leaving(core_id c, program_id holder, program_id taker, terms how, const knowledge& k) {
    const std::span<const holding> holders = k.who.holders(c);
    return how == terms::first || std::all_of(holders.begin(), holders.end(), [&](const holding& h) {
               return h.program == holder || h.program == taker;
           });
}

std::optional<room> room_of(program_id holder, program_id taker, terms how, const knowledge& k, const policy& rules) {
    if (holder == taker) return std::nullopt;
    const auto found = k.led.find(holder);
    const led_program* const state = found == k.led.end() ? nullptr : &found->second;
    const usable_cores& usable = k.usable(taker);
    std::uint32_t has = 0;
    room r;
    for (const core_id c : k.who.cores_of(holder)) {
        if (k.who.is_guest(c, holder) || (state != nullptr && !state->cores.contains(c))) continue;
        ++has;
        if (usable.has(c) && is_worth_leaving(c, holder, taker, how, k)) r.cores.push_back(c);
    }
    if (r.cores.empty()) return std::nullopt;
    // Others may be faster: nobody gives its last core for somebody's second one.
    const bool moves = can_move(holder, state, k, rules);
    const bool is_due = how == terms::first ? moves || has > 1 : moves && has > 1;
    if (!is_due) return std::nullopt;
    r.rank = {moves, has};
    return r;
}

}  // namespace

std::optional<sharing> ask_for_room(const led_program& p, const knowledge& k, const policy& rules) {
    const program_id taker = p.row.program;
    if (p.row.usable.are_all()) return std::nullopt;
    const terms how = k.held_as_first(p) == 0 ? terms::first : terms::moved;
    std::optional<section_id> best;
    std::tuple<bool, std::uint32_t> best_rank;
    for (const auto& [id, row] : k.rows.rows()) {
        const std::optional<section_id> leader = k.led.contains(id) ? k.self : k.who.leader(id);
        if (!leader || (*leader == k.self ? !k.led.contains(id) : p.was_denied(*leader))) continue;
        const std::optional<room> r = room_of(id, taker, how, k, rules);
        if (!r || (best && r->rank <= best_rank)) continue;
        best = leader;
        best_rank = r->rank;
    }
    return best ? std::optional(sharing{*best, how}) : std::nullopt;
}

std::optional<gift> make_room(program_id taker, terms how, const knowledge& k, const policy& rules) {
    if (!k.is_restricted(taker)) return std::nullopt;
    std::optional<room> best;
    const led_program* from = nullptr;
    for (const auto& [id, p] : k.led) {
        std::optional<room> r = room_of(id, taker, how, k, rules);
        if (!r || (best && r->rank <= best->rank)) continue;
        best = std::move(r);
        from = &p;
    }
    if (!best) return std::nullopt;
    return gift{from->row.program, *k.most_inefficient(*from, best->cores), false, reason::makes_room};
}

}  // namespace parley::inline v0::broker
