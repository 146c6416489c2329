#include <parley/detail/runtime/roots.hpp>

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/errors.hpp>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

// This does only what a signal handler may do: it takes no lock, allocates nothing, and restores errno.
void roots::cancel() noexcept {
    if (!cancellation_.request()) return;
    const int saved = errno;
    // Workers that sleep are woken, too: nobody will do now what they wait for.
    for (protocol::worker_id id = 0; id < home_.seats().count(); ++id)
        home_.at(id).raise_and_wake(bits::cancel | bits::news);
    if (cancellation_.told()) lower_cancel();
    errno = saved;
}

void roots::begins() {
    // To wait until the cancellation is over could mean to wait for ever: the cancelled run() may wait for this one.
    if (!cancellation_.root_begins()) throw cancelled{};
}

void roots::ends() noexcept {
    if (cancellation_.root_ends()) lower_cancel();
}

// The canceller may not have found this worker. seq_cst: either it has found the worker, or this call finds the
// canceller at work.
void roots::hear_of_cancellation(worker& fresh) noexcept {
    if (!cancellation_.joins()) return;
    fresh.shared_part().attention.raise(bits::cancel);
    ends();
}

void roots::lower_cancel() noexcept {
    for (protocol::worker_id id = 0; id < home_.seats().count(); ++id)
        home_.at(id).shared_part().attention.lower(bits::cancel);
    cancellation_.taken_back();
}

// The mutex orders this with throw_what_was_kept(). After a barrier, too, a task may fail that a thread outside has
// spawned.
void roots::keep_failure(std::exception_ptr failure) noexcept {
    const std::scoped_lock guard(failure_mutex_);
    if (failure_ == nullptr) failure_ = std::move(failure);
    failed_.put_up();
}

void roots::throw_what_was_kept() {
    // A task has put up the flag before it was done. This worker knows by messages that the task is done.
    if (!failed_.is_up()) return;
    std::exception_ptr first;
    {
        const std::scoped_lock guard(failure_mutex_);
        first = std::exchange(failure_, nullptr);
        failed_.take_down();
    }
    if (first != nullptr) std::rethrow_exception(std::move(first));
}

void roots::show_what_was_kept() noexcept {
    try {
        throw_what_was_kept();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "parley: a task failed and no barrier() followed: %s\n", e.what());
    } catch (...) {
        std::fputs("parley: a task failed and no barrier() followed\n", stderr);
    }
}

}  // namespace parley::inline v0::threading
