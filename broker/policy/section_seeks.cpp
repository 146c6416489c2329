// How a leader gets its programs the cores they lack: from this section if it can, by one REQUEST at a time if not.
#include <broker/policy/section.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

void section::settle() {
    std::vector<std::pair<std::uint32_t, program_id>> order;  // who has least first
    for (auto& [id, p] : known_.led) {
        give_up_surplus(p);
        order.emplace_back(p.held(), id);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [held, id] : order) seek(known_.led.at(id));
}

void section::give_up_surplus(led_program& p) {
    refresh_shares();
    for (const release& r : how_->releases(p, known_)) {
        const holding h{p.row.program, p.cores.at(r.core)};
        p.cores.erase(r.core);
        changed(p.row.program);
        if (known_.is_own(r.core)) remove(r.core, p.row.program, r.why);
        else send(known_.table->owner(r.core), return_core{.core = r.core, .holder = h, .why = r.why});
    }
}

void section::seek(led_program& p) {
    while (!p.asked && seek_once(p)) give_up_surplus(p);
}

// Returns whether it is worth looking again at once.
bool section::seek_once(led_program& p) {
    refresh_shares();
    if (how_->lacks(p, known_) == 0) return false;
    if (const std::optional<core_id> c = known_.idle_core(p.row.program)) {
        got(p, *c, add(*c, p.row.program, reason::idle_core));
        return true;
    }
    if (const std::optional<gift> g = how_->give(p.row.program, known_)) return take(p, *g);
    if (const std::optional<section_id> s = how_->ask(p, known_)) {
        ask(p, *s, terms::alone);
        return false;
    }
    return seek_to_share(p);
}

bool section::seek_to_share(led_program& p) {
    const std::optional<sharing> s = how_->ask_to_share(p, known_);
    if (s && s->whom != known_.self) {
        ask(p, s->whom, s->how);
        return false;
    }
    const std::optional<gift> g = s ? how_->share(p.row.program, s->how, known_) : std::nullopt;
    if (g) return take(p, *g);
    p.wanted = 0;  // not in this quantum
    return false;
}

// Only when the taker has it: until then the core may look idle.
void section::seek_for_moved() {
    while (!moved_.empty()) {
        const auto found = known_.led.find(moved_.back());
        moved_.pop_back();
        if (found != known_.led.end()) seek(found->second);
    }
}

void section::ask(led_program& p, section_id whom, terms how) {
    p.asked = whom;
    p.asked_how = how;
    send(whom, request{p.row.program, how});
}

bool section::take(led_program& p, const gift& g) {
    if (const std::optional<std::uint64_t> stamp = hand_on(g, p.row.program, known_.self)) {
        got(p, g.core, *stamp);
        return true;
    }
    p.asked = known_.table->owner(g.core);  // it answers as if it had been asked
    p.asked_how = g.shared ? terms::shared_with : terms::alone;
    return false;
}

void section::got(led_program& p, core_id c, std::uint64_t stamp) {
    p.cores[c] = stamp;
    p.wanted -= p.wanted > 0 ? 1 : 0;
    changed(p.row.program);
}

}  // namespace parley::inline v0::broker
