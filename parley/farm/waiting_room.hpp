// Tasks and threads wait here for what happens under a mutex. Workers work meanwhile.
#pragma once

#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/errors.hpp>
#include <parley/farm/held_back.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace parley::inline v0::streaming {

class waiting_room {
public:
    // Workers of `home` wait as workers. Those of other runtimes wait as visitors, and their own runtime goes on
    // meanwhile (runtime/visiting.hpp). A thread that is no worker just sleeps, because it would have to end any task
    // that it begins.
    explicit waiting_room(threading::pool& home) noexcept : home_(home) {}

    // The mutex is held before and after, and when the condition is looked at. A worker whose runtime is cancelled
    // throws `cancelled`, because what it waits for may have been dropped.
    template <class Condition>
    void wait(std::unique_lock<std::mutex>& lock, const Condition& condition) {
        if (condition()) return;
        if (threading::worker* const self = threading::worker_in(home_)) {
            wait_as(*self, lock, condition);
            return;
        }
        if (threading::innermost != nullptr) {
            wait_as_visitor(lock, condition);
            return;
        }
        ++outside_;
        news_.wait(lock, condition);
        --outside_;
    }

    // Called with the mutex held, after a condition may have come true. Costs nothing when nobody waits.
    void notify() noexcept {
        for (const std::uint32_t who : workers_) home_.notify(who);
        if (outside_ != 0) news_.notify_all();
    }

private:
    // The mutex is not held while the thread comes in and goes, because it may run tasks then.
    template <class Condition>
    void wait_as_visitor(std::unique_lock<std::mutex>& lock, const Condition& condition) {
        do {
            lock.unlock();
            const struct at_end {
                std::unique_lock<std::mutex>& lock;
                ~at_end() { lock.lock(); }
            } relock{lock};
            const threading::seated here(home_);
            std::list<held_back> older;  // also in the other runtimes that the thread is in
            for (threading::worker* w = here.self().outer(); w != nullptr; w = w->outer()) older.emplace_back(*w);
            std::unique_lock meanwhile(*lock.mutex());
            wait_as(here.self(), meanwhile, condition);
        } while (!condition());
    }

    template <class Condition>
    void wait_as(threading::worker& self, std::unique_lock<std::mutex>& lock, const Condition& condition) {
        const std::uint32_t me = threading::waiter_number(self.id());
        workers_.push_back(me);
        std::mutex& mutex = *lock.mutex();
        // Again, if another thread was faster between the look and the lock.
        do {
            lock.unlock();
            const held_back older(self);
            const auto may_go_on = [&self, &mutex, &condition] {
                const std::scoped_lock guard(mutex);
                return self.cancelling() || condition();
            };
            threading::wait_until(self, may_go_on, threading::awaited::stream);
            lock.lock();
        } while (!self.cancelling() && !condition());
        workers_.erase(std::find(workers_.begin(), workers_.end(), me));
        if (!condition()) throw cancelled{};
    }

    threading::pool& home_;
    std::vector<std::uint32_t> workers_;  // their numbers as waiters
    std::size_t outside_ = 0;
    std::condition_variable news_;
};

}  // namespace parley::inline v0::streaming
