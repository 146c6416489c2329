#include <lab/sim/farms/cores.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::sim::farms {

namespace {

enum purpose : std::uint64_t { length, stall };

}  // namespace

cores::cores(const setup& s, lane_owner& owner, timed::machine& places, timed::event_queue& queue)
    : setup_(s),
      cost_(places.cost()),
      owner_(owner),
      places_(places),
      queue_(queue),
      lanes_(s.lanes.size()),
      cores_(s.cores) {
    results_line_.holder = collector_place;
    for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
        lane& l = lanes_[i];
        const std::uint32_t c = i % s.cores;
        l.item = s.lanes[i];
        l.place = first_core + c;
        l.inbox_line.holder = l.done_line.holder = l.place;
        cores_[c].lanes.push_back(i);
    }
}

bool cores::are_empty() const noexcept {
    return std::all_of(lanes_.begin(), lanes_.end(),
                       [](const lane& l) { return l.level == 0 && !l.works && l.inbox.empty(); });
}

moment cores::touch(timed::cache_line& l, std::uint32_t place, moment now) const noexcept {
    if (l.holder == place) return now;
    l.free_at = std::max(now, l.free_at) + places_.transfer(l.holder, place);
    l.holder = place;
    return l.free_at;
}

moment cores::read_level(std::size_t number, moment now) {
    return touch(lanes_[number].done_line, emitter_place, now + cost_.peek);
}

moment cores::give(std::size_t number, order o, moment now) {
    lane& l = lanes_[number];
    o.arrives = touch(l.inbox_line, emitter_place, now) + cost_.send_tasks;
    if (o.episode == 0) {
        ++l.level;
        l.report.highest = std::max<std::uint64_t>(l.report.highest, l.level);
    }
    l.inbox.push_back(o);
    queue_.set_if_earlier(l.place, o.arrives);
    return o.arrives;
}

void cores::turn(std::uint32_t number, moment now) {
    core& c = cores_[number];
    if (c.runs) {
        lane& l = lanes_[c.lanes[c.next]];
        l.left -= now - c.since;
        l.report.busy += now - c.since;
        c.since = now;
        const bool is_done = l.left == 0;
        if (is_done) end(c.lanes[c.next], now);
        const bool must_leave = now >= c.slice_ends && another_can_run(c, now);
        if (is_done || must_leave) show(c, now);
        if (!can_run(l, now) || must_leave) {
            c.runs = false;
            c.next = (c.next + 1) % c.lanes.size();
        }
    }
    for (std::size_t i = 0; !c.runs && i < c.lanes.size(); ++i) {
        const std::size_t candidate = (c.next + i) % c.lanes.size();
        if (!can_run(lanes_[c.lanes[candidate]], now)) continue;
        c.next = candidate;
        c.runs = true;
        c.since = c.begun = now;
        c.slice_ends = now + setup_.slice;
    }
    go_on(c, now);
}

bool cores::another_can_run(const core& c, moment now) const noexcept {
    for (std::size_t i = 0; i < c.lanes.size(); ++i)
        if (i != c.next && can_run(lanes_[c.lanes[i]], now)) return true;
    return false;
}

// Says when the core must be looked at again: when its lane is done, when its slice ends, when something arrives.
void cores::go_on(core& c, moment now) {
    moment next = timed::never;
    for (const std::uint32_t i : c.lanes)
        if (const lane& l = lanes_[i]; !l.inbox.empty() && l.inbox.front().arrives > now)
            next = std::min(next, l.inbox.front().arrives);
    if (c.runs) {
        lane& l = lanes_[c.lanes[c.next]];
        if (!l.works) {
            begin(l, now);
            c.begun = now;
        }
        next = std::min(next, now + l.left);
        if (another_can_run(c, now)) next = std::min(next, std::max(c.slice_ends, now + 1));
    }
    if (next != timed::never) queue_.set(lanes_[c.lanes.front()].place, next);
}

void cores::begin(lane& l, moment now) {
    l.current = l.inbox.front();
    l.inbox.pop_front();
    l.works = true;
    const moment ready = touch(l.inbox_line, l.place, std::max(now, l.free_at));
    l.left = ready - now + cost_.receive_tasks;
    if (l.current.episode != 0) return;
    l.left += length_of(l.current.item, l);
    const duration wait = now - l.current.arrives;
    l.report.waited += wait;
    l.report.longest_wait = std::max(l.report.longest_wait, wait);
}

void cores::end(std::size_t number, moment now) {
    lane& l = lanes_[number];
    l.works = false;
    if (l.current.episode != 0) {
        ++l.report.fakes;
        return owner_.fake_executed(number, l.current.episode, now);
    }
    ++l.report.items;
    --l.level;
    owner_.level_sank(touch(l.done_line, l.place, now));
    l.free_at = touch(results_line_, l.place, now) + cost_.send_tasks;
    owner_.collect(l.current.item, l.free_at);
}

void cores::show(const core& c, moment now) const {
    if (setup_.seen_by == nullptr) return;
    const std::uint32_t number = c.lanes[c.next];
    const order& o = lanes_[number].current;
    const bool is_fake = o.episode != 0;
    setup_.seen_by->sees({is_fake ? deed::fake : deed::item, number, is_fake ? o.episode : o.item, c.begun, now});
}

duration cores::length_of(std::uint64_t item, const lane& l) const noexcept {
    duration takes = l.item;
    if (setup_.spread != 0) {
        const auto off = static_cast<duration>(draw_of(setup_, item, length).below(2 * setup_.spread + 1)) - setup_.spread;
        takes += takes / 100 * off;
    }
    takes = places_.on(l.place, takes);
    if (setup_.faults.stall_chance != 0 && draw_of(setup_, item, stall).below(1U << 16) < setup_.faults.stall_chance)
        takes += setup_.faults.stall;
    return takes;
}

}  // namespace parley::inline v0::sim::farms
