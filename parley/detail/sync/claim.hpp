// The claim word: a small state that several parties change, at most one of them successfully.
#pragma once

#include <atomic>
#include <type_traits>

namespace parley::inline v0::sync {

template <class State>
    requires std::is_enum_v<State>
class claim {
public:
    explicit claim(State initial) noexcept : state_(initial) {}

    // Acquire: pairs with the release of whoever set the state, so that what goes with the state
    // (a request's wish, a first exception) may be read.
    [[nodiscard]] State get() const noexcept { return state_.load(std::memory_order_acquire); }

    // For the one party that owns the word in its present state. Release: see get().
    void set(State next) noexcept { state_.store(next, std::memory_order_release); }

    // One of all who try it wins. acq_rel: the winner sees what the setter of `from` did, and
    // whoever reads `to` sees what the winner did before. Acquire on failure: a loser may act on
    // what the winner did (a thief that comes too late to withdraw its request).
    [[nodiscard]] bool move(State from, State to) noexcept {
        return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire);
    }

private:
    std::atomic<State> state_;
};

}  // namespace parley::inline v0::sync
