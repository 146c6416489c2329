#include <broker/policy/fair_share.hpp>

#include <broker/policy/make_room.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {
namespace {

// For a core for each program that is awake; those that may use the same few ones only take no more than these.
bool is_too_small(const knowledge& k) {
    const std::uint32_t cores = k.table->cores();
    if (k.rows.count() <= cores) return false;
    taken_cores taken(cores);
    for (const auto& [id, row] : k.rows.rows())
        if (!row.asleep) taken.take(row.usable);
    return taken.count() > cores;
}

std::uint32_t held_by_user(user_id u, const knowledge& k) {
    std::uint32_t sum = 0;
    for (const auto& [id, row] : k.rows.rows())
        if (row.user == u) sum += k.who.count(id);
    return sum;
}

std::uint64_t desired_by_user(user_id u, const knowledge& k) {
    std::uint64_t sum = 0;
    for (const auto& [id, row] : k.rows.rows())
        if (row.user == u && !row.asleep) sum += row.desire;
    return sum;
}

}  // namespace

void fair_share::welcome(led_program& p, const knowledge& k) const {
    const std::uint32_t most = k.most(p.row);
    p.wish = {.cores = std::clamp(options_.first_desire, 1u, most)};
    p.wish.grew = p.wish.cores > 1;  // as far as it has not shown that it can use them
}

void fair_share::judge(led_program& p, const program_use& use, nanoseconds quantum, const knowledge& k) const {
    p.last = use;
    if (use.held() == 0 || quantum == 0) return;
    const double busy = static_cast<double>(use.useful()) / static_cast<double>(quantum);
    const std::uint32_t most = k.most(p.row);
    p.wish = next_desire(p.wish, use.efficiency(), busy, p.held(), most, options_.desire);
}

void fair_share::compute_shares(knowledge& k) const {
    std::vector<share_claim> all;
    const bool is_alone = options_.alone_gets_all && k.rows.awake() == 1;
    k.shares.clear();
    for (const auto& [id, row] : k.rows.rows()) {
        k.shares[id] = 0;
        if (row.asleep) continue;
        const std::uint32_t desire = is_alone ? row.most : std::clamp(row.desire, 1u, row.most);
        all.push_back({id, row.user, row.weight, desire, k.who.count(id), row.usable});
    }
    const std::vector<std::uint32_t> shares = equipartition(all, k.table->cores(), options_.caps);
    for (std::size_t i = 0; i < all.size(); ++i) k.shares[all[i].program] = shares[i];
}

std::uint32_t fair_share::lacks(const led_program& p, const knowledge& k) const {
    const std::uint32_t share = k.share(p.row.program);
    const std::uint32_t has = k.held_as_first(p);
    if (has >= share) return 0;
    // What its user has of its cap; one core it gets in any case.
    const std::uint32_t cap = options_.caps.cap(p.row.user);
    const std::uint32_t left = cap - std::min(cap, held_by_user(p.row.user, k));
    return std::min(share - has, has == 0 ? std::max(left, 1u) : left);
}

// Beyond that it gives up cores unasked: its desire; its share, if cores are too few for all or for its user. Alone it
// gives up nothing.
std::uint32_t fair_share::keeps(const led_program& p, const knowledge& k) const {
    if (p.row.asleep) return 0;
    const bool is_bound = is_too_small(k) || desired_by_user(p.row.user, k) > options_.caps.cap(p.row.user);
    if (is_bound) return k.share(p.row.program);
    return std::max(p.row.desire, options_.alone_gets_all && k.rows.awake() == 1 ? p.held() : 1);
}

std::vector<release> fair_share::releases(const led_program& p, const knowledge& k) const {
    std::vector<core_id> firsts, guests;
    for (const auto& [c, stamp] : p.cores) (k.who.is_guest(c, p.row.program) ? guests : firsts).push_back(c);
    std::vector<release> all;
    const auto by_crowd = [&](core_id a, core_id b) { return k.who.holders(a).size() < k.who.holders(b).size(); };
    std::stable_sort(guests.begin(), guests.end(), by_crowd);
    const bool keeps_guest = firsts.empty() && !p.row.asleep;
    for (std::size_t i = keeps_guest ? 1 : 0; i < guests.size(); ++i)
        all.push_back({guests[i], p.row.asleep ? reason::asleep : reason::left_shared});
    const std::uint32_t limit = keeps(p, k);
    while (firsts.size() > limit) {
        const core_id worst = *k.most_inefficient(p, firsts);
        all.push_back({worst, p.row.asleep ? reason::asleep : reason::beyond_desire});
        std::erase(firsts, worst);
    }
    return all;
}

std::optional<gift> fair_share::give(program_id taker, const knowledge& k) const {
    const usable_cores& usable = k.usable(taker);
    const led_program* best = nullptr;
    std::vector<core_id> best_cores;
    std::tuple<bool, std::uint32_t> best_rank;  // inefficient, above its share by
    for (const auto& [id, p] : k.led) {
        const std::uint32_t held = p.held();
        const std::uint32_t share = k.share(id);
        if (id == taker || held <= share) continue;
        std::vector<core_id> alone;
        for (const auto& [c, stamp] : p.cores)
            if (k.who.holders(c).size() == 1 && usable.has(c)) alone.push_back(c);
        const std::tuple rank(p.row.judged == program_class::inefficient, held - share);
        if (alone.empty() || (best != nullptr && rank <= best_rank)) continue;
        best = &p;
        best_cores = std::move(alone);
        best_rank = rank;
    }
    if (best == nullptr) return std::nullopt;
    return gift{best->row.program, *k.most_inefficient(*best, best_cores), false,
                std::get<0>(best_rank) ? reason::from_inefficient : reason::from_above_share};
}

std::optional<section_id> fair_share::ask(const led_program& p, const knowledge& k) const {
    const auto was_denied = [&](section_id s) { return s == k.self || p.was_denied(s); };
    for (const section_id s : k.table->others(k.self))
        if (!was_denied(s) && k.has_idle_core(s, p.row.program)) return s;
    std::optional<section_id> best;
    std::tuple<bool, std::uint32_t> best_rank;
    for (const auto& [id, row] : k.rows.rows()) {
        const std::uint32_t held = k.who.count(id);
        if (id == p.row.program || held <= k.share(id)) continue;
        if (!p.row.usable.are_all() && !k.has_alone(id, p.row.program)) continue;
        const section_id leader = *k.who.leader(id);
        const std::tuple rank(row.judged == program_class::inefficient, held - k.share(id));
        if (was_denied(leader) || (best && rank <= best_rank)) continue;
        best = leader;
        best_rank = rank;
    }
    return best;
}

std::optional<sharing> fair_share::ask_to_share(const led_program& p, const knowledge& k) const {
    if (const std::optional<sharing> room = ask_for_room(p, k, *this)) return room;
    if (!is_too_small(k) && (p.row.usable.are_all() || k.held_as_first(p) > 0)) return std::nullopt;
    std::size_t crowd = 0;  // where it is now
    for (const auto& [c, stamp] : p.cores) crowd = std::max(crowd, k.who.holders(c).size());
    // One fewer there, one more elsewhere: worth it from a difference of two on.
    std::size_t bound = crowd == 0 ? std::size_t{unlimited} : crowd - 1;
    // Who may not use all cores may share though others have cores for themselves: whom it asked for such a one, or for
    // room, has not refused to share.
    const bool refusals_count = p.row.usable.are_all() || p.asked_how == terms::any;
    std::optional<sharing> best;
    const auto look_at = [&](section_id s) {
        const std::optional<core_id> c = k.least_shared(s, p.row.program);
        if ((refusals_count && p.was_denied(s)) || !c || k.who.holders(*c).size() >= bound) return;
        best = sharing{s, terms::any};
        bound = k.who.holders(*c).size();
    };
    look_at(k.self);
    for (const section_id s : k.table->others(k.self)) look_at(s);
    return best;
}

std::optional<gift> fair_share::share(program_id taker, terms how, const knowledge& k) const {
    if (how == terms::moved || how == terms::first) return make_room(taker, how, k, *this);
    const std::optional<core_id> core = k.least_shared(k.self, taker);
    if (!core || (!is_too_small(k) && !k.is_restricted(taker))) return std::nullopt;
    return gift{0, *core, true, reason::time_shared};
}

}  // namespace parley::inline v0::broker
