#include <parley/detail/trace/crash.hpp>

#include <parley/detail/trace/recording.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <unistd.h>
#include <utility>

namespace parley::inline v0::trace {

namespace {

constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, faults.size()> earlier;

// A fault happens again when the handler returns, and then goes to the handler that was there before. A signal that
// somebody has sent does not, so it is sent again.
void write_and_pass_on(int signal, siginfo_t* info, void* /*context*/) {
    const int error = errno;
    write_timelines(true);
    for (std::size_t i = 0; i < faults.size(); ++i)
        if (faults[i] == signal) (void)::sigaction(signal, &earlier[i], nullptr);
    if (info->si_code <= 0) (void)std::raise(signal);
    errno = error;
}

// These are sent by people, and by a system that shuts down. The process ends by the signal, so nothing that is
// interrupted goes on.
constexpr std::array ends{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

void write_and_end(int signal) {
    const int error = errno;
    write_timelines(true);
    struct sigaction by_default{};
    by_default.sa_handler = SIG_DFL;
    (void)::sigaction(signal, &by_default, nullptr);
    (void)std::raise(signal);  // delivered when this handler returns
    errno = error;
}

class handler_stack {
public:
    handler_stack() {
        stack_t now{};
        if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
        memory_.reset(new (std::nothrow) std::byte[size]);
        if (!memory_) return;
        now = {};
        now.ss_sp = memory_.get();
        now.ss_size = size;
        (void)::sigaltstack(&now, nullptr);
    }
    ~handler_stack() {
        if (!memory_) return;
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        (void)::sigaltstack(&none, nullptr);
    }
    handler_stack(const handler_stack&) = delete;
    handler_stack& operator=(const handler_stack&) = delete;

private:
    static constexpr std::size_t size = 64 * 1024;
    std::unique_ptr<std::byte[]> memory_;
};

}  // namespace

void write_when_crashing() {
    static std::once_flag done;
    std::call_once(done, [] {
        struct sigaction mine{};
        mine.sa_sigaction = &write_and_pass_on;
        mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
        // Signals that end the process wait until all is written.
        (void)::sigemptyset(&mine.sa_mask);
        for (const int signal : ends) (void)::sigaddset(&mine.sa_mask, signal);
        for (std::size_t i = 0; i < faults.size(); ++i) (void)::sigaction(faults[i], &mine, &earlier[i]);
        mine.sa_handler = &write_and_end;
        mine.sa_flags = SA_ONSTACK;
        if (::getpid() == 1) return;  // the first process of a container does not end by these signals
        for (const int signal : ends) {
            struct sigaction before{};
            if (::sigaction(signal, &mine, &before) != 0) continue;
            const bool is_default = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
            if (!is_default) (void)::sigaction(signal, &before, nullptr);
        }
    });
}

void prepare_to_crash() { static const thread_local handler_stack here; }

}  // namespace parley::inline v0::trace
