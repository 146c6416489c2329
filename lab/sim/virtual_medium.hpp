// The world as a medium of the protocol: one atomic step per call, exactly as many as the medium of
// threads takes (runtime/medium.hpp). Which of them are free, and when, is said with each (see
// stepper::freedom). What it does with tasks is in virtual_tasks.hpp.
#pragma once

#include <lab/sim/chosen_victims.hpp>
#include <lab/sim/operation.hpp>
#include <lab/sim/stepping.hpp>
#include <lab/sim/violation.hpp>
#include <lab/sim/virtual_rules.hpp>
#include <lab/sim/virtual_tasks.hpp>
#include <lab/sim/world.hpp>
#include <parley/detail/protocol/medium.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::sim {

class virtual_medium : public virtual_tasks, public virtual_rules {
public:
    using virtual_tasks::virtual_tasks;

    // Workers and stand-ins.
    [[nodiscard]] std::uint32_t seats() const noexcept { return static_cast<std::uint32_t>(s_.shared.workers.size()); }

    // Mailboxes. The letter goes in and the bit is raised in two steps, as between threads.
    bool send_request(worker_id to, const letter& t) {
        if (!put_letter(to, t)) return false;
        raise(to, bits::mail);
        return true;
    }
    std::optional<letter> receive_request() {
        return act<std::optional<letter>>(
            operation::receive_request, own_number(), 0,
            [&] {
                auto& letters = own().letters.letters;
                if (letters.empty()) return std::optional<letter>();
                const letter t = letters.front();
                letters.erase(letters.begin());
                at(t.request).letter_holder = s_.self;
                if (s_.shared.circulates) at(t.request).claimer = s_.self;
                return std::optional<letter>(t);
            },
            free_if(!own().letters.letters.empty()));  // others append
    }
    // Who turns a circulating request into a message has it no more, but answers it.
    void send_message(worker_id to, const letter& t) {
        act(operation::send_message, to, t.request, [&] {
            require_letter(t.request);
            s_.shared.workers[to].messages.push_back(t);
            at(t.request).letter_holder = in_mailbox;
        });
    }
    std::optional<letter> receive_message() {
        return act<std::optional<letter>>(
            operation::receive_message, own_number(), 0,
            [&] {
                auto& messages = own().messages;
                if (messages.empty()) return std::optional<letter>();
                const letter t = messages.front();
                messages.erase(messages.begin());
                at(t.request).letter_holder = s_.self;
                return std::optional<letter>(t);
            },
            free_if(!own().messages.empty()));  // others append
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
        const bool stays = s == request_state::home || (s == request_state::taken && !s_.shared.takes_back);
        return act<request_state>(operation::state, r, 0, [&] { return at(r).state; }, free_if(stays && is_thief_of(r)));
    }
    void set_state(request_id r, request_state s) {
        act(
            operation::set_state, r, static_cast<std::uint32_t>(s),
            [&] {
                const bool is_taken = at(r).state == request_state::taken;
                const bool at_rest = at(r).state == request_state::home || is_taken;
                const bool was_taken_back = is_taken && at(r).claimer == s_.self && at(r).answer.empty();
                if (!(is_thief_of(r) ? at_rest : was_taken_back))
                    violated("I2", "a request's state was set by somebody who does not own it");
                at(r).state = s;
            },
            free_if(s == request_state::home && is_thief_of(r)));  // to others the same as taken
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
        act(
            operation::set_wish, r, static_cast<std::uint32_t>(a),
            [&] {
                if (at(r).state != request_state::home || (s_.shared.circulates && at(r).letter_away))
                    violated("I2", "a wish was changed while others may read it");
                at(r).wish = a;
            },
            freedom::free);
    }
    protocol::amount wish(request_id r) {
        return act<protocol::amount>(operation::wish, r, 0, [&] { return at(r).wish; }, freedom::free);
    }
    bool may_travel(request_id r) {
        return act<bool>(operation::may_travel, r, 0, [&] { return !at(r).letter_away; }, free_if(!at(r).letter_away));
    }
    void take_off(request_id r) {
        chosen_victims::order = act<std::uint32_t>(
            operation::take_off, r, 0,
            [&] {
                if (at(r).letter_holder != with_thief)
                    violated("I6", "a request begins to travel whose letter is not at home");
                at(r).letter_away = true;
                at(r).letter_holder = s_.self;
                const std::uint32_t orders = chosen_victims::orders(worker_count());
                return orders > 1 ? s_.decide.choose(choice::victims, orders) : 0;
            },
            freedom::free);
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
        for (worker_id w = 0; w < seats(); ++w) raise(w, b);
    }

    // Attention.
    bits::word attention() {
        return act<bits::word>(operation::attention, own_number(), 0, [&] { return own().attention; });
    }
    void lower(bits::word b) {
        act(operation::lower, own_number(), b, [&] { own().attention &= ~b; });
    }
    void raise(worker_id w, bits::word b) {
        act(
            operation::raise, w, b,
            [&] {
                constexpr bits::word wakes = asleep_mark | bits::wants_jobs;
                member& m = s_.shared.workers[w];
                if (b == bits::jobs && (m.attention & wakes) == wakes) m.woken = true;
                set_bits(w, b);
            },
            free_if(w == s_.self));
    }
    void raise_and_wake(worker_id w, bits::word b) {
        elsewhere& e = s_.shared.elsewhere;
        const bool passes_on = act<bool>(operation::raise_and_wake, w, b, [&] {
            member& m = s_.shared.workers[w];
            const bool sleeps = (m.attention & asleep_mark) != 0;
            if (sleeps) m.woken = true;
            set_bits(w, b);
            return sleeps && w == 0 && e.is_visited;
        });
        if (passes_on) act(operation::pass_on, w, 0, [&] { e.passed_on = e.sleeps_as_first; });
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
        act(operation::cancel_sleep, own_number(), 0, [&] { own().attention &= ~asleep_mark; }, freedom::free);
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
        return act<protocol::published_state>(
            operation::published, w, 0,
            [&] {
                const published_words& p = s_.shared.workers[w].standing;
                return protocol::published_state{p.idle, p.sent, p.received};
            },
            free_if(w == s_.self));
    }
    std::uint64_t jobs_sent() {
        return act<std::uint64_t>(
            operation::jobs_sent, 0, 0,
            [&] {
                s_.shared.jobs_read_at = s_.shared.step;
                return s_.shared.jobs_sent;
            },
            free_if(!s_.shared.jobs_may_come));
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
    void set_manager(worker_id w) {
        act(operation::set_manager, w, 0, [&] {
            if (s_.shared.manager != s_.self) violated("I4", "the manager's role was given away by somebody else");
            s_.shared.manager = w;
        });
    }
    worker_id manager() {
        return act<worker_id>(operation::manager, 0, 0, [&] { return s_.shared.manager; }, free_if(!s_.shared.resizes));
    }

    void note(protocol::event) noexcept {}  // no result and no effect: nothing to replay

protected:
    bool put_letter(worker_id to, const letter& t) {
        return act<bool>(operation::send_request, to, t.request, [&] {
            require_letter(t.request);
            const bool says_idle = t.status == protocol::status::registered_idle || t.status == protocol::status::idle;
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

private:
    void set_bits(worker_id w, bits::word b) {
        s_.shared.workers[w].attention |= b;
        if ((b & bits::mail) != 0) debt().mail &= ~bit_of(w);
        if ((b & bits::tasks) != 0) debt().wakes &= ~bit_of(w);
    }
};

static_assert(protocol::medium<virtual_medium>);

}  // namespace parley::inline v0::sim
