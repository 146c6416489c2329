#include <broker/policy/section.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace parley::inline v0::broker {

outcome section::on(const input& in) {
    out_ = {};
    std::visit([this](const auto& what) { handle(what); }, in);
    while (!to_self_.empty()) {
        const message m = std::move(to_self_.front());
        to_self_.pop_front();
        handle(m);
    }
    seek_for_moved();
    // Who has just been told to lead waits for the next occasion: tables differ while deltas are under way, and a state
    // sent back at once would travel to and fro.
    const message* m = std::get_if<message>(&in);
    if (m == nullptr || !std::holds_alternative<handover>(m->what)) hand_over_where_due();
    std::sort(out_.changed.begin(), out_.changed.end());
    out_.changed.erase(std::unique(out_.changed.begin(), out_.changed.end()), out_.changed.end());
    std::erase_if(out_.changed, [this](program_id p) { return !leads(p); });
    return std::move(out_);
}

void section::send(section_id to, payload what) {
    if (to == known_.self) to_self_.push_back({known_.self, to, std::move(what)});
    else out_.messages.push_back({known_.self, to, std::move(what)});
}

void section::tell_all(const payload& what) {
    for (section_id s = 0; s < known_.table->sections(); ++s)
        if (s != known_.self) send(s, what);
}

void section::changed(program_id p) {
    if (leads(p)) out_.changed.push_back(p);
}

void section::refresh_shares() {
    if (std::exchange(shares_are_old_, false)) how_->compute_shares(known_);
}

// ---- Programs come, work and go.

void section::handle(const joining& j) {
    if (j.program == 0 || known_.rows.find(j.program) != nullptr || known_.rows.is_ending(j.program)) return;
    led_program p{.row = {.program = j.program,
                          .user = j.user,
                          .weight = std::clamp(j.weight, 1u, most_weight),
                          .most = std::max(j.most, 1u)},
                  .wish = {}};
    const std::uint32_t cores = known_.table->cores();
    p.row.usable = usable_cores(cores, [&](core_id c) { return j.usable.has(c); });
    if (!p.row.usable.are_all()) p.row.most = std::min(p.row.most, p.row.usable.count(cores));
    how_->welcome(p, known_);
    p.row.desire = p.wish.cores;
    p.row.version = 1;
    known_.rows.apply(p.row);
    const claim row = p.row;
    known_.led.emplace(j.program, std::move(p));
    out_.decisions.push_back({deed::leads, reason::joined, j.program, 0});
    changed(j.program);
    shares_are_old_ = true;
    tell_all(claim_delta{row});
    settle();
}

void section::handle(const leaving& l) {
    if (!known_.rows.is_ending(l.program)) end(l.program, known_.self);
}

void section::handle(const quantum& q) {
    for (const sample& s : q.samples)
        if (const auto found = known_.led.find(s.program); found != known_.led.end()) {
            how_->judge(found->second, s.use, q.length, known_);
            publish(found->second, s.asleep);
        }
    for (auto& [id, p] : known_.led) p.denied.clear();
    shares_are_old_ = true;
    settle();
}

void section::publish(led_program& p, bool asleep) {
    if (p.row.desire == p.wish.cores && p.row.judged == p.wish.judged && p.row.asleep == asleep) return;
    p.row.desire = p.wish.cores;
    p.row.judged = p.wish.judged;
    p.row.asleep = asleep;
    ++p.row.version;
    known_.rows.apply(p.row);
    changed(p.row.program);
    shares_are_old_ = true;
    tell_all(claim_delta{p.row});
}

void section::end(program_id p, section_id said_by) {
    if (!known_.rows.end(p, said_by)) return;
    if (said_by != known_.self) known_.rows.end(p, known_.self);
    shares_are_old_ = true;
    tell_all(end_delta{p});
    known_.led.erase(p);
    for (const core_id c : known_.table->cores_of(known_.self))
        if (known_.who.stamp(c, p)) remove(c, p, reason::ended);
}

// ---- Cores owned here.

std::uint64_t section::add(core_id c, program_id p, reason why) {
    const holding h{p, ++stamps_};
    known_.who.add(c, h);
    out_.decisions.push_back({deed::gets, why, p, c});
    tell_all(core_delta{c, h, true});
    return h.stamp;
}

void section::remove(core_id c, program_id p, reason why) {
    const holding h{p, known_.who.stamp(c, p).value()};  // throws where a damaged log has it otherwise
    known_.who.remove(c, h);
    out_.decisions.push_back({deed::loses, why, p, c});
    tell_all(core_delta{c, h, false});
}

std::optional<std::uint64_t> section::hand_on(const gift& g, program_id taker, section_id leader) {
    std::uint64_t stamp = 0;
    if (!g.shared || g.from != 0) {
        led_program& from = known_.led.at(g.from);
        stamp = from.cores.at(g.core);
        if (!g.shared) {
            from.cores.erase(g.core);
            changed(g.from);
            if (g.why == reason::makes_room) moved_.push_back(g.from);
        }
    }
    if (!known_.is_own(g.core)) {
        send(known_.table->owner(g.core), return_core{g.core, {g.from, stamp}, g.shared, taker, leader, g.why});
        return std::nullopt;
    }
    if (!g.shared) remove(g.core, g.from, g.why);
    return renew(g.core, taker, g.why);
}

// Its holder may give up at this moment what it is given again: a new stamp says which stay is meant.
std::uint64_t section::renew(core_id c, program_id p, reason why) {
    if (known_.who.stamp(c, p)) remove(c, p, why);
    return add(c, p, why);
}

void section::hand_over_where_due() {
    for (auto i = known_.led.begin(); i != known_.led.end();) {
        const std::optional<section_id> leader = known_.who.leader(i->first);
        if (!leader || *leader == known_.self || i->second.asked) {
            ++i;
            continue;
        }
        send(*leader, handover{std::move(i->second)});
        i = known_.led.erase(i);
    }
}

// ---- Messages.

void section::handle(const message& m) {
    std::visit([&](const auto& what) { handle(m.from, what); }, m.what);
}

void section::handle(section_id from, const request& r) {
    refresh_shares();
    if (known_.rows.is_ending(r.program)) {
        send(from, deny{r.program});
        return;
    }
    const std::optional<core_id> idle = r.how == terms::alone ? known_.idle_core(r.program) : std::nullopt;
    if (idle) {
        send(from, grant{r.program, *idle, add(*idle, r.program, reason::idle_core)});
        return;
    }
    const std::optional<gift> g =
        r.how == terms::alone ? how_->give(r.program, known_) : how_->share(r.program, r.how, known_);
    if (!g) send(from, deny{r.program});
    else if (const std::optional<std::uint64_t> stamp = hand_on(*g, r.program, from))
        send(from, grant{r.program, g->core, *stamp});
}

void section::handle(section_id, const grant& g) {
    const auto found = known_.led.find(g.program);
    if (found == known_.led.end()) {  // it has ended
        give_back(g);
        return;
    }
    led_program& p = found->second;
    if (!p.row.usable.has(g.core)) {  // who gave it did not know that
        give_back(g);
        refused(p);
        return;
    }
    p.asked.reset();
    got(p, g.core, g.stamp);
    give_up_surplus(p);
    seek(p);
}

void section::handle(section_id, const deny& d) {
    const auto found = known_.led.find(d.program);
    if (found == known_.led.end()) return;
    refused(found->second);
}

void section::refused(led_program& p) {
    if (p.asked_how == terms::shared_with) p.wanted = 0;  // nothing was left to try
    if (p.asked) p.denied.push_back(*p.asked);
    p.asked.reset();
    seek(p);
}

void section::give_back(const grant& g) {
    send(known_.table->owner(g.core), return_core{.core = g.core, .holder = {g.program, g.stamp}, .why = reason::surplus});
}

void section::handle(section_id, const return_core& r) {
    const bool is_there = known_.who.stamp(r.core, r.holder.program) == r.holder.stamp;
    if (is_there && !r.stays) remove(r.core, r.holder.program, r.why);
    if (!r.next) return;
    if (!is_there || known_.rows.is_ending(*r.next)) send(r.next_leader, deny{*r.next});
    else send(r.next_leader, grant{*r.next, r.core, renew(r.core, *r.next, r.why)});
}

void section::handle(section_id, const core_delta& d) {
    if (d.holds) known_.who.add(d.core, d.holder);
    else known_.who.remove(d.core, d.holder);
}

void section::handle(section_id, const claim_delta& d) {
    known_.rows.apply(d.row);
    shares_are_old_ = true;
}

void section::handle(section_id from, const end_delta& e) { end(e.program, from); }

void section::handle(section_id, const handover& h) {
    const program_id id = h.state.row.program;
    if (known_.rows.is_ending(id)) return;
    known_.rows.apply(h.state.row);
    shares_are_old_ = true;
    known_.led.insert_or_assign(id, h.state);
    out_.decisions.push_back({deed::leads, reason::majority, id, 0});
    changed(id);
}

}  // namespace parley::inline v0::broker
