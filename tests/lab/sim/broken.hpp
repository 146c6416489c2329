// Media and protocols that are wrong in one place each. The checks must notice every one.
#pragma once

#include "tests/lab/sim/runs.hpp"

#include <parley/detail/protocol/termination.hpp>

namespace sim_tests::broken {

namespace protocol = parley::protocol;
namespace bits = parley::protocol::bits;
using parley::protocol::request_id;
using parley::protocol::request_state;
using parley::protocol::worker_id;
using right = sim::virtual_medium;

// --- the lobby's bell and the mail bit -----------------------------------------------------------
struct drops_the_bell : right {
    using right::right;
    void raise(worker_id w, bits::word b) {
        if (b != bits::lobby) right::raise(w, b);
    }
};
struct rings_before_depositing : right {
    using right::right;
    bool deposit(request_id r) {
        if (lobby_empty()) raise_all(bits::lobby);
        (void)right::deposit(r);
        return false;
    }
};
struct forgets_the_mail_bit : right {
    using right::right;
    bool send_request(worker_id to, const protocol::letter& t) { return put_letter(to, t); }
};
struct loses_what_rests : right {
    using right::right;
    bool deposit(request_id) { return false; }
};

// --- sleeping ------------------------------------------------------------------------------------
struct wakes_nobody : right {
    using right::right;
    void raise_and_wake(worker_id w, bits::word b) { raise(w, b); }
};
struct sleeps_over_its_bits : right {
    using right::right;
    bool prepare_to_sleep() {
        lower(bits::waking);
        return right::prepare_to_sleep();
    }
};
struct sleeps_as_a_victim : right {
    using right::right;
    void close_mailbox() {}
};
struct does_not_say_that_tasks_came : right {
    using right::right;
    void raise_and_wake(worker_id w, bits::word b) {
        if (b != bits::tasks) right::raise_and_wake(w, b);
    }
};
struct does_not_see_the_lobby : right {
    using right::right;
    bits::word attention() { return right::attention() & ~bits::lobby; }
};
struct relays_no_job : right {
    using right::right;
    std::optional<sim::task_id> draw_job() { return std::nullopt; }
};

// --- requests ------------------------------------------------------------------------------------
struct claims_what_is_claimed : right {
    using right::right;
    bool claim(request_id r, request_state from, request_state to) {
        (void)right::claim(r, from, to);
        return true;
    }
};
struct answers_twice : right {
    using right::right;
    void send_tasks(request_id r, protocol::amount a) {
        right::send_tasks(r, a);
        if (spare() > 0) right::send_tasks(r, a);
    }
};
struct travels_twice : right {
    using right::right;
    bool may_travel(request_id) { return true; }
};
struct loses_letters : right {
    using right::right;
    bool send_request(worker_id to, const protocol::letter& t) {
        if (t.hop > 1) return true;
        return right::send_request(to, t);
    }
};

// --- termination ---------------------------------------------------------------------------------
struct scans_once : right {
    using right::right;
};
// Found by the protocol instead of its own, since it fits better.
inline bool terminated(scans_once& m, std::uint32_t workers) {
    const protocol::scan_result first = protocol::scan(m, workers);
    return first.all_idle && first.sent == first.received;
}

struct does_not_count_the_release : right {
    using right::right;
    void publish_sent() {
        if (!releasing) right::publish_sent();
    }
    void publish_received() {
        if (!closing) right::publish_received();
    }
    void set_barrier_open(bool open) {
        closing = !open;
        right::set_barrier_open(open);
    }
    bool releasing = false;
    bool closing = false;
};
inline bool terminated(does_not_count_the_release& m, std::uint32_t workers) {
    m.releasing = protocol::terminated(static_cast<right&>(m), workers);
    return m.releasing;
}

struct stays_idle_with_tasks : right {
    using right::right;
    void publish_idle(bool idle) {
        if (idle) right::publish_idle(idle);
    }
};
struct does_not_count_answers : right {
    using right::right;
    void publish_received() {}
};
struct does_not_ask_for_a_scan : right {
    using right::right;
    void raise_and_wake(worker_id w, bits::word b) {
        if (b != bits::scan && b != bits::message) right::raise_and_wake(w, b);
    }
};

// --- answers that are taken back -----------------------------------------------------------------
struct does_not_look_whether_it_has_the_answer : right {
    using right::right;
    bool take_answer(request_id r) {
        (void)right::take_answer(r);
        return true;
    }
};
struct leaves_the_request_taken : right {
    using right::right;
    void set_state(request_id r, request_state s) {
        if (is_thief_of(r)) right::set_state(r, s);
    }
};
struct does_not_tell_whose_answer_it_took : right {
    using right::right;
    std::optional<request_id> take_back() {
        const auto r = right::take_back();
        took = r.has_value();
        return r;
    }
    void raise_and_wake(worker_id w, bits::word b) {
        if (!took || b != bits::tasks) right::raise_and_wake(w, b);
    }
    bool took = false;
};
struct does_not_count_what_it_took : does_not_tell_whose_answer_it_took {
    using does_not_tell_whose_answer_it_took::does_not_tell_whose_answer_it_took;
    void raise_and_wake(worker_id w, bits::word b) { right::raise_and_wake(w, b); }
    void publish_received() {
        if (!took) right::publish_received();
    }
};

// --- what the threads do beside the protocol -------------------------------------------------------
struct forgets_earlier_waiters : right {
    using right::right;
    static std::uint32_t announced(std::uint32_t, std::uint32_t waiter) noexcept { return waiter; }
};
struct runs_what_is_isolated_as_usual : right {
    using right::right;
    static bool runs_isolated(const sim::task_program&) noexcept { return false; }
};
struct blocks_with_its_tasks : right {
    using right::right;
    static bool hands_on_before_blocking() noexcept { return false; }
};
struct goes_with_its_tasks : right {
    using right::right;
    static bool hands_on_before_going() noexcept { return false; }
};

struct sleeps_in_the_second_runtime_alone : right {
    using right::right;
    static bool sleeps_as_first_worker() noexcept { return false; }
};
struct does_not_look_after_saying_as_whom_it_sleeps : right {
    using right::right;
    static bool looks_only_where_told() noexcept { return true; }
};
struct looks_as_whom_it_sleeps_before_raising : right {
    using right::right;
    static bool looks_at_relay_first() noexcept { return true; }
};

// --- protocols -----------------------------------------------------------------------------------
using usual = machine<protocol::steal_half>;

struct idle_inside_tasks : usual {
    using usual::usual;
    template <class M>
    bool seek(M& m, protocol::standing, protocol::asking what) {
        return usual::seek(m, protocol::standing::between_tasks, what);
    }
    friend bool operator==(const idle_inside_tasks&, const idle_inside_tasks&) = default;
};
struct just_goes : usual {
    using usual::usual;
    template <class M>
    bool leave(M& m) {
        m.close_mailbox();
        return true;
    }
    friend bool operator==(const just_goes&, const just_goes&) = default;
};
struct sleeps_without_asking : usual {
    using usual::usual;
    template <class M>
    bool go_to_sleep(M& m, protocol::asking) {
        m.close_mailbox();
        return m.prepare_to_sleep();
    }
    friend bool operator==(const sleeps_without_asking&, const sleeps_without_asking&) = default;
};

}  // namespace sim_tests::broken
