// The root tasks of a pool: how they are cancelled, and what tasks that nobody awaits have thrown. Any thread may touch
// this. A signal handler may call cancel().
#pragma once

#include <parley/detail/sync/cancellation.hpp>
#include <parley/detail/sync/flag.hpp>

#include <exception>
#include <mutex>

namespace parley::inline v0::threading {

class pool;
class worker;

class roots {
public:
    explicit roots(pool& home) noexcept : home_(home) {}

    // Called when a root task begins and when it ends. In between cancel() has an effect: all tasks leave by
    // `cancelled`. A root task that begins while others are being cancelled throws `cancelled` at once.
    void begins();
    void ends() noexcept;
    // A signal handler may call this.
    void cancel() noexcept;
    // For a worker that was just made, which cancel() may have missed.
    void hear_of_cancellation(worker& fresh) noexcept;
    // No thread is between begins() and ends().
    [[nodiscard]] bool are_left_alone() const noexcept { return cancellation_.is_left_alone(); }

    // Keeps what a task that nobody awaits has thrown, if it is the first one since the last barrier.
    void keep_failure(std::exception_ptr failure) noexcept;
    // The first function throws what was kept, the second one writes it to standard error. Both forget it.
    void throw_what_was_kept();
    void show_what_was_kept() noexcept;

private:
    void lower_cancel() noexcept;

    pool& home_;
    sync::cancellation cancellation_;
    sync::flag failed_;
    std::mutex failure_mutex_;
    std::exception_ptr failure_;  // under failure_mutex_
};

}  // namespace parley::inline v0::threading
