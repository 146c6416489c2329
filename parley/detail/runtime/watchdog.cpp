#include <parley/detail/runtime/watchdog.hpp>

#include <parley/detail/driver/watching.hpp>
#include <parley/detail/runtime/interrupted_medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/counter.hpp>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::inline v0::threading {

namespace {

namespace bits = protocol::bits;

// SIGURG is ignored by default. So a signal that comes too late, to a thread that is no worker any more, does no harm.
// Programs hardly use it (it announces urgent data on sockets), debuggers pass it on, and it does not queue up.
constexpr int the_signal = SIGURG;

constinit struct sigaction chained{};               // the action that was there before
constinit sync::hint<bool> another_handler{false};  // another handler was found in place of this one
constinit char mark = 0;                            // its address tells the runtime's signals from others

constinit thread_local int number_of_this_thread = 0;

}  // namespace

// Runs on the interrupted worker's own thread. So only the order that the compiler keeps matters between the two.
void serve_interrupted(worker& self) noexcept {
    if (&self != innermost) return;
    if (!self.may_be_interrupted()) return self.own_part().note.leave();
    interrupted_medium medium(self);
    // Not where a loop lasts: its tasks may be short.
    if (self.own_part().tasks.size_when_interrupted() > 0 && self.own_part().loops.to_split() == nullptr &&
        self.watched_part().keeps_since.get() != 0)
        self.own_part().weighs.work.has_lasted(self.own_part().weighs.weight.worth_waking());
    self.watched_part().keeps_since.set(0);
    self.own_part().weighs.look.at_once_when_interrupted();
    machine_of(self).serve_interrupted(medium);
    self.show_whether_it_has_looked(medium.spare() > 0);
}

namespace {

void handle(int number, siginfo_t* info, void* context) {
    const int saved = errno;
    // The worker serves whether or not the signal is the runtime's. The kernel merges pending signals, and then the
    // mark is that of the first.
    if (worker* const self = current) {
        // By read-modify-writes. A thread that has found the flag up sends no signal, but has released what it wants. It
        // comes first in the flag's modification order, so the look below sees that.
        for (worker* w = innermost; w != nullptr; w = w->outer()) w->watched_part().called.lower();
        serve_interrupted(*self);
    }
    if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &mark) {
        errno = saved;
        return;
    }
    if ((chained.sa_flags & SA_SIGINFO) != 0) {
        chained.sa_sigaction(number, info, context);
    } else if (chained.sa_handler != SIG_DFL && chained.sa_handler != SIG_IGN) {
        chained.sa_handler(number);
    }
    errno = saved;
}

// Is this file's handler still installed? A program that has installed its own since then need not cope with the
// runtime's signals.
bool is_installed() noexcept {
    struct sigaction now{};
    sigaction(the_signal, nullptr, &now);
    return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &handle;
}

bool install() noexcept {
    sigaction(the_signal, nullptr, &chained);  // before the first signal can come
    struct sigaction mine{};
    mine.sa_sigaction = &handle;
    // Other signals wait meanwhile. Their handlers belong to the program, and must not run on top of this one.
    sigfillset(&mine.sa_mask);
    mine.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    return sigaction(the_signal, &mine, nullptr) == 0;
}

}  // namespace

void install_watchdog() { [[maybe_unused]] static const bool installed = install(); }

bool can_be_interrupted() noexcept {
    // Threads seldom change their masks, and a system call each time would be felt.
    constexpr unsigned times_per_look = 256;
    static constinit thread_local unsigned times = 0;
    static constinit thread_local bool is_open = false;
    if (times++ % times_per_look == 0) {
        sigset_t blocked;
        is_open = pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 && sigismember(&blocked, the_signal) == 0;
    }
    return is_open && !another_handler.get();
}

void accept_interruptions() noexcept {
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, the_signal);
    pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
}

int this_thread() noexcept {
    if (number_of_this_thread == 0) number_of_this_thread = static_cast<int>(syscall(SYS_gettid));
    return number_of_this_thread;
}

void forget_this_thread() noexcept { number_of_this_thread = 0; }

// If the thread is gone, or its number is another thread's, nothing happens.
bool interrupt(worker& sender, worker& whom) noexcept {
    const int thread = whom.watched_part().thread.get();
    if (thread == 0) return false;
    if (!is_installed()) {
        another_handler.set(true);
        return false;
    }
    if (!whom.watched_part().called.put_up()) return false;
    if (whom.watched_part().thread.get() != thread) {  // another thread sits there now, and has not been called
        whom.watched_part().called.take_down();
        return false;
    }
    siginfo_t info{};
    info.si_signo = the_signal;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = &mark;
    const int saved = errno;
    const bool sent = syscall(SYS_rt_tgsigqueueinfo, info.si_pid, thread, the_signal, &info) == 0;
    errno = saved;
    if (sent) sender.own_part().count.interrupts.add();
    else whom.watched_part().called.take_down();
    return sent;
}

void ask_to_be_watched(worker& self) noexcept { ask_to_be_watched(thread_host(self)); }

}  // namespace parley::inline v0::threading
