// A worker that is to go takes a job that none of the workers before it would take (driver/resizing.hpp). Here such a
// sleeper finds out whether it is needed for that. The sleeper itself calls this.
#pragma once

#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

// The first worker that is to go looks so often, while it sleeps, for jobs that nobody has taken. Those behind it look
// less often. An active worker that has not looked up for so long may be blocked. That time is long against most tasks.
// Beside a wait for a task that is as long it is nothing.
inline constexpr auto look_after_jobs_every = std::chrono::milliseconds(10);
inline constexpr auto others_look_every = std::chrono::milliseconds(160);
inline constexpr auto patience_with_active_workers = std::chrono::milliseconds(160);

// Will this worker take a job some time?
[[nodiscard]] inline bool will_take_a_job(const worker& other, bool had_time_to_look) noexcept {
    if (other.watched_part().thread.get() == 0 || other.watched_part().takes_no_jobs.get()) return false;
    const protocol::bits::word wanted = other.shared_part().attention.get();
    if ((wanted & sync::attention::asleep) != 0) return true;  // it looks after jobs itself, or is told of them
    if (other.is_to_go() && other.watched_part().lends_a_hand.get() == hand::no) return false;
    return !had_time_to_look || (wanted & protocol::bits::news) == 0;
}
[[nodiscard]] inline bool others_take_jobs(const worker& self, bool had_time_to_look) noexcept {
    for (protocol::worker_id id = 0; id < self.id(); ++id)
        if (will_take_a_job(self.home().at(id), had_time_to_look)) return true;
    return false;
}

// Called by a worker that is marked asleep. True: a job waits that none of the workers before it would take.
[[nodiscard]] inline bool sleep_until_needed(worker& self, thread_medium& medium, bool collects = false) noexcept {
    using clock = std::chrono::steady_clock;
    if (self.home().exchange().jobs.empty()) {
        if (!collects || !self.home().kept().leave_any_tasks()) medium.sleep_until_jobs();
        return false;
    }
    const auto pause = self.id() == self.home().active() ? look_after_jobs_every : others_look_every;
    for (;;) {
        for (protocol::worker_id id = 0; id < self.id(); ++id) {
            worker& other = self.home().at(id);
            if (!other.shared_part().attention.is_asleep())
                other.raise_and_wake(protocol::bits::news);  // it lowers the bit when it looks
        }
        const auto since = clock::now();
        bool is_late = false;
        while (!is_late) {
            if (self.home().exchange().jobs.empty()) return false;
            if (!others_take_jobs(self, false)) return true;
            if (medium.sleep_up_to(pause)) return false;
            is_late = clock::now() - since >= patience_with_active_workers;
        }
        if (!self.home().exchange().jobs.empty() && !others_take_jobs(self, true)) return true;
    }
}

// Collects tasks that threads leave in seats that they keep (kept_seats.cpp). Workers that sleep with a request out, or
// come by, get them first. If all of these are busy for long, or there are none, the tasks are for workers that are to
// go, as jobs are. False: the worker was woken.
[[nodiscard]] inline bool collect_after_others(worker& self, thread_medium& medium) noexcept {
    auto pause = self.id() == self.home().active() ? look_after_jobs_every : others_look_every;
    while (self.home().exchange().jobs.empty() && self.home().kept().leave_any_tasks()) {
        if (medium.sleep_until_jobs_up_to(pause)) return false;
        (void)self.home().kept().collect(self);
        pause = others_look_every;
    }
    return true;
}

}  // namespace parley::inline v0::threading
