// The claim word: a small state that several threads try to change, and at most one of them does.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <type_traits>

namespace parley::inline v0::sync {

template <class State>
    requires std::is_enum_v<State>
class claim {
public:
    explicit claim(State initial) noexcept : state_(initial) {}

    // Acquire: pairs with the release of the thread that set the state. So the caller may read what goes with it (a
    // request's wish, a first exception).
    [[nodiscard]] State get() const noexcept { return state_.load(std::memory_order_acquire); }

    // For the one party that owns the word in its present state. Release: see get().
    void set(State next) noexcept { state_.store(next, std::memory_order_release); }

    // One of all threads that try it wins. acq_rel: the winner sees what the setter of `from` did. A reader of `to`
    // sees what the winner did before. Acquire on failure: a loser may act on what the winner did (e.g. a thief that is
    // too late to withdraw its request).
    [[nodiscard]] bool move(State from, State to) noexcept {
        return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire);
    }

private:
    atomic<State> state_;
};

}  // namespace parley::inline v0::sync
