#include <parley/detail/runtime/watchdog.hpp>

#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::inline v0::threading {

namespace {

namespace bits = protocol::bits;

// Ignored by default: one that comes too late, to a thread that is no worker any more, does no harm. Programs hardly
// use it (it announces urgent data on sockets), debuggers pass it on, and it does not queue up.
constexpr int the_signal = SIGURG;

// The first look comes with falling asleep; then after growing pauses, since whoever has not been answered for long
// can wait a little longer.
constexpr auto first_pause = std::chrono::microseconds(250);
constexpr auto longest_pause = std::chrono::milliseconds(16);
// Of those that are not in charge: in case whoever is has got work.
constexpr auto deputys_pause = std::chrono::milliseconds(50);

constinit struct sigaction chained{};  // what was there before
constinit char mark = 0;               // its address tells the runtime's signals from others

constinit thread_local int number_of_this_thread = 0;

// Runs on the interrupted worker's own thread: only the order that the compiler keeps matters between the two.
void serve_interrupted(worker& self) noexcept {
    for (worker* w = innermost; w != nullptr; w = w->outer) w->watched.called.take_down();
    if (&self != innermost || !self.may_be_interrupted()) return;
    interrupted_medium medium(self);
    machine_of(self).serve_interrupted(medium);
    self.show_whether_it_has_looked(medium.spare() > 0);
}

void handle(int number, siginfo_t* info, void* context) {
    const int saved = errno;
    // Whosever it is: the kernel merges signals that are pending, and the mark is that of the first.
    if (worker* const self = current) serve_interrupted(*self);
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

// A program that has installed its own handler since then need not cope with the runtime's signals.
bool is_installed() noexcept {
    struct sigaction now{};
    sigaction(the_signal, nullptr, &now);
    return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &handle;
}

bool install() noexcept {
    sigaction(the_signal, nullptr, &chained);  // before the first signal can come
    struct sigaction mine{};
    mine.sa_sigaction = &handle;
    // Other signals wait: their handlers belong to the program, and are not to run on top of this one.
    sigfillset(&mine.sa_mask);
    mine.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    return sigaction(the_signal, &mine, nullptr) == 0;
}

enum class duty : std::uint8_t {
    only_look,
    interrupt,
    insist,  // also where a signal should be on its way: one may be lost, and nobody would ever call again
};

// By the worker's own thread, whose next waits depend on how long it takes.
void interrupt_and_learn(worker& self, worker& whom) noexcept {
    const auto begin = std::chrono::steady_clock::now();
    if (interrupt(self, whom)) self.waits.has_interrupted(std::chrono::steady_clock::now() - begin);
}

// It is nobody's victim, but looks into the lobby. Between its words, and where it blocks, it may be anywhere.
bool works_in_kept_seat(const worker& w) noexcept {
    return w.keeps.get() && w.seat.is_inside() && w.does_now() != doing::parked;
}

// Is any other worker awake and somebody's victim? Interrupts, if that is its duty, those that should look.
bool look_after_others(worker& self, duty what) noexcept {
    bool any_awake = false;
    for (protocol::worker_id id = 0; id < self.home.seats(); ++id) {
        worker& other = self.home.at(id);
        if (&other == &self || other.watched.thread.get() == 0) continue;
        const bits::word wanted = other.shown.attention.get();
        if ((wanted & sync::attention::asleep) != 0) {
            any_awake = any_awake || (wanted & bits::waking) != 0;  // it has not got up yet
            continue;
        }
        if (other.shown.letters.is_closed() && !works_in_kept_seat(other)) continue;
        any_awake = true;
        if (what == duty::only_look || (wanted & bits::lobby) == 0 || other.watched.has_looked.get()) continue;
        if (what == duty::insist) other.watched.called.take_down();
        interrupt_and_learn(self, other);
    }
    return any_awake;
}

}  // namespace

void install_watchdog() { [[maybe_unused]] static const bool installed = install(); }

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

// Should the thread be gone, or its number another thread's, nothing happens.
bool interrupt(worker& sender, worker& whom) noexcept {
    const int thread = whom.watched.thread.get();
    if (thread == 0 || !is_installed() || !whom.watched.called.put_up()) return false;
    if (whom.watched.thread.get() != thread) {  // somebody else sits there now, who has not been called
        whom.watched.called.take_down();
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
    if (sent) sender.count.interrupts.add();
    else whom.watched.called.take_down();
    return sent;
}

void interrupt_those_who_do_not_look(worker& self) noexcept {
    if (self.home.watches()) (void)look_after_others(self, duty::interrupt);
}

void sleep_watching(worker& self, thread_medium& medium) noexcept {
    if (!self.home.watches()) return medium.sleep();
    sync::role& watch = self.home.watch;
    std::chrono::nanoseconds pause = first_pause;
    for (;;) {
        const bool in_charge = watch.take(self.id);
        const duty in_time = pause < longest_pause ? duty::interrupt : duty::insist;
        if (look_after_others(self, in_charge ? in_time : duty::only_look)) {
            if (medium.sleep_up_to(in_charge ? pause : deputys_pause)) break;
            if (in_charge) pause = std::min<std::chrono::nanoseconds>(2 * pause, longest_pause);
            continue;
        }
        watch.give_up(self.id);
        // Once more: whoever has got up meanwhile may have found somebody in charge.
        if (look_after_others(self, duty::only_look)) continue;
        medium.sleep();
        break;
    }
    watch.give_up(self.id);
}

void ask_to_be_watched(worker& self) noexcept {
    if (!self.home.watches()) return;
    self.watched.has_looked.set(false);
    if ((self.shown.attention.get() & bits::lobby) == 0 || self.home.watch.is_taken()) return;
    // Whoever is not asleep yet looks at this worker before it falls asleep.
    for (protocol::worker_id id = 0; id < self.home.seats(); ++id) {
        worker& other = self.home.at(id);
        if (!other.shown.attention.is_asleep() || other.shown.first.state.get() != protocol::request_state::resting)
            continue;
        other.raise_and_wake(bits::news);
        return;
    }
}

}  // namespace parley::inline v0::threading
