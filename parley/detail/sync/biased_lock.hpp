// A lock that costs its usual owner two plain stores. One thread takes and releases it all the time, others hardly
// ever.
//
// 1. The owner says that it is inside, then looks whether anybody wants the lock.
// 2. Another thread says that it wants the lock, then looks whether the owner is inside.
// 3. Both need a barrier between their two steps. The owner leaves its barrier out; the other thread has the kernel put
//    one into every thread of the process (membarrier(2)).
// 4. Wherever the owner was at that moment, either its store is visible afterwards, or its later look sees the wish.
#pragma once

#include <parley/detail/base/compiler_fence.hpp>
#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <mutex>

namespace parley::inline v0::sync {

// Prepares the process for barrier_in_all_threads(). False: the system has no such barrier.
[[nodiscard]] bool have_barrier_in_all_threads() noexcept;
void barrier_in_all_threads() noexcept;

class biased_lock {
public:
    // For the owner. False: somebody else has the lock or wants it.
    [[nodiscard, gnu::always_inline]] bool try_enter() noexcept {
        inside_.store(true, std::memory_order_relaxed);
        base::compiler_fence();
        // Acquire: pairs with the release of use_if_left().
        if (!is_wanted_.load(std::memory_order_acquire)) [[likely]]
            return true;
        inside_.store(false, std::memory_order_release);
        return false;
    }
    // For the owner, after try_enter() has failed. Waits for the others.
    void enter() noexcept {
        const std::scoped_lock guard(others_);
        inside_.store(true, std::memory_order_relaxed);
    }
    // For the owner. A look that follows is not done before the store. Release: pairs with the acquire of
    // use_if_left().
    [[gnu::always_inline]] void leave() noexcept {
        inside_.store(false, std::memory_order_release);
        base::compiler_fence();
    }

    // For any thread. The answer may be old.
    [[nodiscard]] bool is_inside() const noexcept { return inside_.load(std::memory_order_relaxed); }

    // For any other thread. Calls f() if the owner is not inside. False: the owner is inside. Then the owner leaves
    // after the barrier, so a look that it takes after leaving sees what was done before this call.
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
    atomic<bool> inside_{false};
    atomic<bool> is_wanted_{false};
    std::mutex others_;  // one other thread at a time, and the owner if try_enter() has failed
};

}  // namespace parley::inline v0::sync
