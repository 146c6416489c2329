#include <lab/sim/timed/medium.hpp>

#include <lab/sim/timed/host.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::timed {

bool medium::deposit(request_id r) {
    spend(spent::requests, cost_.exchange);
    home_.write_line(self_, lobby_line(r / 64), spent::requests);
    std::uint64_t& word = home_.lobby[r / 64];
    const bool was_empty = word == 0;
    if ((word >> r % 64 & 1) == 0) ++home_.resting;
    word |= std::uint64_t{1} << r % 64;
    return was_empty;
}

std::optional<request_id> medium::take_resting() {
    return take_resting([](request_id) { return true; });
}

bool medium::interrupt(member& whom) {
    if (&whom == &self_) return false;
    home_.let_others_catch_up(self_);
    if (whom.called) return false;
    whom.called = true;
    ++self_.count.interrupts;
    spend(spent::requests, cost_.signal);
    whom.signal_at = self_.now + cost_.signal_delay;
    if (whom.does == mode::computes && !whom.core.waits)
        home_.queue.set_if_earlier(whom.id, std::max(whom.now, whom.signal_at));
    return true;
}

bool medium::sleep_until(moment last) {
    spend(spent::idle, cost_.sleep);
    home_.let_others_catch_up(self_);
    if ((self_.attention & bits::waking) != 0) return true;
    self_.woken = false;
    home_.rest(self_, mode::sleeps, std::max(last, self_.now));
    return self_.woken || (self_.attention & bits::waking) != 0;
}

void medium::change_registered(worker_id w, bool idle) {
    member& whom = home_.at(w);
    home_.touch_line(self_, whom.standing, spent::requests);
    if (whom.registered == idle) return;
    whom.registered = idle;
    spend(spent::requests, cost_.exchange);
    home_.write_line(self_, home_.counter_line, spent::requests);
    idle ? ++home_.registered_idle : --home_.registered_idle;
    if (home_.registered_idle == home_.size()) home_.stir(home_.at(0), self_.now);
}

void medium::answer(request_id r) {
    own_request& to = at(r);
    to.victim = self_.id;
    to.answered = true;
    home_.stir(home_.at(protocol::thief_of(r)), self_.now);
}

// False: there are none.
bool medium::take_in(request_id r, parcel& message) {
    spend(spent::tasks, cost_.receive_tasks);
    const parcel came = std::exchange(message, {});
    if (came.tasks == nullptr) return false;
    const showing here(home_, self_, doing::getting, r);
    self_.tasks.receive(came.tasks);
    self_.count.stolen += came.count;
    spend(spent::tasks, static_cast<duration>(came.count - 1) * cost_.steal_each);
    self_.tasks.hold_all();  // they come from elsewhere (suspended_waits.hpp)
    return true;
}

parcel medium::oldest(request_id r, amount a) {
    if (self_.job != nullptr) return {std::exchange(self_.job, nullptr), 1};
    const std::size_t before = self_.tasks.size();
    if (before == 0) return {part_of_loop(r), 1};
    threading::task* const given = a == amount::half ? self_.tasks.take_half() : self_.tasks.take_oldest();
    const auto count = static_cast<std::uint32_t>(before - self_.tasks.size());
    spend(spent::tasks, cost_.steal + static_cast<duration>(count - 1) * cost_.steal_each);
    return {given, count};
}

// The last iterations, as the strategy says (runtime/medium.hpp): the thief of `r` asks, all others that rest, and all that
// have a letter here.
threading::task* medium::part_of_loop(request_id r) {
    loop_part* const worth_it = self_.loop_to_split(self_.weighed.weight.worth_splitting());
    loop_part& l = worth_it != nullptr ? *worth_it : *self_.loop_to_split();
    const bool requests_rest = !home_.chosen().how.papers;
    const auto state_of = [this](request_id other) { return at(other).state; };
    const auto asks = [&](const letter& t) { return protocol::asks_for_part(t, self_.id, requests_rest, state_of); };
    spend(spent::tasks, cost_.split);
    l.times.gives(l.left(), self_.time_by_clock());
    const bool weighs = virtual_host(self_).may_keep() && !self_.weighed.waits;
    const auto askers = [&] { return askers_of(l, r, self_.letters.count_if(asks), weighs); };
    threading::task* const part = home_.cut_off(self_, l, home_.split.of(l.to - l.from, l.chunks, askers));
    if (weighs && self_.divided.is_used_up && self_.loops.size() == 1)
        l.own.begins(l.left(), l.times, self_.time_by_clock());
    return part;
}

threading::task* medium::all_of_a_loop() {
    loop_part* const l = self_.loop_to_split();
    if (l == nullptr) return nullptr;
    spend(spent::tasks, cost_.split);
    return home_.cut_off(self_, *l, {l->to - l->from, l->chunks});
}

void medium::may_be_late() {
    const faults& f = home_.chosen().faults;
    if (f.late_chance == 0 || self_.chance.below(1U << 16) >= f.late_chance) return;
    self_.now += f.late;
    self_.count.time[static_cast<std::size_t>(spent::idle)] += f.late;
    home_.let_others_catch_up(self_);
}

}  // namespace parley::inline v0::sim::timed
