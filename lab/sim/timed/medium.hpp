// Virtual time as a medium of the protocol: what each call does, and what it costs. The lines that a call touches are
// those of the medium of threads (runtime/medium.hpp, runtime/worker.hpp): a worker's first request, task channel,
// mailbox and attention word lie in one.
#pragma once

#include <lab/sim/timed/pool.hpp>
#include <parley/detail/protocol/medium.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::inline v0::sim::timed {

using protocol::amount;
using protocol::request_id;
using protocol::request_state;
using protocol::travel;

class medium {
public:
    medium(pool& home, member& self) noexcept : home_(home), self_(self), cost_(home.cost()) {}

    // Mailboxes.
    bool send_request(worker_id to, const travel& t) {
        may_be_late();
        touch(t.request, spent::requests);  // the letter lies in its thief's line
        member& victim = home_.at(to);
        if (home_.chosen().locks_channels) lock_channel(victim);
        spend(spent::requests, cost_.send_request);
        home_.touch_line(self_, victim.front, spent::requests);
        ++self_.count.hops;
        if (!victim.open) return false;
        victim.letters.push(t);
        set(victim, bits::mail);
        if (home_.chosen().how.interrupts_for_every_request) interrupt(victim);
        return true;
    }
    std::optional<travel> receive_request() {
        home_.touch_line(self_, self_.front, spent::requests);
        if (self_.letters.empty()) {
            spend(spent::requests, cost_.peek);
            return std::nullopt;
        }
        const travel t = self_.letters.take_front();
        spend(spent::requests, cost_.receive_request);
        touch(t.request, spent::requests);
        return t;
    }
    void send_message(worker_id to, const travel& t) {
        may_be_late();
        touch(t.request, spent::requests);
        spend(spent::requests, cost_.send_request);
        home_.touch_line(self_, home_.at(to).box, spent::requests);
        home_.at(to).messages.push(t);
        home_.stir(home_.at(to), self_.now);
    }
    std::optional<travel> receive_message() {
        home_.touch_line(self_, self_.box, spent::requests);
        if (self_.messages.empty()) {
            spend(spent::requests, cost_.peek);
            return std::nullopt;
        }
        const travel t = self_.messages.take_front();
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
        home_.touch_line(self_, self_.front, spent::requests);
        return self_.attention;
    }
    void lower(bits::word b) {
        spend(spent::requests, cost_.exchange);
        home_.touch_line(self_, self_.front, spent::requests);
        self_.attention &= ~b;
    }
    void raise(worker_id w, bits::word b) {
        spend(spent::requests, cost_.exchange);
        home_.touch_line(self_, home_.at(w).front, spent::requests);
        set(home_.at(w), b);
    }
    void raise_and_wake(worker_id w, bits::word b) {
        if ((b & bits::released) != 0) home_.announce_end(self_.now);
        raise(w, b);
        if ((home_.at(w).attention & asleep_mark) != 0) home_.wake(self_, home_.at(w));
    }
    bool prepare_to_sleep() {
        spend(spent::idle, cost_.exchange);
        home_.touch_line(self_, self_.front, spent::idle);
        if ((self_.attention & bits::waking) != 0) return false;
        self_.attention |= asleep_mark;
        return true;
    }
    void cancel_sleep() {
        spend(spent::idle, cost_.exchange);
        home_.touch_line(self_, self_.front, spent::idle);
        self_.attention &= ~asleep_mark;
    }

    // Tasks. A job in hand counts, and what is left of a running loop does as one.
    std::size_t spare() const noexcept {
        if (self_.job) return self_.tasks.size() + 1;
        const std::size_t queued = self_.tasks.size();
        return queued == 0 && loop_to_split() != nobody ? 1 : queued;
    }
    std::uint64_t tasks_run() const noexcept { return self_.tasks_run; }
    void send_tasks(request_id r, amount a) {
        may_be_late();
        const showing here(home_, self_, doing::giving, r);
        take_oldest(a, at(r).answer);  // the task channel is this one's until the thief is told
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
    void submit(const task& job);
    bool take_job();
    bool jobs_waiting();
    std::uint64_t jobs_sent();
    std::optional<task> draw_job();
    void put_back_job(const task& job);
    void send_job(request_id r, const task& job);

    // Letters that bring tasks.
    void set_taker(request_id r, worker_id w) noexcept { at(r).taker = w; }
    worker_id taker(request_id r) noexcept { return at(r).taker; }
    void set_goes_on(request_id r, bool goes_on) noexcept { at(r).goes_on = goes_on; }
    bool goes_on(request_id r) noexcept { return at(r).goes_on; }
    void load_tasks(request_id r, amount a) {
        const showing here(home_, self_, doing::giving, r);
        take_oldest(a, at(r).load);
    }
    void unload_tasks(request_id r) { (void)take_in(r, at(r).load); }
    bool is_loaded(request_id r) noexcept { return !at(r).load.empty(); }

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

    // A signal to somebody whose task does not look up.
    void interrupt(member& whom);

private:
    own_request& at(request_id r) noexcept { return home_.at(protocol::thief_of(r)).requests[protocol::slot_of(r)]; }
    void spend(spent on_what, duration d) noexcept { home_.spend(self_, on_what, d); }
    void touch(request_id r, spent on_what) {
        member& thief = home_.at(protocol::thief_of(r));
        home_.touch_line(self_, protocol::slot_of(r) == 0 ? thief.front : thief.second, on_what);
    }
    shared_line& lobby_line(std::size_t word) noexcept { return home_.lobby_lines[word / 8]; }
    // The lobby's bell is nothing to a spinner: it has nothing to give.
    void set(member& whom, bits::word b) {
        whom.attention |= b;
        if (b != bits::lobby) home_.stir(whom, self_.now);
    }
    template <class Change>
    void change_own_front(const Change& change) {
        spend(spent::requests, cost_.exchange);
        home_.touch_line(self_, self_.front, spent::requests);
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
    void answer(request_id r);
    bool take_in(request_id r, std::vector<task>& message);
    void take_oldest(amount a, std::vector<task>& into);
    [[nodiscard]] std::uint32_t loop_to_split() const noexcept;
    task split_loop();
    void may_be_late();

    pool& home_;
    member& self_;
    const costs& cost_;
};

static_assert(protocol::medium<medium>);

}  // namespace parley::inline v0::sim::timed
