// The world as a medium of the protocol: one atomic step per call, exactly as many as the medium of
// threads takes (runtime/medium.hpp). Which of them are free, and when, is said with each (see
// stepper::freedom).
#pragma once

#include <parley/protocol/medium.hpp>
#include <parley/sim/chosen_victims.hpp>
#include <parley/sim/operation.hpp>
#include <parley/sim/stepping.hpp>
#include <parley/sim/violation.hpp>
#include <parley/sim/world.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

class virtual_medium : protected stepper {
public:
    using travel = protocol::travel;
    using request_id = protocol::request_id;
    using worker_id = protocol::worker_id;
    using request_state = protocol::request_state;

    explicit virtual_medium(const session& s) noexcept : stepper(s) {}

    // Mailboxes. The letter goes in and the bit is raised in two steps, as between threads.
    bool send_request(worker_id to, const travel& t) {
        if (!put_letter(to, t)) return false;
        raise(to, bits::mail);
        return true;
    }
    std::optional<travel> receive_request() {
        return act<std::optional<travel>>(operation::receive_request, own_number(), 0, [&] {
            auto& letters = own().letters.letters;
            if (letters.empty()) return std::optional<travel>();
            const travel t = letters.front();
            letters.erase(letters.begin());
            at(t.request).letter_holder = s_.self;
            if (s_.shared.circulates) at(t.request).claimer = s_.self;
            return std::optional<travel>(t);
        }, free_if(!own().letters.letters.empty()));  // others append
    }
    // Who turns a circulating request into a message has it no more, but answers it.
    void send_message(worker_id to, const travel& t) {
        act(operation::send_message, to, t.request, [&] {
            require_letter(t.request);
            s_.shared.workers[to].messages.push_back(t);
            at(t.request).letter_holder = in_mailbox;
        });
    }
    std::optional<travel> receive_message() {
        return act<std::optional<travel>>(operation::receive_message, own_number(), 0, [&] {
            auto& messages = own().messages;
            if (messages.empty()) return std::optional<travel>();
            const travel t = messages.front();
            messages.erase(messages.begin());
            at(t.request).letter_holder = s_.self;
            return std::optional<travel>(t);
        }, free_if(!own().messages.empty()));  // others append
    }
    void open_mailbox() {
        act(operation::open_mailbox, own_number(), 0, [&] { own().letters.open = true; });
    }
    void close_mailbox() {
        act(operation::close_mailbox, own_number(), 0, [&] { own().letters.open = false; });
    }

    // Requests.
    request_state state(request_id r) {
        // The own one stays where it is, at home or taken, until this worker moves it.
        const request_state s = at(r).state;
        const bool stays = s == request_state::home || s == request_state::taken;
        return act<request_state>(operation::state, r, 0, [&] { return at(r).state; },
                                  free_if(stays && is_thief_of(r)));
    }
    void set_state(request_id r, request_state s) {
        act(operation::set_state, r, static_cast<std::uint32_t>(s), [&] {
            const bool at_rest = at(r).state == request_state::home ||
                                 at(r).state == request_state::taken;
            if (!is_thief_of(r) || !at_rest)
                violated("I2", "a request's state was set by somebody who does not own it");
            at(r).state = s;
        }, free_if(s == request_state::home));  // to others the same as taken
    }
    bool claim(request_id r, request_state from, request_state to) {
        return act<bool>(operation::claim, r, static_cast<std::uint32_t>(to), [&] {
            if (at(r).state != from) return false;
            at(r).state = to;
            if (to == request_state::taken) at(r).claimer = s_.self;
            return true;
        });
    }
    void set_wish(request_id r, protocol::amount a) {
        act(operation::set_wish, r, static_cast<std::uint32_t>(a), [&] {
            if (at(r).state != request_state::home || (s_.shared.circulates && at(r).letter_away))
                violated("I2", "a wish was changed while others may read it");
            at(r).wish = a;
        }, freedom::free);
    }
    protocol::amount wish(request_id r) {
        return act<protocol::amount>(operation::wish, r, 0, [&] { return at(r).wish; },
                                     freedom::free);
    }
    bool may_travel(request_id r) {
        return act<bool>(operation::may_travel, r, 0, [&] { return !at(r).letter_away; },
                         free_if(!at(r).letter_away));
    }
    void take_off(request_id r) {
        chosen_victims::order = act<std::uint32_t>(operation::take_off, r, 0, [&] {
            if (at(r).letter_holder != with_thief)
                violated("I6", "a request begins to travel whose letter is not at home");
            at(r).letter_away = true;
            at(r).letter_holder = s_.self;
            const std::uint32_t orders = chosen_victims::orders(worker_count());
            return orders > 1 ? s_.decide.choose(choice::victims, orders) : 0;
        }, freedom::free);
    }
    void land(request_id r) {
        act(operation::land, r, 0, [&] {
            require_letter(r);
            if (!at(r).load.empty()) violated("I5", "a letter lands with tasks");
            at(r).letter_away = false;
            at(r).letter_holder = with_thief;
            if (s_.shared.circulates && is_thief_of(r) && at(r).claimer == s_.self) at(r).claimer = nobody;
        });
    }

    // The lobby. True: it was empty. From now until the end of the handler the depositor owes the
    // bell to everybody.
    bool deposit(request_id r) {
        return act<bool>(operation::deposit, r, 0, [&] {
            const bool was_empty = s_.shared.lobby == 0;
            s_.shared.lobby |= bit_of(r);
            if (was_empty) debt().bell = true;
            return was_empty;
        });
    }
    std::optional<request_id> take_resting() {
        return act<std::optional<request_id>>(operation::take_resting, own_number(), 0, [&] {
            const std::uint64_t all = s_.shared.lobby;
            if (all == 0) return std::optional<request_id>();
            // Begins above the own number, as the thread medium does, so that all have their turn.
            const std::uint32_t start = s_.outside ? 0 : protocol::request_of(s_.self + 1);
            const std::uint64_t above = start < 64 ? all >> start << start : 0;
            const auto r = static_cast<request_id>(std::countr_zero(above != 0 ? above : all));
            s_.shared.lobby &= ~bit_of(r);
            return std::optional<request_id>(r);
        });
    }
    bool lobby_empty() {
        return act<bool>(operation::lobby_empty, 0, 0, [&] { return s_.shared.lobby == 0; });
    }
    void raise_all(bits::word b) {
        for (worker_id w = 0; w < worker_count(); ++w) raise(w, b);
    }

    // Attention.
    bits::word attention() {
        return act<bits::word>(operation::attention, own_number(), 0,
                               [&] { return own().attention; });
    }
    void lower(bits::word b) {
        act(operation::lower, own_number(), b, [&] { own().attention &= ~b; });
    }
    void raise(worker_id w, bits::word b) {
        act(operation::raise, w, b, [&] { set_bits(w, b); }, free_if(w == s_.self));
    }
    void raise_and_wake(worker_id w, bits::word b) {
        act(operation::raise_and_wake, w, b, [&] {
            member& m = s_.shared.workers[w];
            if ((m.attention & asleep_mark) != 0) m.woken = true;
            set_bits(w, b);
        });
    }
    bool prepare_to_sleep() {
        return act<bool>(operation::prepare_to_sleep, own_number(), 0, [&] {
            if ((own().attention & bits::waking) != 0) return false;
            own().attention |= asleep_mark;
            return true;
        });
    }
    void cancel_sleep() {
        // Somebody who sees the mark before wakes somebody who does not sleep.
        act(operation::cancel_sleep, own_number(), 0, [&] { own().attention &= ~asleep_mark; },
            freedom::free);
    }

    // Tasks.
    std::size_t spare() {
        return privately<std::size_t>(operation::spare, [&] { return own().deque.size(); });
    }
    std::uint64_t tasks_run() {
        return privately<std::uint64_t>(operation::tasks_run, [&] { return own().tasks_run; });
    }
    void send_tasks(request_id r, protocol::amount a) {
        act(operation::send_tasks, r, static_cast<std::uint32_t>(a), [&] { put_answer(r, oldest(a)); });
    }
    void send_nothing(request_id r) {
        act(operation::send_nothing, r, 0, [&] { put_answer(r, {no_task}); });
    }
    bool receive_tasks(request_id r) {
        return act<bool>(operation::receive_tasks, r, 0, [&] {
            if (!own().deque.empty())
                violated("I5", "tasks are received into a deque that is not empty");
            own().deque.swap(at(r).answer);
            if (own().deque.front() != no_task) return true;
            own().deque.clear();
            return false;
        }, freedom::free);
    }
    bool tasks_arrived(request_id r) {
        return act<bool>(operation::tasks_arrived, r, 0,
                         [&] { return !at(r).answer.empty(); },
                         free_if(is_thief_of(r) && !at(r).answer.empty()));
    }
    // Letters that bring tasks. Only who holds the letter looks at it.
    void set_taker(request_id r, worker_id w) {
        act(operation::set_taker, r, w, [&] {
            require_letter(r);
            at(r).taker = w;
        }, freedom::free);
    }
    worker_id taker(request_id r) {
        return act<worker_id>(operation::taker, r, 0, [&] {
            require_letter(r);
            return at(r).taker;
        }, freedom::free);
    }
    void set_goes_on(request_id r, bool goes_on) {
        act(operation::set_goes_on, r, goes_on, [&] {
            require_letter(r);
            if (!at(r).answer.empty()) violated("I5", "what is said of an answer was changed");
            at(r).goes_on = goes_on;
        }, freedom::free);
    }
    bool goes_on(request_id r) {
        return act<bool>(operation::goes_on, r, 0, [&] { return at(r).goes_on; }, freedom::free);
    }
    void load_tasks(request_id r, protocol::amount a) {
        act(operation::load_tasks, r, static_cast<std::uint32_t>(a), [&] {
            require_letter(r);
            if (!at(r).load.empty()) violated("I5", "a letter was loaded twice");
            at(r).load = oldest(a);
        });
    }
    void unload_tasks(request_id r) {
        act(operation::unload_tasks, r, 0, [&] {
            require_letter(r);
            if (!own().deque.empty()) violated("I5", "tasks are unloaded into a deque that is not empty");
            own().deque.swap(at(r).load);
        });
    }
    bool is_loaded(request_id r) {
        return act<bool>(operation::is_loaded, r, 0, [&] {
            require_letter(r);
            return !at(r).load.empty();
        }, freedom::free);
    }
    worker_id victim_of(request_id r) {
        return act<worker_id>(operation::victim_of, r, 0, [&] { return at(r).victim; }, freedom::free);
    }
    bool take_job() {
        return act<bool>(operation::take_job, own_number(), 0, [&] {
            const std::optional<task_id> j = first_job();
            if (j) own().deque.push_back(*j);
            return j.has_value();
        });
    }
    bool jobs_waiting() {
        return act<bool>(operation::jobs_waiting, 0, 0, [&] { return !s_.shared.jobs.empty(); },
                         free_if(!s_.shared.jobs_may_come));
    }
    std::optional<task_id> draw_job() {
        return act<std::optional<task_id>>(operation::draw_job, own_number(), 0,
                                           [&] { return first_job(); });
    }
    void put_back_job(task_id j) {
        act(operation::put_back_job, own_number(), j,
            [&] { s_.shared.jobs.insert(s_.shared.jobs.begin(), j); });
    }
    void send_job(request_id r, task_id j) {
        act(operation::hand_over_job, r, j, [&] { put_answer(r, {j}); });
    }

    // Termination.
    void publish_idle(bool idle) {
        act(operation::publish_idle, own_number(), idle, [&] { own().standing.idle = idle; });
    }
    void publish_sent() {
        act(operation::publish_sent, own_number(), 0, [&] { ++own().standing.sent; });
    }
    void publish_received() {
        act(operation::publish_received, own_number(), 0, [&] { ++own().standing.received; });
    }
    protocol::published_state published(worker_id w) {
        return act<protocol::published_state>(operation::published, w, 0, [&] {
            const published_words& p = s_.shared.workers[w].standing;
            return protocol::published_state{p.idle, p.sent, p.received};
        }, free_if(w == s_.self));
    }
    std::uint64_t jobs_sent() {
        return act<std::uint64_t>(operation::jobs_sent, 0, 0, [&] {
            s_.shared.jobs_read_at = s_.shared.step;
            return s_.shared.jobs_sent;
        }, free_if(!s_.shared.jobs_may_come));
    }
    void register_idle(worker_id w) {
        act(operation::register_idle, w, 0, [&] {
            if (w == s_.self && !own().deque.empty()) violated("I4", "a worker with tasks counts itself as idle");
            s_.shared.workers[w].registered_idle = true;
        });
    }
    void unregister_idle(worker_id w) {
        act(operation::unregister_idle, w, 0, [&] { s_.shared.workers[w].registered_idle = false; });
    }
    std::uint32_t registered_idle() {
        return act<std::uint32_t>(operation::registered_idle, 0, 0, [&] {
            std::uint32_t count = 0;
            for (const member& w : s_.shared.workers) count += w.registered_idle ? 1 : 0;
            return count;
        });
    }
    void set_barrier_open(bool open) {
        act(operation::set_barrier_open, 0, open, [&] { s_.shared.barrier_open = open; });
    }
    bool barrier_open() {
        return act<bool>(operation::barrier_open, 0, 0, [&] { return s_.shared.barrier_open; });
    }

    void note(protocol::event) noexcept {}  // no result and no effect: nothing to replay

protected:
    bool put_letter(worker_id to, const travel& t) {
        return act<bool>(operation::send_request, to, t.request, [&] {
            require_letter(t.request);
            const bool says_idle =
                t.status == protocol::status::registered_idle || t.status == protocol::status::idle;
            if (s_.shared.circulates && says_idle && is_thief_of(t.request) && !own().deque.empty())
                violated("I4", "a worker with tasks says that it is idle");
            mailbox& box = s_.shared.workers[to].letters;
            if (!box.open) return false;
            box.letters.push_back(t);
            if (s_.shared.circulates) at(t.request).claimer = nobody;
            at(t.request).letter_holder = in_mailbox;
            debt().mail |= bit_of(to);
            return true;
        });
    }
    void put_answer(request_id r, std::vector<task_id> tasks) {
        const bool claimed = s_.shared.circulates || at(r).state == request_state::taken;
        if (!claimed || at(r).claimer != s_.self)
            violated("I2", "a request was answered by somebody who had not claimed it");
        if (!at(r).answer.empty()) violated("I5", "an answer was overwritten");
        at(r).answer = std::move(tasks);
        at(r).victim = s_.outside ? protocol::no_worker : s_.self;
        if (at(r).state == request_state::home) at(r).claimer = nobody;
        debt().wakes |= bit_of(protocol::thief_of(r));
    }

private:
    member& own() const noexcept { return s_.shared.workers[s_.self]; }
    own_request& at(request_id r) const noexcept {
        return s_.shared.workers[protocol::thief_of(r)].requests[protocol::slot_of(r)];
    }
    debts& debt() const noexcept { return s_.shared.owed[s_.self]; }
    [[nodiscard]] std::uint32_t own_number() const noexcept { return s_.self; }
    [[nodiscard]] std::uint32_t worker_count() const noexcept {
        return static_cast<std::uint32_t>(s_.shared.workers.size());
    }
    [[nodiscard]] bool is_thief_of(request_id r) const noexcept {
        return protocol::thief_of(r) == s_.self;
    }
    void require_letter(request_id r) const {
        if (at(r).letter_holder != s_.self)
            violated("I6", "a letter is used by somebody who does not hold it");
    }
    std::vector<task_id> oldest(protocol::amount a) {
        auto& mine = own().deque;
        if (mine.empty()) violated("I2", "a request is to be answered and there is nothing to give");
        const std::size_t count = a == protocol::amount::half ? (mine.size() + 1) / 2 : 1;
        const auto end = mine.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<task_id> given(mine.begin(), end);
        mine.erase(mine.begin(), end);
        return given;
    }
    void set_bits(worker_id w, bits::word b) {
        s_.shared.workers[w].attention |= b;
        if ((b & bits::mail) != 0) debt().mail &= ~bit_of(w);
        if ((b & bits::tasks) != 0) debt().wakes &= ~bit_of(w);
    }
    std::optional<task_id> first_job() {
        auto& jobs = s_.shared.jobs;
        if (jobs.empty()) return std::nullopt;
        const task_id j = jobs.front();
        jobs.erase(jobs.begin());
        return j;
    }
};

static_assert(protocol::medium<virtual_medium>);

}  // namespace parley::inline v0::sim
