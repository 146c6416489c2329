// The threads of a pool: those of its own workers, and those that work in the place of workers that block. Any thread
// may touch this: the thread that brings the first task starts them, a thread that blocks lends its place.
#pragma once

#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/role.hpp>

#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace parley::inline v0::threading {

class pool;
class worker;

class crew {
public:
    explicit crew(pool& home) noexcept : home_(home) {}
    crew(const crew&) = delete;
    crew& operator=(const crew&) = delete;

    // Starts the threads once. If that fails it throws, and the next caller tries again.
    void start();
    [[nodiscard]] bool has_started() const noexcept { return running_; }
    // Called at the end, when all threads have been told to stop.
    void join() noexcept;

    // A worker that blocks calls this, so that another thread may work in its place (stand_ins.cpp).
    void lend_place() noexcept;
    void take_back_place() noexcept;
    // Called for a wait that may need the result of a job that no worker takes. Makes sure that there is a worker that
    // takes jobs.
    void require_takers() noexcept;
    [[nodiscard]] bool has_takers() const noexcept { return has_takers_.get(); }
    // Is this worker, whose number is not among the active ones, to stop working?
    [[nodiscard]] bool must_go(const worker& self) const noexcept;

    // The role of the sleeper that looks after the others (watchdog.hpp).
    [[nodiscard]] sync::role& watch() noexcept { return watch_; }
    [[nodiscard]] sync::role& deputy() noexcept { return deputy_; }

private:
    static void work_as(worker& self) noexcept;
    [[nodiscard]] pthread_t start_thread_of(worker& self);
    void start_stand_in();

    pool& home_;
    std::once_flag started_;
    std::vector<pthread_t> threads_;  // written under started_
    bool running_ = false;            // written under started_
    std::mutex mutex_;
    std::vector<pthread_t> stand_ins_;         // under mutex_
    std::vector<worker*> standing_in_;         // the workers that these threads are; under mutex_
    sync::shared_counter lent_;                // the number of workers that block and have lent their place
    sync::published<bool> has_takers_{false};  // there is a thread that stands in
    sync::role watch_, deputy_;
};

}  // namespace parley::inline v0::threading
