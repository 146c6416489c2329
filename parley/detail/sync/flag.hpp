// A flag, and a pointer that is installed once.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>

namespace parley::inline v0::sync {

class flag {
public:
    // Relaxed: a hint that is looked at often. Data that must be ordered goes through a channel.
    [[nodiscard]] bool is_up() const noexcept { return up_.load(std::memory_order_relaxed); }
    // Acquire: pairs with take_down(), for a thread that goes on after another has taken the flag down.
    [[nodiscard]] bool is_down_acquire() const noexcept { return !up_.load(std::memory_order_acquire); }

    // True for the one caller that found the flag down. acq_rel: the losers are ordered after the winner.
    bool put_up() noexcept { return !up_.exchange(true, std::memory_order_acq_rel); }
    // True for the one caller that found the flag up. acq_rel: that caller sees what was done before the flag went up.
    bool lower() noexcept { return up_.exchange(false, std::memory_order_acq_rel); }
    // Release: a thread that sees is_down_acquire() sees what was done before this.
    void take_down() noexcept { up_.store(false, std::memory_order_release); }

private:
    atomic<bool> up_{false};
};

template <class T>
class installed_once {
public:
    // Acquire: pairs with install(), so the object is constructed.
    [[nodiscard]] T* get() const noexcept { return pointer_.load(std::memory_order_acquire); }

    // Null on success. Otherwise what another thread has installed before, and the caller keeps its own. `instead_of`:
    // an installed object that is no longer good.
    [[nodiscard]] T* install(T* mine, T* instead_of = nullptr) noexcept {
        T* seen = instead_of;
        return pointer_.compare_exchange_strong(seen, mine, std::memory_order_acq_rel, std::memory_order_acquire) ? nullptr
                                                                                                                  : seen;
    }

private:
    atomic<T*> pointer_{nullptr};
};

}  // namespace parley::inline v0::sync
