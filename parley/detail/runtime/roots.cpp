// The run() calls of a pool, and how they are cancelled.
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/errors.hpp>

#include <cerrno>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

// Only what a signal handler may do: no lock, no memory, and errno stays.
void pool::cancel() noexcept {
    if (!cancellation_.request()) return;
    const int saved = errno;
    // Also those who sleep and wait for what nobody will do now.
    for (protocol::worker_id id = 0; id < seats(); ++id) at(id).raise_and_wake(bits::cancel | bits::news);
    if (cancellation_.told()) lower_cancel();
    errno = saved;
}

void pool::root_begins() {
    // Waiting until it is over could be waiting for ever: the cancelled run() may wait for this one.
    if (!cancellation_.root_begins()) throw cancelled{};
}

void pool::root_ends() noexcept {
    if (cancellation_.root_ends()) lower_cancel();
}

// One that the canceller may not have found. seq_cst: either it has, or this one finds it at work.
void pool::hear_of_cancellation(worker& fresh) noexcept {
    if (!cancellation_.joins()) return;
    fresh.shown.attention.raise(bits::cancel);
    root_ends();
}

void pool::lower_cancel() noexcept {
    for (protocol::worker_id id = 0; id < seats(); ++id) at(id).shown.attention.lower(bits::cancel);
    cancellation_.taken_back();
}

}  // namespace parley::inline v0::threading
