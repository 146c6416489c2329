#include <parley/detail/runtime/thread.hpp>

#include <csignal>
#include <cstddef>
#include <system_error>

namespace parley::inline v0::threading {

pthread_t start_thread(std::size_t stack_size, void* argument, void* (*function)(void*)) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int error = stack_size == 0 ? 0 : pthread_attr_setstacksize(&attributes, stack_size);
    pthread_t thread{};
    if (error == 0) {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        // Signals that a thread causes itself stay open, and so does the profiler's. If they were blocked, they would
        // end the process without any handler, or go unnoticed.
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF}) sigdelset(&all, own);
        pthread_sigmask(SIG_SETMASK, &all, &before);  // a new thread inherits the mask
        error = pthread_create(&thread, &attributes, function, argument);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    pthread_attr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category(), "parley: no worker thread");
    return thread;
}

}  // namespace parley::inline v0::threading
