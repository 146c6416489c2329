// What a section does with the outcomes of its state machine.
#include <broker/daemon/section_thread.hpp>

#include <broker/client/clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

constexpr std::size_t kept_events = 256;

void set_bit(core_set& set, std::uint32_t n) noexcept { set[n / 64] |= std::uint64_t{1} << (n % 64); }

}  // namespace

void section_thread::feed(input in) {
    const claims& rows = state_.known().rows;
    const std::uint32_t programs = rows.count(), awake = rows.awake();
    const outcome out = state_.on(in);
    write_pages(out);
    send(out);
    keep(out);
    // Who came or went elsewhere, fell asleep or woke, changes what programs led here may have: that need not wait for the
    // quantum's end.
    const message* const m = std::get_if<message>(&in);
    const core_delta* const d = m == nullptr ? nullptr : std::get_if<core_delta>(&m->what);
    const return_core* const r = m == nullptr ? nullptr : std::get_if<return_core>(&m->what);
    const bool is_left_behind = d != nullptr && !d->holds && state_.known().rows.find(d->holder.program) == nullptr;
    const bool came_too_late = r != nullptr && r->why == reason::surplus;
    const bool others_are_there = rows.count() != programs || rows.awake() != awake;
    if (others_are_there || is_left_behind || came_too_late) allot_again_ = true;
    if (others_are_there) retry_at_ = retry_after_ = 0;  // whoever lacks cores now asks soon
    turns_are_old_ = turns_are_old_ || d != nullptr || !out.decisions.empty();
    if (how_.log) mail_.recorder.post(happened{state_.known().self, {std::move(in), out}});
}

void section_thread::write_pages(const outcome& out) {
    struct due {
        joined_program* whose;
        allotted what;
        std::map<core_id, std::uint32_t> holders;
        page_change change;
    };
    std::vector<due> all;
    const auto add = [&](const led_program& state) {
        const auto found = led_.find(state.row.program);
        if (found == led_.end()) return;
        due d{found->second.get(), {}, {}, page_change::other};
        d.what = page_of(state, d.holders);
        d.change = d.whose->change_by(d.what);
        all.push_back(std::move(d));
    };
    for (const program_id p : out.changed) add(state_.known().led.at(p));
    // Handed over it is not led here any more, but what it lost before is to be seen before others get it.
    for (const message& m : out.messages)
        if (const handover* const h = std::get_if<handover>(&m.what)) add(h->state);
    std::stable_sort(all.begin(), all.end(), [](const due& a, const due& b) { return a.change < b.change; });
    const nanoseconds at = all.empty() ? 0 : now();
    for (due& d : all) d.whose->allot(d.what, std::move(d.holders), how_.steps, at);
}

void section_thread::send(const outcome& out) {
    for (const message& m : out.messages) {
        between_sections b{m, nullptr};
        if (const handover* const h = std::get_if<handover>(&m.what))
            if (auto moved = led_.extract(h->state.row.program)) b.with = std::move(moved.mapped());
        mail_.sections[m.to]->post(std::move(b));
    }
    let_go();
    std::erase_if(stuck_, [this](program_id p) { return !led_.contains(p); });
}

void section_thread::keep(const outcome& out) {
    const nanoseconds at = out.decisions.empty() ? 0 : now();
    for (const decision& d : out.decisions)
        remember({at,
                  d.what == deed::gets    ? event_kind::gets
                  : d.what == deed::loses ? event_kind::loses
                                          : event_kind::leads,
                  d.why, d.program, d.what == deed::leads ? 0 : how_.here.number[d.core]});
}

void section_thread::remember(const event& e) {
    events_.push_back(e);
    if (events_.size() > kept_events) events_.pop_front();
}

void section_thread::rewrite_pages() {
    if (!std::exchange(turns_are_old_, false)) return;
    for (const auto& [p, program] : led_) {
        std::map<core_id, std::uint32_t> holders;
        const allotted a = page_of(state_.known().led.at(p), holders);
        program->allot(a, std::move(holders), how_.steps, now());
    }
}

// All of the state's cores are ones that the program may use: its leader takes no others (section::handle(grant)).
allotted section_thread::page_of(const led_program& state, std::map<core_id, std::uint32_t>& holders) const {
    allotted a{.desire = state.row.desire, .judged = state.row.judged};
    std::optional<shared_turn> turn;
    bool same_turns = true;
    for (const auto& [c, stamp] : state.cores) {
        const auto n = static_cast<std::uint32_t>(state_.known().who.holders(c).size());
        holders[c] = std::max(n, 1u);
        set_bit(n > 1 ? a.shared : a.alone, how_.here.number[c]);
        if (n <= 1 || !state_.known().who.stamp(c, state.row.program)) continue;
        const shared_turn here = state_.known().who.turn(c, state.row.program);
        same_turns = same_turns && turn.value_or(here) == here;
        turn = here;
    }
    // One page has room for one turn: with several different ones the system shares the cores out.
    if (how_.slot > 0 && turn && same_turns) {
        a.slot_length = how_.slot;
        a.slot_period = turn->of;
        a.first_slot = turn->which;
    }
    return a;
}

void section_thread::handle(const look_around& l) {
    const knowledge& known = state_.known();
    section_view v{.section = known.self, .led = {}, .cores = {}, .events = {events_.begin(), events_.end()}};
    for (const auto& [p, program] : led_) {
        const led_program& state = known.led.at(p);
        v.led.push_back({p, program->who().pid, program->who().user, program->name(), state.row.judged, state.row.desire,
                         state.held(), state.row.asleep, program->last_use().held(), program->last_use().useful()});
    }
    for (const core_id c : known.table->cores_of(known.self)) {
        const std::span<const holding> holders = known.who.holders(c);
        v.cores.push_back({how_.here.number[c], static_cast<std::uint32_t>(holders.size()),
                           holders.empty() ? 0 : holders.front().program});
    }
    mail_.acceptor.post(seen{l.observer, std::move(v)});
}

}  // namespace parley::inline v0::broker::service
