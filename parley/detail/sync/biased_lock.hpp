// A lock that costs its usual owner two plain stores.
//
// One thread takes and releases it all the time, others hardly ever. The owner says that it is inside and then looks
// whether anybody wants it; who wants it says so and then looks whether the owner is inside. Between the two steps there
// must be a barrier on both sides. The owner leaves it out; who wants the lock has the kernel put one into every thread
// of the process (membarrier(2)): wherever the owner was then, either its store is visible afterwards, or its look, which
// comes later, sees what is wanted.
#pragma once

#include <parley/detail/sync/compiler_fence.hpp>

#include <atomic>
#include <mutex>

namespace parley::inline v0::sync {

// Prepares the process for barrier_in_all_threads(). False: the system has none.
[[nodiscard]] bool have_barrier_in_all_threads() noexcept;
void barrier_in_all_threads() noexcept;

class biased_lock {
public:
    // Owner. False: somebody else has it, or wants it.
    [[nodiscard, gnu::always_inline]] bool try_enter() noexcept {
        inside_.store(true, std::memory_order_relaxed);
        compiler_fence();
        // Acquire: pairs with the release of use_if_left().
        if (!is_wanted_.load(std::memory_order_acquire)) [[likely]]
            return true;
        inside_.store(false, std::memory_order_release);
        return false;
    }
    // Owner, after that.
    void enter() noexcept {
        const std::scoped_lock guard(others_);
        inside_.store(true, std::memory_order_relaxed);
    }
    // Owner. A look that follows is not done before. Release: pairs with the acquire of use_if_left().
    [[gnu::always_inline]] void leave() noexcept {
        inside_.store(false, std::memory_order_release);
        compiler_fence();
    }

    // Anybody, at a glance.
    [[nodiscard]] bool is_inside() const noexcept { return inside_.load(std::memory_order_relaxed); }

    // Anybody else: f() if the owner is not inside. False: it is. Then it has not left before the barrier, so that a look
    // that it takes after leaving sees what was done before this call.
    template <class F>
    bool use_if_left(const F& f) noexcept {
        const std::scoped_lock guard(others_);
        is_wanted_.store(true, std::memory_order_relaxed);
        barrier_in_all_threads();
        const bool is_free = !inside_.load(std::memory_order_acquire);
        if (is_free) f();
        is_wanted_.store(false, std::memory_order_release);
        return is_free;
    }

private:
    std::atomic<bool> inside_{false};
    std::atomic<bool> is_wanted_{false};
    std::mutex others_;  // one at a time, and the owner when it has found that there are any
};

}  // namespace parley::inline v0::sync
