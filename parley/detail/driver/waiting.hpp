// The state of one wait, which the parts of the wait loop hand on to each other.
#pragma once

#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/idle.hpp>
#include <parley/detail/protocol/requesting.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// The number of waits on top of each other that use about 100 KiB of stack, if their tasks need little.
inline constexpr std::uint32_t deepest_on_one_stack = 256;

template <host Host, condition Condition>
struct waiting {
    waiting(protocol::standing here, Condition& what) noexcept : where(here), done(what), noted(what) {}

    const protocol::standing where;
    Condition& done;
    idle<Host> idleness;
    typename Host::noted noted;
};

// May this wait be suspended, so that others go on?
template <host Host>
[[nodiscard]] bool may_let_go_of_stack(Host h) noexcept {
    return !h.is_isolated() && h.may_switch();
}

// Do so many waits lie on this stack that further tasks should begin on another one?
template <host Host>
[[nodiscard]] bool is_deep(Host h) noexcept {
    return h.depth() >= deepest_on_one_stack;
}

}  // namespace parley::inline v0::threading
