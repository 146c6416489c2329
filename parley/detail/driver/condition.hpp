// The conditions of wait_loop(): each says whether a wait is over.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

struct suspended_wait;

// may_hold() is called after each task and must be cheap. If it returns false, the condition does not hold, or its end
// raises this worker's attention word.
template <class C>
concept condition = requires(C c) {
    { c() } -> std::same_as<bool>;
    { c.may_hold() } -> std::same_as<bool>;
};

// cause() names what the wait is for (suspended_wait::cause), or is null.
template <class C>
concept condition_with_cause = requires(C c) {
    { c.cause() } -> std::same_as<const void*>;
};
// is_suspended() prepares the condition for the time in which its wait is suspended, and is called again after that.
template <class C>
concept condition_that_is_suspended = requires(C c) { c.is_suspended(true); };

// Such a condition holds from the time `last` on, without anybody's doing.
template <class C>
concept condition_with_deadline = requires(C c) { c.last; };

// A helper waits until a suspended wait can go on (suspended_waits.hpp).
template <class Host>
struct another_can_go_on {
    Host of;
    suspended_wait* found = nullptr;
    bool operator()() {
        found = of.suspended().ready(of.news_seen());
        return found != nullptr;
    }
    // Waits without a cause are looked at after tasks that may have ended something. The tasks of one scope are many
    // and small, so a look follows some of them. A look follows each other task.
    bool may_hold() {
        if (of.suspended().has_to_look(of.news_seen())) return true;
        if (!of.suspended().any_without_cause()) return false;
        const std::uint64_t before = std::exchange(group, of.group());
        return group == 0 || group != before || ++looked % tasks_per_look == 0;
    }
    static constexpr unsigned tasks_per_look = 16;
    std::uint64_t group = 0;
    unsigned looked = 0;
};

template <class C>
inline constexpr bool is_of_a_helper = false;
template <class Host>
inline constexpr bool is_of_a_helper<another_can_go_on<Host>> = true;

}  // namespace parley::inline v0::threading
