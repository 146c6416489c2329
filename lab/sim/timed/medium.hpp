// Virtual time as a medium of the protocol: what each call does, and what it costs. The lines that a call touches are
// those of the medium of threads (runtime/medium.hpp, runtime/shared_line.hpp): a worker's first request, task channel,
// mailbox and attention word lie in one.
#pragma once

#include <lab/sim/timed/pool.hpp>
#include <parley/detail/protocol/medium.hpp>

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::sim::timed {

using protocol::amount;
using protocol::letter;
using protocol::request_id;
using protocol::request_state;

class medium {
public:
    medium(pool& home, member& self) noexcept : home_(home), self_(self), cost_(home.cost()) {}

    // Mailboxes.
    bool send_request(worker_id to, const letter& t) {
        may_be_late();
        touch(t.request, spent::requests);  // the letter lies in its thief's line
        member& victim = home_.at(to);
        if (home_.chosen().locks_channels) lock_channel(victim);
        spend(spent::requests, cost_.send_request);
        home_.touch_line(self_, victim.shared_line, spent::requests);
        ++self_.count.hops;
        if (!victim.open) return false;
        victim.letters.push(t);
        set(victim, bits::mail);
        if (home_.chosen().how.interrupts_for_every_request) (void)interrupt(victim);
        return true;
    }
    std::optional<letter> receive_request() {
        home_.touch_line(self_, self_.shared_line, spent::requests);
        if (self_.letters.empty()) {
            spend(spent::requests, cost_.peek);
            return std::nullopt;
        }
        const letter t = self_.letters.take_front();
        spend(spent::requests, cost_.receive_request);
        touch(t.request, spent::requests);
        return t;
    }
    void send_message(worker_id to, const letter& t) {
        may_be_late();
        touch(t.request, spent::requests);
        spend(spent::requests, cost_.send_request);
        home_.touch_line(self_, home_.at(to).box, spent::requests);
        home_.at(to).messages.push(t);
        home_.stir(home_.at(to), self_.now);
    }
    std::optional<letter> receive_message() {
        home_.touch_line(self_, self_.box, spent::requests);
        if (self_.messages.empty()) {
            spend(spent::requests, cost_.peek);
            return std::nullopt;
        }
        const letter t = self_.messages.take_front();
        spend(spent::requests, cost_.receive_request);
        touch(t.request, spent::requests);
        return t;
    }
    void open_mailbox() {
        change_own_front([&] { self_.open = true; });
    }
    void close_mailbox() {
        change_own_front([&] { self_.open = false; });
    }

    // Requests.
    request_state state(request_id r) {
        touch(r, spent::requests);
        return at(r).state;
    }
    void set_state(request_id r, request_state s) {
        touch(r, spent::requests);
        at(r).state = s;
    }
    bool claim(request_id r, request_state from, request_state to) {
        spend(spent::requests, cost_.exchange);
        touch(r, spent::requests);
        if (at(r).state != from) return false;
        at(r).state = to;
        return true;
    }
    void set_wish(request_id r, amount a) noexcept { at(r).wish = a; }
    amount wish(request_id r) noexcept { return at(r).wish; }
    bool may_travel(request_id r) {
        touch(r, spent::requests);
        return !at(r).letter_away;
    }
    void take_off(request_id r) {
        touch(r, spent::requests);
        at(r).letter_away = true;
        ++self_.count.requests;
        if (at(r).wish == amount::half) ++self_.count.for_half;
    }
    void land(request_id r) {
        touch(r, spent::requests);
        at(r).letter_away = false;
        home_.stir(home_.at(protocol::thief_of(r)), self_.now);
    }

    // The lobby.
    bool deposit(request_id r);
    std::optional<request_id> take_resting();
    std::optional<protocol::asker> take_asker(std::uint32_t range);  // this one and the next two: weighing.cpp
    [[nodiscard]] bool keeps_back(worker_id thief);
    [[nodiscard]] bool leaves_at_rest();
    void divides(request_id r, const protocol::division& d) noexcept {
        at(r).range = d.of_thief;
        self_.divided = d;
    }
    std::uint32_t range_of(request_id r) noexcept { return at(r).range; }
    bool many_rest();
    [[nodiscard]] bool comes_from_loop() const noexcept;
    [[nodiscard]] bool nearly_all_rest();
    bool lobby_empty() {
        for (std::size_t l = 0; l < home_.lobby_lines.size(); ++l)
            home_.read_line(self_, home_.lobby_lines[l], spent::requests);
        return home_.resting == 0;
    }
    void raise_all(bits::word b) {
        for (worker_id w = 0; w < home_.size(); ++w) raise(w, b);
    }

    // Attention.
    bits::word attention() {
        home_.touch_line(self_, self_.shared_line, spent::requests);
        return self_.attention;
    }
    void lower(bits::word b) {
        spend(spent::requests, cost_.exchange);
        home_.touch_line(self_, self_.shared_line, spent::requests);
        self_.attention &= ~b;
        if ((b & bits::news) != 0) ++self_.news_seen;
    }
    void raise(worker_id w, bits::word b) {
        spend(spent::requests, cost_.exchange);
        home_.touch_line(self_, home_.at(w).shared_line, spent::requests);
        set(home_.at(w), b);
    }
    void raise_and_wake(worker_id w, bits::word b) {
        if ((b & bits::released) != 0) home_.announce_end(self_.now);
        raise(w, b);
        if (home_.at(w).asleep) home_.wake(self_, home_.at(w));
    }
    bool prepare_to_sleep() {
        count_sleepers(1);
        spend(spent::idle, cost_.exchange);
        home_.touch_line(self_, self_.shared_line, spent::idle);
        if ((self_.attention & bits::waking) != 0) {
            count_sleepers(-1);
            return false;
        }
        self_.asleep = true;
        return true;
    }
    void cancel_sleep() {
        spend(spent::idle, cost_.exchange);
        home_.touch_line(self_, self_.shared_line, spent::idle);
        self_.asleep = false;
        count_sleepers(-1);
    }
    // Marked asleep. Whoever has news for it meanwhile leaves a bit; once it sleeps it is woken.
    void sleep() {
        while (!sleep_until(never)) {}
    }
    void sleep_for(std::chrono::nanoseconds longest) { (void)sleep_up_to(longest); }
    [[nodiscard]] bool sleep_up_to(std::chrono::nanoseconds longest) {
        return sleep_until(self_.now + in_virtual_time(longest));
    }
    static constexpr void sleep_no_longer_than(clock_point) noexcept {}  // no wait ends by itself

    // Tasks. A job in hand counts, and what is left of a running loop does as one.
    std::size_t spare() const noexcept {
        const std::size_t queued = self_.tasks.size() + (self_.job != nullptr ? 1 : 0);
        return queued == 0 && self_.loop_to_split() != nullptr ? 1 : queued;
    }
    bool has_tasks() const noexcept { return !self_.tasks.empty() || self_.job != nullptr; }
    std::uint64_t tasks_run() const noexcept { return self_.tasks_run; }
    void send_tasks(request_id r, amount a) {
        may_be_late();
        const showing here(home_, self_, doing::giving, r);
        at(r).answer = oldest(r, a);  // the task channel is this one's until the thief is told
        spend(spent::tasks, cost_.send_tasks);
        touch(r, spent::tasks);
        answer(r);
    }
    void send_nothing(request_id r) {
        spend(spent::tasks, cost_.send_tasks);
        touch(r, spent::tasks);
        answer(r);
    }
    bool receive_tasks(request_id r) {
        touch(r, spent::tasks);
        own_request& mine = at(r);
        mine.answered = false;
        return take_in(r, mine.answer);
    }
    bool tasks_arrived(request_id r) {
        touch(r, spent::tasks);
        return at(r).answered;
    }
    worker_id victim_of(request_id r) noexcept { return at(r).victim; }

    // Jobs: what workers give up (medium_jobs.cpp).
    void submit(threading::task* job);
    bool take_job();
    bool jobs_waiting();
    std::uint64_t jobs_sent();
    std::optional<threading::task*> draw_job();
    void put_back_job(threading::task* job);
    void send_job(request_id r, threading::task* job);

    // Letters that bring tasks.
    void set_taker(request_id r, worker_id w) noexcept { at(r).taker = w; }
    worker_id taker(request_id r) noexcept { return at(r).taker; }
    void set_goes_on(request_id r, bool goes_on) noexcept { at(r).goes_on = goes_on; }
    bool goes_on(request_id r) noexcept { return at(r).goes_on; }
    void load_tasks(request_id r, amount a) {
        const showing here(home_, self_, doing::giving, r);
        at(r).load = oldest(r, a);
    }
    void unload_tasks(request_id r) { (void)take_in(r, at(r).load); }
    bool is_loaded(request_id r) noexcept { return at(r).load.tasks != nullptr; }

    // Termination.
    void publish_idle(bool idle) {
        home_.touch_line(self_, self_.standing, spent::requests);
        self_.shown.idle = idle;
    }
    void publish_sent() {
        home_.touch_line(self_, self_.standing, spent::requests);
        ++self_.shown.sent;
    }
    void publish_received() {
        home_.touch_line(self_, self_.standing, spent::requests);
        ++self_.shown.received;
    }
    protocol::published_state published(worker_id w) {
        home_.touch_line(self_, home_.at(w).standing, spent::requests);
        return home_.at(w).shown;
    }
    void register_idle(worker_id w) { change_registered(w, true); }
    void unregister_idle(worker_id w) { change_registered(w, false); }
    std::uint32_t registered_idle() {
        home_.read_line(self_, home_.counter_line, spent::requests);
        return home_.registered_idle;
    }
    void set_barrier_open(bool open) {
        home_.write_line(self_, home_.barrier_line, spent::requests);
        home_.barrier_open = open;
    }
    bool barrier_open() {
        home_.read_line(self_, home_.barrier_line, spent::requests);
        return home_.barrier_open;
    }
    void set_manager(worker_id w) {
        home_.write_line(self_, home_.barrier_line, spent::requests);
        home_.manager = w;
    }
    worker_id manager() {
        home_.read_line(self_, home_.barrier_line, spent::requests);
        return home_.manager;
    }

    void note(protocol::event e) noexcept {
        switch (e) {
            case protocol::event::message: ++self_.count.messages; break;
            case protocol::event::failed_request: ++self_.count.failed; break;
            case protocol::event::steal: ++self_.count.steals; break;
            case protocol::event::sleep: ++self_.count.sleeps; break;
        }
    }

    // A signal to somebody whose task does not look up. False: one is on its way.
    bool interrupt(member& whom);

    // All iterations that have not begun of a loop that this worker is in, or null.
    [[nodiscard]] threading::task* all_of_a_loop();

private:
    own_request& at(request_id r) noexcept { return home_.at(protocol::thief_of(r)).requests[protocol::slot_of(r)]; }
    void spend(spent on_what, duration d) noexcept { home_.spend(self_, on_what, d); }
    void touch(request_id r, spent on_what) {
        member& thief = home_.at(protocol::thief_of(r));
        home_.touch_line(self_, protocol::slot_of(r) == 0 ? thief.shared_line : thief.second, on_what);
    }
    template <class Wanted>
    std::optional<request_id> take_resting(const Wanted& is_wanted);
    shared_line& lobby_line(std::size_t word) noexcept { return home_.lobby_lines[word / 8]; }
    // The lobby's bell is nothing to a spinner: it has nothing to give.
    void set(member& whom, bits::word b) {
        whom.attention |= b;
        if (b != bits::lobby) home_.stir(whom, self_.now);
    }
    template <class Change>
    void change_own_front(const Change& change) {
        spend(spent::requests, cost_.exchange);
        home_.touch_line(self_, self_.shared_line, spent::requests);
        change();
    }
    void lock_channel(member& victim) {
        home_.let_others_catch_up(self_);
        const duration holds = home_.places().on(self_.id, cost_.send_request);
        const moment has = victim.letters_lock.take(self_.now, self_.id, holds, home_.places());
        self_.count.time[static_cast<std::size_t>(spent::requests)] += has - self_.now;
        self_.now = has;
    }
    void change_registered(worker_id w, bool idle);
    void count_sleepers(int change) {
        spend(spent::idle, cost_.exchange);
        home_.write_line(self_, home_.sleepers_line, spent::idle);
        home_.sleepers += change;
    }
    void answer(request_id r);
    bool take_in(request_id r, parcel& message);
    [[nodiscard]] parcel oldest(request_id r, amount a);
    [[nodiscard]] threading::task* part_of_loop(request_id r);
    struct searched_lobby;
    [[nodiscard]] protocol::askers_now askers_of(const loop_part& l, request_id r, std::uint32_t letters, bool weighs);
    bool sleep_until(moment last);
    void may_be_late();

    pool& home_;
    member& self_;
    const costs& cost_;
};

// Begins above the own number, as the medium of threads does, so that all have their turn.
template <class Wanted>
std::optional<request_id> medium::take_resting(const Wanted& is_wanted) {
    const std::size_t words = home_.lobby.size();
    const request_id start = protocol::request_of(self_.id + 1);
    const std::size_t first = start / 64 % words;
    for (std::size_t i = 0; i <= words; ++i) {
        const std::size_t w = (first + i) % words;
        if (i % 8 == 0 || w % 8 == 0) home_.read_line(self_, lobby_line(w), spent::requests);
        std::uint64_t left = home_.lobby[w] & (i == 0 ? ~std::uint64_t{0} << start % 64 : ~std::uint64_t{0});
        while (left != 0) {
            const std::uint64_t bit = left & -left;
            const auto r = static_cast<request_id>(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
            left &= left - 1;
            if (!is_wanted(r)) continue;
            spend(spent::requests, cost_.exchange);
            home_.write_line(self_, lobby_line(w), spent::requests);
            left &= home_.lobby[w];  // as it is when the line has come
            if ((home_.lobby[w] & bit) == 0) continue;
            home_.lobby[w] &= ~bit;
            --home_.resting;
            return r;
        }
    }
    return std::nullopt;
}
static_assert(protocol::medium<medium>);

}  // namespace parley::inline v0::sim::timed
