// SIGINT, SIGTERM and SIGHUP end a run politely, SIGUSR2 asks what it is doing: seen by a thread of its
// own, so that no code runs inside a signal handler.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace parley_cli {

// Before any thread starts: threads inherit it, and signals then wait for the watcher.
void block_watched_signals();

class signal_watcher {
public:
    struct actions {
        std::function<void()> interrupt;  // called again and again until the run has ended
        std::function<void()> give_up;    // the run did not end: called once, must not return
        // May be empty. True: what was done is being written, which ends by itself; given up only at another signal.
        std::function<bool()> is_writing = {};
        std::function<void()> dump;
        std::function<void()> tick;  // every tick_every, if that is not zero
        std::chrono::milliseconds tick_every{0};
    };

    explicit signal_watcher(actions what);

    // The run has ended, one way or the other; after this there is no more call.
    ~signal_watcher();

    signal_watcher(const signal_watcher&) = delete;
    signal_watcher& operator=(const signal_watcher&) = delete;

private:
    void watch();
    [[nodiscard]] bool is_to_wait_for_writing();
    void wait_for_the_end();

    actions what_;
    int signals_;
    int ended_;
    std::thread thread_;
};

}  // namespace parley_cli
