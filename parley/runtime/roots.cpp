// The run() calls of a pool, and how they are cancelled.
#include <parley/base/errors.hpp>
#include <parley/protocol/bits.hpp>
#include <parley/runtime/pool.hpp>

#include <cstdint>
#include <mutex>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

// A run() counts itself out and then looks at the flag; cancel() puts the flag up and then looks
// whether a run() is left. Both are seq_cst, so one of them sees the other: a cancellation is either
// ended by the last run() that it concerns, or does not begin.
void pool::cancel() noexcept {
    const std::scoped_lock guard(cancel_mutex_);
    if (cancelling_.own()) return;
    cancelling_.set(true);
    if (no_root_runs()) {
        cancelling_.set(false);
        return;
    }
    // Also those who sleep and wait for what nobody will do now.
    for (protocol::worker_id id = 0; id < size(); ++id)
        at(id).shown.attention.raise_and_wake(bits::cancel | bits::news);
}

// Those that ended are read first: equal numbers then mean that none ran at that moment.
bool pool::no_root_runs() const noexcept {
    const std::uint64_t ended = roots_ended_.get();
    return roots_.get() == ended;
}

void pool::root_begins() {
    roots_.add();
    if (!cancelling_.get()) return;
    // Waiting until it is over could be waiting for ever: the cancelled run() may wait for this one.
    root_ends();
    throw cancelled{};
}

void pool::root_ends() noexcept {
    roots_ended_.add();
    if (!cancelling_.get()) return;
    const std::scoped_lock guard(cancel_mutex_);
    if (!cancelling_.get() || !no_root_runs()) return;
    for (protocol::worker_id id = 0; id < size(); ++id) at(id).shown.attention.lower(bits::cancel);
    cancelling_.set(false);
}

}  // namespace parley::inline v0::threading
