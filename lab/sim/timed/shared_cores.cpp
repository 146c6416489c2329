#include <lab/sim/timed/shared_cores.hpp>

#include <lab/sim/timed/pool.hpp>
#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

namespace {

constexpr std::uint32_t none = core_of_worker::none;

}  // namespace

shared_cores::shared_cores(pool& home, const setup& s, std::uint64_t luck)
    : home_(home), beside_(s.beside), slice_(s.slice), luck_(luck), cores_(s.cores, core{none, none}) {}

void shared_cores::begin(bool root_comes_later) {
    base::rng random(luck_);
    std::vector<thread> others;
    for (thread t = 1; t < home_.size() + beside_; ++t) others.push_back(t);
    for (std::size_t i = others.size(); i > 1; --i)
        std::swap(others[i - 1], others[random.below(static_cast<std::uint32_t>(i))]);
    if (!root_comes_later) wants(thread{0}, 0);
    for (const thread t : others) wants(t, 0);
    // Cores whose slices end together would all change hands at once.
    constexpr std::uint32_t steps = 1U << 16;
    for (std::uint32_t c = 0; c < cores_.size(); ++c) {
        cores_[c].since -= slice_ / steps * random.below(steps);
        if (waiting_ > 0) home_.queue.set(event_of(c), end_of_slice(c, 0));
    }
}

void shared_cores::wants(thread t, moment at) {
    const std::uint32_t c = core_for(t);
    if (gives_way(c)) lose(c, at);
    if (cores_[c].now == none) assign(c, t, at);
    else wait(c, t, at);
}

void shared_cores::falls_asleep(member& m) {
    const std::uint32_t c = std::exchange(m.core.now, none);
    cores_[c].now = none;
    if (waiting_ > 0) assign(c, take_next(c), m.now);
}

void shared_cores::gives_way(const member& m) {
    const std::uint32_t c = m.core.now;
    if (cores_[c].waiting.empty()) return;
    const thread next = take_next(c);
    lose(c, m.now);
    assign(c, next, m.now);
}

// Who has just lost a core has not waited yet, so cores whose slices end together do not pass it on.
void shared_cores::slice_ends(std::uint32_t c, moment at) {
    const core& here = cores_[c];
    if (here.now == none || waiting_ == 0) return;
    const bool ends = (at - here.since) % slice_ == 0;
    if (!ends || cores_[where_next_waits(c)].waiting.front().since >= at)
        return home_.queue.set(event_of(c), end_of_slice(c, at));
    const thread next = take_next(c);
    lose(c, at);
    assign(c, next, at);
}

auto shared_cores::thread_of(const member& m) noexcept -> thread { return m.id; }
bool shared_cores::is_worker(thread t) const noexcept { return t < home_.size(); }
std::uint32_t shared_cores::event_of(std::uint32_t c) const noexcept { return home_.first_event_of_cores() + c; }

// One that is free, or else the one where it is to wait.
std::uint32_t shared_cores::core_for(thread t) const noexcept {
    const std::uint32_t last = is_worker(t) ? home_.at(t).core.last : none;
    if (last != none && cores_[last].now == none) return last;
    const auto free = std::find_if(cores_.begin(), cores_.end(), [](const core& c) { return c.now == none; });
    if (free != cores_.end()) return static_cast<std::uint32_t>(free - cores_.begin());
    if (last != none) return last;
    const auto fewer_wait = [](const core& a, const core& b) { return a.waiting.size() < b.waiting.size(); };
    return static_cast<std::uint32_t>(std::min_element(cores_.begin(), cores_.end(), fewer_wait) - cores_.begin());
}

bool shared_cores::gives_way(std::uint32_t c) const noexcept {
    return cores_[c].now != none && is_worker(cores_[c].now) && home_.at(cores_[c].now).core.gives_way;
}

void shared_cores::wait(std::uint32_t where, thread t, moment at) {
    if (is_worker(t)) {
        home_.at(t).core.waits = true;
        home_.at(t).core.waits_since = at;
    }
    cores_[where].waiting.push_back({t, at});
    ++waiting_;
    for (std::uint32_t c = 0; c < cores_.size(); ++c)
        if (home_.queue.of(event_of(c)) == never) home_.queue.set(event_of(c), end_of_slice(c, at));
}

// Somebody waits. The core whose first one is next at core `c`.
std::uint32_t shared_cores::where_next_waits(std::uint32_t c) const noexcept {
    if (!cores_[c].waiting.empty()) return c;
    const auto is_before = [](const core& a, const core& b) {
        if (a.waiting.empty() || b.waiting.empty()) return !a.waiting.empty();
        return a.waiting.front().since < b.waiting.front().since;
    };
    return static_cast<std::uint32_t>(std::min_element(cores_.begin(), cores_.end(), is_before) - cores_.begin());
}

auto shared_cores::take_next(std::uint32_t c) -> thread {
    core& from = cores_[where_next_waits(c)];
    const thread next = from.waiting.front().who;
    from.waiting.pop_front();
    --waiting_;
    return next;
}

void shared_cores::assign(std::uint32_t c, thread t, moment at) {
    core& here = cores_[c];
    const bool is_switch = here.last != t && here.last != none;
    here.now = here.last = t;
    here.since = at;
    if (is_worker(t)) resume(home_.at(t), c, at + (is_switch ? home_.cost().switch_thread : 0));
    if (waiting_ > 0) home_.queue.set(event_of(c), end_of_slice(c, at));
}

void shared_cores::lose(std::uint32_t c, moment at) {
    const thread t = std::exchange(cores_[c].now, none);
    if (is_worker(t)) {
        member& m = home_.at(t);
        m.core.now = none;
        ++m.core.losses;
        ++m.count.core_losses;
        home_.queue.remove(t);
    }
    wait(c, t, at);
}

// What it was in the middle of takes as long as it would have taken.
void shared_cores::resume(member& m, std::uint32_t c, moment at) {
    core_of_worker& mine = m.core;
    mine.now = mine.last = c;
    const moment since = std::exchange(mine.waits, false) ? mine.waits_since : at;
    mine.away += at - since;
    moment next = at;
    if (m.does == mode::runs) {
        next = at + std::max<duration>(m.now - since, 0);
    } else if (m.does == mode::computes) {
        m.until += at - since;
        next = std::min(m.until, std::max(at, m.signal_at));
    }
    home_.queue.set(m.id, next);
}

moment shared_cores::end_of_slice(std::uint32_t c, moment after) const noexcept {
    return cores_[c].since + ((after - cores_[c].since) / slice_ + 1) * slice_;
}

}  // namespace parley::inline v0::sim::timed
