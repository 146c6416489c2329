#include <parley/detail/runtime/process_fork.hpp>

#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/counter.hpp>

#include <cstdint>
#include <new>
#include <pthread.h>

namespace parley::inline v0::threading {

namespace {

constinit sync::counter forks;  // its only writer is the only thread of a child

// Runs in the child, before fork() returns there.
void begin_child() noexcept {
    forks.add();
    current = innermost = seat_kept = nullptr;
    forget_this_thread();
}

}  // namespace

std::uint64_t forks_so_far() noexcept { return forks.get(); }

void count_forks() {
    static const int failed = pthread_atfork(nullptr, nullptr, &begin_child);
    if (failed != 0) throw std::bad_alloc();  // no other reason is possible
}

}  // namespace parley::inline v0::threading
