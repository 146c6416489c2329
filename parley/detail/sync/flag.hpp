// Small shared facts: a flag that goes up once, and a pointer that is installed once.
#pragma once

#include <atomic>

namespace parley::inline v0::sync {

class flag {
public:
    // Relaxed: a hint that is looked at often; what must be ordered goes through a channel.
    [[nodiscard]] bool is_up() const noexcept { return up_.load(std::memory_order_relaxed); }
    // True for the one caller that found it down. acq_rel: the losers are ordered after the winner.
    bool put_up() noexcept { return !up_.exchange(true, std::memory_order_acq_rel); }
    // Release and acquire: who sees it down sees what was done before it was taken down.
    void take_down() noexcept { up_.store(false, std::memory_order_release); }
    // The same for one who then looks at something that is set before this flag is put up. True for the one caller
    // that found it up.
    bool lower() noexcept { return up_.exchange(false, std::memory_order_acq_rel); }
    [[nodiscard]] bool is_down() const noexcept { return !up_.load(std::memory_order_acquire); }

private:
    std::atomic<bool> up_{false};
};

template <class T>
class installed_once {
public:
    // Acquire: pairs with install(): the object is constructed.
    [[nodiscard]] T* get() const noexcept { return pointer_.load(std::memory_order_acquire); }

    // Null on success; else what another has installed before, and the caller keeps its own.
    // `instead_of`: what has been installed and is no longer good.
    [[nodiscard]] T* install(T* mine, T* instead_of = nullptr) noexcept {
        T* seen = instead_of;
        return pointer_.compare_exchange_strong(seen, mine, std::memory_order_acq_rel, std::memory_order_acquire) ? nullptr
                                                                                                                  : seen;
    }

private:
    std::atomic<T*> pointer_{nullptr};
};

}  // namespace parley::inline v0::sync
