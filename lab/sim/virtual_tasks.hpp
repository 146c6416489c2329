// Tasks and jobs of the world, as a medium hands them over: in answers, in letters, from outside. The rest of the medium
// is in virtual_medium.hpp.
#pragma once

#include <lab/sim/operation.hpp>
#include <lab/sim/stepping.hpp>
#include <lab/sim/violation.hpp>
#include <lab/sim/world.hpp>
#include <parley/detail/protocol/medium.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

class virtual_tasks : protected stepper {
public:
    using letter = protocol::letter;
    using request_id = protocol::request_id;
    using worker_id = protocol::worker_id;
    using request_state = protocol::request_state;

    explicit virtual_tasks(const session& s) noexcept : stepper(s) {}

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
    // Where answers may be taken back, the thief has them from here on.
    bool take_answer(request_id r) {
        if (!s_.shared.takes_back) return true;
        return act<bool>(operation::take_answer, r, 0, [&] {
            if (at(r).answer.empty()) return false;
            take_in(at(r).answer);
            return true;
        });
    }
    // In one step, since each answer that it looks for in vain is another's for good. It may be any that it has sent.
    std::optional<request_id> take_back() {
        return act<std::optional<request_id>>(operation::take_answer_back, own_number(), 0, [&] {
            for (worker_id w = 0; w < s_.shared.workers.size(); ++w)
                for (std::uint32_t slot = 0; slot < s_.shared.workers[w].requests.size(); ++slot) {
                    const request_id r = protocol::request_of(w, slot);
                    if (at(r).victim != s_.self || at(r).answer.empty()) continue;
                    take_in(at(r).answer);
                    debt().wakes |= bit_of(w);
                    return std::optional<request_id>(r);
                }
            return std::optional<request_id>();
        });
    }
    bool receive_tasks(request_id r) {
        if (s_.shared.takes_back) return true;
        return act<bool>(
            operation::receive_tasks, r, 0,
            [&] {
                take_in(at(r).answer);
                if (own().deque.front() != no_task) return true;
                own().deque.clear();
                return false;
            },
            freedom::free);
    }
    bool tasks_arrived(request_id r) {
        return act<bool>(
            operation::tasks_arrived, r, 0, [&] { return !at(r).answer.empty(); },
            free_if(is_thief_of(r) && !at(r).answer.empty() && !s_.shared.takes_back));
    }
    // Letters that bring tasks. Only who holds the letter looks at it.
    void set_taker(request_id r, worker_id w) {
        act(
            operation::set_taker, r, w,
            [&] {
                require_letter(r);
                at(r).taker = w;
            },
            freedom::free);
    }
    worker_id taker(request_id r) {
        return act<worker_id>(
            operation::taker, r, 0,
            [&] {
                require_letter(r);
                return at(r).taker;
            },
            freedom::free);
    }
    void set_goes_on(request_id r, bool goes_on) {
        act(
            operation::set_goes_on, r, goes_on,
            [&] {
                require_letter(r);
                if (!at(r).answer.empty()) violated("I5", "what is said of an answer was changed");
                at(r).goes_on = goes_on;
            },
            freedom::free);
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
        return act<bool>(
            operation::is_loaded, r, 0,
            [&] {
                require_letter(r);
                return !at(r).load.empty();
            },
            freedom::free);
    }
    worker_id victim_of(request_id r) {
        return act<worker_id>(operation::victim_of, r, 0, [&] { return at(r).victim; }, freedom::free);
    }
    bool take_job() {
        return act<bool>(operation::take_job, own_number(), 0, [&] {
            const std::optional<task_id> j = takes_jobs() ? first_job() : std::nullopt;
            if (j) own().deque.push_back(*j);
            return j.has_value();
        });
    }
    bool jobs_waiting() {
        return act<bool>(
            operation::jobs_waiting, 0, 0, [&] { return takes_jobs() && !s_.shared.jobs.empty(); },
            free_if(!s_.shared.jobs_may_come));
    }
    std::optional<task_id> draw_job() {
        return act<std::optional<task_id>>(operation::draw_job, own_number(), 0, [&] { return first_job(); });
    }
    void put_back_job(task_id j) {
        act(operation::put_back_job, own_number(), j, [&] { s_.shared.jobs.insert(s_.shared.jobs.begin(), j); });
    }
    void send_job(request_id r, task_id j) {
        act(operation::hand_over_job, r, j, [&] { put_answer(r, {j}); });
    }

protected:
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
    member& own() const noexcept { return s_.shared.workers[s_.self]; }
    own_request& at(request_id r) const noexcept {
        return s_.shared.workers[protocol::thief_of(r)].requests[protocol::slot_of(r)];
    }
    debts& debt() const noexcept { return s_.shared.owed[s_.self]; }
    [[nodiscard]] std::uint32_t own_number() const noexcept { return s_.self; }
    [[nodiscard]] std::uint32_t worker_count() const noexcept { return s_.shared.size; }
    [[nodiscard]] bool is_thief_of(request_id r) const noexcept { return protocol::thief_of(r) == s_.self; }
    void require_letter(request_id r) const {
        if (at(r).letter_holder != s_.self) violated("I6", "a letter is used by somebody who does not hold it");
    }

private:
    void take_in(std::vector<task_id>& answer) {
        if (!own().deque.empty()) violated("I5", "tasks are received into a deque that is not empty");
        own().deque.swap(answer);
        if (own().isolated) own().held = static_cast<std::uint32_t>(own().deque.size());  // they come from elsewhere
    }
    std::vector<task_id> oldest(protocol::amount a) {
        auto& mine = own().deque;
        if (mine.empty()) violated("I2", "a request is to be answered and there is nothing to give");
        const std::size_t count = a == protocol::amount::half ? (mine.size() + 1) / 2 : 1;
        const auto end = mine.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<task_id> given(mine.begin(), end);
        mine.erase(mine.begin(), end);
        own().held -= std::min(own().held, static_cast<std::uint32_t>(count));
        return given;
    }
    [[nodiscard]] bool takes_jobs() const {
        if (s_.outside) return true;
        return !own().isolated && (!s_.shared.is_to_go(s_.self) || own().lends_a_hand == hand::offered);
    }
    std::optional<task_id> first_job() {
        auto& jobs = s_.shared.jobs;
        if (jobs.empty()) return std::nullopt;
        const task_id j = jobs.front();
        jobs.erase(jobs.begin());
        return j;
    }
};

}  // namespace parley::inline v0::sim
