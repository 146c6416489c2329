// Leads a command: moves it to the cores that its allotment names, reports how long it has run, passes signals on.
#pragma once

#include <poll.h>

#include <broker/client/client.hpp>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>

#include "broker/command/confinement.hpp"
#include "broker/command/run_options.hpp"
#include "broker/command/started_command.hpp"

namespace parley_cli {

// What the client's thread says, for the thread that leads.
class broker_news {
public:
    struct state {
        std::optional<parley::broker::allotment> given;  // none: all cores
        parley::broker::feedback_page* page = nullptr;
        std::uint64_t changes = 0;  // of `given`
    };

    broker_news();
    ~broker_news();
    broker_news(const broker_news&) = delete;
    broker_news& operator=(const broker_news&) = delete;

    [[nodiscard]] parley::broker::client_calls calls();
    [[nodiscard]] int event() const { return event_; }  // can be read if there is news
    [[nodiscard]] state take();
    void wait_for_allotment(std::chrono::milliseconds longest);

private:
    template <class Change>
    void note(Change change);

    std::mutex mutex_;
    std::condition_variable changed_;
    state now_;
    int event_;
};

class leader {
public:
    explicit leader(const led_run& wanted);

    // Until the command ends; its exit status.
    [[nodiscard]] int lead();

private:
    void wait();
    void pass_signals_on();
    void bury();
    void follow();
    void look();
    void report(parley::broker::feedback_page& page) const;
    [[nodiscard]] bool looks() const;
    void tell_cores(const cpu_set_t& cores) const;

    const led_run& wanted_;
    sigset_t signals_{}, former_signals_{};
    cpu_set_t all_cores_{};
    std::optional<started_command> command_;
    int signal_file_ = -1;
    broker_news news_;
    broker_news::state told_;
    confinement confinement_;
    bool is_confined_ = false;
    std::optional<int> ended_;
    std::uint64_t time_of_the_dead_ = 0;
    std::uint64_t reported_ = 0;
    std::chrono::steady_clock::time_point next_look_{};
    std::chrono::nanoseconds sample_{0};
};

}  // namespace parley_cli
