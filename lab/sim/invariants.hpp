// The protocol's invariants, looked at after every step and at the end (docs/internals/protocol.md; the names
// are those of the design).
#pragma once

#include <lab/sim/scene.hpp>
#include <lab/sim/violation.hpp>
#include <lab/sim/virtual_rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::inline v0::sim {

template <class Machine>
class invariants {
public:
    explicit invariants(const scene<Machine>& s) noexcept : s_(s), all_(s.shared) {}

    // After the step `e` of agent `who`. What an operation must not do to its own object (answer
    // twice: I2, overwrite: I5, use a letter that somebody else holds: I1, I6) is looked at in the
    // medium itself.
    void after(const entry& e) const {
        if (e.what == operation::raise_and_wake && (e.detail & bits::released) != 0) released_in_time();
        if (e.what == operation::finish && s_.is_root(e.about)) root_is_over(e.about);
        state();
    }

    void state() const {
        for (protocol::worker_id w = 0; w < s_.worker_count(); ++w) {
            within_bounds(w);
            if (s_.workers[w].log.empty()) bells_have_rung(w);
            if (sleeps(w)) sleeps_rightly(w);
            if (!is_inside(w) || stays_away(w) || s_.workers[w].blocks) gone_for_good(w);
            if (s_.workers[w].at == point::in_code && s_.shared.workers[w].lends_a_hand == hand::offered)
                violated("I11", "worker " + std::to_string(w) + " runs a task and takes jobs that others may need");
        }
    }

    // Nobody can make a step any more.
    void end() const {
        for (agent_id a = 0; a < s_.agent_count(); ++a) {
            const point at = s_.at(a).at;
            if (at == point::finished) continue;
            if (at == point::unstarted && !all_.threads_started) continue;
            violated(at == point::asleep       ? "I8"
                     : at == point::locked_out ? "I7"
                                               : "I11",
                     "agent " + std::to_string(a) + " waits for ever");
        }
        for (task_id t = 0; t < all_.tasks.size(); ++t) ended(t);
        std::uint64_t sent = all_.jobs_sent, received = 0;
        for (protocol::worker_id w = 0; w < s_.worker_count(); ++w) {
            drained(w);
            sent += all_.workers[w].standing.sent;
            received += all_.workers[w].standing.received;
        }
        if (!all_.jobs.empty()) violated("I10", "a job was forgotten in the injector");
        if (sent != received) violated("I10", "answers sent and received do not balance");
    }

    [[nodiscard]] bool sleeps(protocol::worker_id w) const noexcept {
        return s_.workers[w].at == point::asleep && !all_.workers[w].woken;
    }

private:
    using request_state = protocol::request_state;

    // I4: released only if nothing is queued, in a channel, running or suspended, the root aside;
    // jobs that were counted after the manager looked belong to what comes after the barrier.
    void released_in_time() const {
        if (!all_.barrier_open) violated("I4", "a release while no barrier is open");
        for (task_id t = 0; t < all_.tasks.size(); ++t) {
            const task_status status = all_.tasks[t].status;
            if ((status != task_status::queued && status != task_status::running) || s_.is_root(t)) continue;
            const task_id job = s_.what->tasks[t].job;
            if (job != no_task && all_.tasks[job].counted > all_.jobs_read_at) continue;
            violated("I4", "released while task " + std::to_string(t) + " is not done");
        }
    }

    // I4, seen from the root task: behind its last barrier nothing is left of what came before it.
    void root_is_over(task_id root) const {
        const auto& code = s_.what->tasks[root].code;
        if (code.empty() || code.back().what != action::barrier || all_.cancelling) return;
        for (task_id t = 0; t < all_.tasks.size(); ++t) {
            const task_status status = all_.tasks[t].status;
            const bool open = status == task_status::queued || status == task_status::running;
            if (open && !s_.is_root(t) && s_.what->tasks[t].job == no_task)
                violated("I4", "a root task left its barrier before task " + std::to_string(t));
        }
    }

    // I1, I6: one letter per request, so at most one from each other worker. Where requests come home through the
    // mailbox, the own one, too; and of a worker's two letters one circulates, or both are messages.
    void within_bounds(protocol::worker_id w) const {
        const member& m = all_.workers[w];
        const std::size_t others = s_.worker_count() - 1;
        const std::size_t most = all_.circulates ? others + 1 : others * m.requests.size();
        if (m.letters.letters.size() > most || m.messages.size() > 2 * (others + 1))
            violated("I6", "a mailbox holds more letters than others have requests");
    }

    // Whoever deposits something has rung, or is in the handler in which it will; so whoever looks
    // at its attention word and sees nothing has nothing to look for (I2 for letters, I9 for the
    // lobby).
    void bells_have_rung(protocol::worker_id w) const {
        const member& m = all_.workers[w];
        if (!m.letters.letters.empty() && (m.attention & bits::mail) == 0 && !owed_mail(w))
            violated("I2", "worker " + std::to_string(w) + " has mail and does not know it");
        if (all_.lobby != 0 && (m.attention & bits::lobby) == 0 && !owed_bell())
            violated("I9", "worker " + std::to_string(w) + " does not know that requests rest");
    }

    void sleeps_rightly(protocol::worker_id w) const {
        const std::string who = "worker " + std::to_string(w);
        const member& m = all_.workers[w];
        const virtual_worker<Machine>& v = s_.workers[w];
        if ((m.attention & bits::waking) != 0) violated("I8", who + " sleeps with a waking bit set");
        for (const own_request& r : m.requests)
            if (!r.answer.empty() && !owed_wake(w)) violated("I8", who + " sleeps with an answer");
        if (!m.deque.empty()) violated("I8", who + " sleeps with tasks");
        if (!v.machine.sleeps_with_open_mailbox() && (!m.letters.letters.empty() || m.letters.open))
            violated("I8", who + " sleeps as a victim");
        if (!(m.letters.letters.empty() && m.messages.empty()) && !anybody_in_handler())
            violated("I8", who + " sleeps, and nobody wakes it for its letter");
        if (holds(s_, w, v.stack.back()) && !owed_news(v.stack.back().task) && !owed_completion(w) && !all_.elsewhere.owed)
            violated("I7", who + " sleeps and what it waits for is so");
        for (std::uint32_t slot = 1; slot < m.requests.size(); ++slot)
            if (m.requests[slot].state != request_state::home && m.requests[slot].state != request_state::taken)
                violated("I9", who + " sleeps and prefetches");
        if ((m.attention & bits::wants_jobs) != 0 && (m.attention & bits::jobs) == 0 && !all_.jobs.empty() &&
            !anybody_sends_jobs())
            violated("I11", who + " is to go and sleeps while a job waits");
        if (!v.sleeps_briefly() && !v.goes && !v.waits_alone && !stays_away(w))
            request_is_seen(m.requests[0], protocol::request_of(w), who);
    }

    // A sleeper's request is where others find it, or is being answered.
    void request_is_seen(const own_request& m, protocol::request_id r, const std::string& who) const {
        const bool in_lobby = (all_.lobby & bit_of(r)) != 0;
        if (m.state == request_state::home && owed_wake(protocol::thief_of(r))) return;  // its answer was taken back
        if (m.state == request_state::home || m.state == request_state::circulating)
            violated("I8", who + " sleeps and its request does not rest");
        const bool found = m.state == request_state::resting ? in_lobby : !m.answer.empty();
        if (!found && !anybody_in_handler()) violated("I2", who + " sleeps and its request is lost");
        if (m.state == request_state::resting && in_lobby && !all_.jobs.empty() && !anybody_sends_jobs())
            violated("I11", who + " sleeps while a job waits");
    }

    // I10, I11: who has gone is nobody's victim, asks for nothing and has nothing.
    void gone_for_good(protocol::worker_id w) const {
        const std::string who = "worker " + std::to_string(w);
        const member& m = all_.workers[w];
        for (const own_request& r : m.requests) {
            if (r.state != request_state::home)
                violated("I11", who + " is outside and its request is " +
                                    (r.state == request_state::taken ? "taken" : "not at home"));
            if (!r.answer.empty() || !r.load.empty()) violated("I11", who + " is outside and was sent tasks");
        }
        if (!m.deque.empty()) violated("I11", who + " is outside and has tasks");
        if (m.letters.open || !m.letters.letters.empty()) violated("I11", who + " is outside and somebody's victim");
    }

    void ended(task_id t) const {
        const task_status status = all_.tasks[t].status;
        if (status == task_status::done || status == task_status::dropped) return;
        if (status == task_status::unborn && was_cancelled()) return;
        violated("I2", "task " + std::to_string(t) + " was lost");
    }
    void drained(protocol::worker_id w) const {
        const member& m = all_.workers[w];
        bool home = m.letters.letters.empty() && m.messages.empty(), answered = false;
        for (const own_request& r : m.requests) {
            home = home && r.state == request_state::home && !r.letter_away;
            answered = answered || !r.answer.empty() || !r.load.empty();
        }
        if (!home) violated("I10", "a request of worker " + std::to_string(w) + " did not come home");
        if (answered || !m.deque.empty()) violated("I10", "worker " + std::to_string(w) + " ended with tasks");
    }

    [[nodiscard]] bool is_inside(protocol::worker_id w) const noexcept {
        const point at = s_.workers[w].at;
        return at != point::finished && at != point::outside;
    }
    [[nodiscard]] bool stays_away(protocol::worker_id w) const noexcept {
        return is_away(s_.workers[w].machine) && s_.workers[w].at != point::coming_back;
    }
    [[nodiscard]] bool was_cancelled() const noexcept {
        for (const errands& o : s_.what->outsiders)
            for (const errands::one& e : o.list)
                if (e.what == errand::cancel) return true;
        return false;
    }
    [[nodiscard]] bool owed_bell() const noexcept {
        for (const debts& d : all_.owed)
            if (d.bell) return true;
        return false;
    }
    [[nodiscard]] bool owed_mail(protocol::worker_id w) const noexcept {
        for (const debts& d : all_.owed)
            if ((d.mail & bit_of(w)) != 0) return true;
        return false;
    }
    [[nodiscard]] bool owed_wake(protocol::worker_id w) const noexcept {
        for (const debts& d : all_.owed)
            if ((d.wakes & bit_of(w)) != 0) return true;
        return false;
    }
    [[nodiscard]] bool owed_news(task_id group) const noexcept {
        for (const auto& v : s_.workers)
            if (group != no_task && v.news_group == group) return true;
        return false;
    }
    [[nodiscard]] bool owed_completion(protocol::worker_id w) const noexcept {
        for (agent_id a = 0; a < s_.agent_count(); ++a)
            if (s_.at(a).next <= w && parley::base::completion_word::woken(s_.at(a).woken).has(waiter_number(w)))
                return true;
        return false;
    }
    [[nodiscard]] bool anybody_in_handler() const noexcept {
        for (agent_id a = 0; a < s_.agent_count(); ++a)
            if (!s_.at(a).log.empty()) return true;
        return false;
    }
    [[nodiscard]] bool anybody_sends_jobs() const noexcept {
        for (agent_id a = 0; a < s_.agent_count(); ++a)
            if (s_.at(a).at == point::sending_job || s_.at(a).at == point::relaying) return true;
        return false;
    }

    const scene<Machine>& s_;
    const world& all_;
};

}  // namespace parley::inline v0::sim
