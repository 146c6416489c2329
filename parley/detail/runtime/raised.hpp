// The condition of a wait that ends with a bit of the worker's own attention word. The worker that waits looks at it.
#pragma once

#include <parley/detail/driver/states.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/worker.hpp>

namespace parley::inline v0::threading {

struct raised {
    const worker* self;
    protocol::bits::word which;
    awaited awaits;
    bool operator()() const noexcept { return self->is_wanted_for(which); }
    // A bit of the attention word ends the wait, so nothing else need be looked at.
    bool may_hold() const noexcept { return false; }
};

}  // namespace parley::inline v0::threading
