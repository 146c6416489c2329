#include <lab/sim/timed/medium.hpp>

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

// Begins above the own number, as the medium of threads does, so that all have their turn.
std::optional<request_id> medium::take_resting() {
    const std::size_t words = home_.lobby.size();
    const request_id start = protocol::request_of(self_.id + 1);
    const std::size_t first = start / 64 % words;
    for (std::size_t i = 0; i <= words; ++i) {
        const std::size_t w = (first + i) % words;
        if (i % 8 == 0 || w % 8 == 0) home_.read_line(self_, lobby_line(w), spent::requests);
        const std::uint64_t wanted = i == 0 ? ~std::uint64_t{0} << start % 64 : ~std::uint64_t{0};
        if ((home_.lobby[w] & wanted) == 0) continue;
        spend(spent::requests, cost_.exchange);
        home_.write_line(self_, lobby_line(w), spent::requests);
        const std::uint64_t seen = home_.lobby[w] & wanted;  // as it is when the line has come
        if (seen == 0) continue;
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(seen));
        home_.lobby[w] &= ~(std::uint64_t{1} << bit);
        --home_.resting;
        return static_cast<request_id>(w * 64 + bit);
    }
    return std::nullopt;
}

void medium::interrupt(member& whom) {
    if (&whom == &self_) return;
    home_.let_others_catch_up(self_);
    if (whom.called) return;
    whom.called = true;
    ++self_.count.interrupts;
    spend(spent::requests, cost_.signal);
    whom.signal_at = self_.now + cost_.signal_delay;
    if (whom.does == mode::computes) home_.queue.set_if_earlier(whom.id, std::max(whom.now, whom.signal_at));
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
bool medium::take_in(request_id r, std::vector<task>& message) {
    if (message.empty()) {
        spend(spent::tasks, cost_.receive_tasks);
        return false;
    }
    const showing here(home_, self_, doing::getting, r);
    spend(spent::tasks, cost_.receive_tasks);
    for (const task& t : message) self_.tasks.push(t);
    self_.count.stolen += message.size();
    spend(spent::tasks, static_cast<duration>(message.size() - 1) * cost_.steal_each);
    message.clear();
    self_.tasks.hold_all();  // they come from elsewhere: see runtime/suspended.hpp
    return true;
}

void medium::take_oldest(amount a, std::vector<task>& into) {
    if (self_.job) {
        into.push_back(*std::exchange(self_.job, std::nullopt));
        return;
    }
    if (self_.tasks.empty()) {
        into.push_back(split_loop());
        return;
    }
    std::size_t n = a == amount::half ? self_.tasks.half() : 1;
    spend(spent::tasks, cost_.steal + static_cast<duration>(n - 1) * cost_.steal_each);
    for (; n > 0; --n) into.push_back(self_.tasks.take_oldest());
}

std::uint32_t medium::loop_to_split() const noexcept {
    for (const std::uint32_t f : self_.loops) {
        const frame& l = home_.frame_of(f);
        if (l.from < l.to) return f;
    }
    return nobody;
}

// The last iterations, as the strategy says (runtime/medium.hpp): this one asks, whoever rests, and whoever has a letter
// here.
task medium::split_loop() {
    frame& l = home_.frame_of(loop_to_split());
    const bool requests_rest = !home_.chosen().how.papers;
    const auto state_of = [this](request_id r) { return at(r).state; };
    const auto asks = [&](const travel& t) { return protocol::asks_for_part(t, self_.id, requests_rest, state_of); };
    spend(spent::tasks, cost_.split);
    const auto askers = [&] { return 1 + home_.resting + self_.letters.count_if(asks); };
    return home_.cut_off(self_, l, home_.split.of(l.to - l.from, l.chunks, askers));
}

void medium::may_be_late() {
    const faults& f = home_.chosen().faults;
    if (f.late_chance == 0 || self_.chance.below(1U << 16) >= f.late_chance) return;
    self_.now += f.late;
    self_.count.time[static_cast<std::size_t>(spent::idle)] += f.late;
    home_.let_others_catch_up(self_);
}

}  // namespace parley::inline v0::sim::timed
