#include <broker/daemon/usage.hpp>

#include <parley/detail/sync/versioned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

using sync::part;

nanoseconds add(nanoseconds a, nanoseconds b) noexcept { return a > ~b ? ~nanoseconds{0} : a + b; }

struct copied_line {
    std::uint32_t state = 0, core = 0;
    nanoseconds since = 0, useful = 0, steal = 0, mug = 0;
};

// A worker writes its line in a few instructions: a copy that is torn again and again is of one that was stopped
// between them, or of one that means it.
std::optional<copied_line> copy(const worker_line& from) noexcept {
    copied_line to;
    const auto whole = sync::copy_whole(from.version, 4, [&] {
        to = {part(from.state), part(from.core), part(from.since), part(from.useful), part(from.steal), part(from.mug)};
    });
    return whole ? std::optional(to) : std::nullopt;
}

}  // namespace

usage::usage(std::uint32_t workers, bool is_led, nanoseconds began, std::optional<nanoseconds> ran)
    : lines_(is_led ? 1 : std::min(workers, most_page_workers)),
      is_led_(is_led),
      began_(began),
      since_(began),
      accounted_(began),
      ran_at_first_(ran),
      ran_(ran) {}

void usage::account(nanoseconds now) {
    const nanoseconds passed = now - std::min(accounted_, now);
    for (const auto& [c, holders] : holders_) held_[c] += passed / std::max(holders, 1u);
    accounted_ = std::max(accounted_, now);
}

void usage::holds(std::map<core_id, std::uint32_t> holders, nanoseconds now) {
    account(now);
    holders_ = std::move(holders);
}

void usage::look(const feedback_page& page, nanoseconds now) noexcept {
    const std::size_t used = std::min<std::size_t>(sync::part(page.workers), lines_.size());
    for (std::size_t i = 0; i < used; ++i) {
        const std::optional<copied_line> c = copy(page.lines[i]);
        if (!c) continue;
        core_counters& said = lines_[i].said;
        said = {c->core, c->useful, c->steal, c->mug};
        // Not more than the program is old, whatever it says.
        const nanoseconds running = c->since < now ? std::min(now - c->since, now - began_) : 0;
        switch (static_cast<worker_state>(c->state)) {
            case worker_state::useful: said.useful = add(said.useful, running); break;
            case worker_state::stealing: said.steal = add(said.steal, running); break;
            case worker_state::mugging: said.mug = add(said.mug, running); break;
            default: break;
        }
    }
}

usage::spell usage::take(const machine& here, std::optional<nanoseconds> ran, nanoseconds now) {
    account(now);
    spell s{.use = {}, .length = now - std::min(since_, now)};
    const nanoseconds before = std::exchange(ran_, ran).value_or(0);
    if (is_led_) {
        if (!ran_at_first_) ran_at_first_ = ran;
        const bool is_seen = ran && ran_at_first_;
        const nanoseconds most = is_seen ? *ran - std::min(*ran, *ran_at_first_) : ~nanoseconds{0};
        const nanoseconds did = std::min(lines_[0].said.useful, most);
        s.use = from_run_time(did - std::min(did, led_ran_));
        led_ran_ = std::max(led_ran_, did);
    } else {
        s.use = from_lines(here);
        if (ran) clamp_to_run_time(s.use, *ran - std::min(*ran, before));
    }
    std::vector<core_id> cores = held_now();
    s.room = room_of(cores, s.length);
    held_before_ = std::move(cores);
    held_.clear();
    since_ = now;
    return s;
}

nanoseconds usage::room_until(nanoseconds now) {
    account(now);
    return room_of(held_now(), now - std::min(since_, now));
}

std::vector<core_id> usage::held_now() const {
    std::vector<core_id> cores;
    for (const auto& [c, held] : held_)
        if (held > 0) cores.push_back(c);
    return cores;
}

nanoseconds usage::room_of(const std::vector<core_id>& held, nanoseconds length) const {
    std::vector<core_id> both;
    std::set_union(held.begin(), held.end(), held_before_.begin(), held_before_.end(), std::back_inserter(both));
    return both.size() * length;
}

program_use usage::from_lines(const machine& here) {
    std::map<core_id, core_use> uses;
    for (const auto& [c, held] : held_) uses[c] = {.core = c, .held = held};
    const auto left = [](const core_use& u) { return u.held - u.useful - u.steal - u.mug; };
    auto any = uses.begin();
    for (line& l : lines_) {
        const std::optional<core_id> named = here.core_of(l.said.core);
        auto place = named ? uses.find(*named) : uses.end();
        if (place == uses.end() || left(place->second) == 0) {  // it lies, or has just moved
            while (any != uses.end() && left(any->second) == 0) ++any;
            place = any;
        }
        // Counted even where nothing is held: nobody is credited later.
        const core_use did = l.counts.take(l.said, place == uses.end() ? 0 : left(place->second));
        if (place == uses.end()) continue;
        place->second.useful += did.useful;
        place->second.steal += did.steal;
        place->second.mug += did.mug;
    }
    program_use all;
    for (const auto& [c, u] : uses) all.cores.push_back(u);
    return all;
}

program_use usage::from_run_time(nanoseconds ran) {
    program_use all;
    for (const auto& [c, held] : held_) {
        const program_use one = use_from_run_time(std::span(&c, 1), held, ran);
        ran -= one.useful();
        all.cores.push_back(one.cores.front());
    }
    return all;
}

}  // namespace parley::inline v0::broker::service
