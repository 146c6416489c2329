#include "lab/command/sim/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <lab/sim/timed/report.hpp>
#include <utility>

#include "command/signals.hpp"
#include "command/usage.hpp"
#include "lab/command/plot.hpp"

namespace parley_cli {
namespace {

constexpr std::chrono::milliseconds patience{300};

void say(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
}

}  // namespace

sim_session::sim_session(const sim_plan& plan) : plan_(plan) {
    if (!plan.picture.folder.empty()) {
        require_drawable("parley sim", sweeps(), plan.picture.folder);
        require_plotting("parley sim", plan.picture.folder);
    }
    if (!plan.json_file.empty()) lines_.emplace(plan.json_file);
}

int sim_session::run() {
    std::unique_lock speaks(speaks_);
    signal_watcher::actions actions;
    actions.interrupt = [this] { is_interrupted_ = true; };
    actions.give_up = [this] {
        // Else the last word is being said, or something drawn or written that nobody takes: not to be waited for.
        if (speaks_.try_lock_for(patience)) say_interrupted();
        std::_Exit(exit_status::was_interrupted);  // the run goes on: nothing can be destroyed
    };
    actions.is_writing = [this, is_told = false]() mutable {
        if (!plan_.writes->load()) return false;
        if (!is_told) fmt::print(stderr, "parley sim: writes a file to its end; interrupt again to leave it unfinished\n");
        is_told = true;
        return true;
    };
    actions.dump = [this] { fmt::print(stderr, "parley sim: in run {} of {}\n", in_run_.load() + 1, plan_.runs); };
    const signal_watcher watcher(std::move(actions));
    try {
        // Standard output is either for people or for JSON.
        if (plan_.json_file != "-") say(plan_.head);
        for (std::size_t i = 0; i < plan_.runs; ++i) run_one(i, speaks);
    } catch (const parley::sim::timed::stopped&) {
        say_interrupted();
        return exit_status::was_interrupted;
    }
    if (lines_) lines_->finish();
    if (!plan_.picture.folder.empty()) plot(sweeps(), drawn_, plan_.picture.folder);
    return status_;
}

void sim_session::say_interrupted() {
    if (lines_) lines_->append(plan_.interrupted_line(in_run_));
    if (plan_.json_file != "-") say(fmt::format("interrupted in run {} of {}\n", in_run_.load() + 1, plan_.runs));
}

sim_outcome sim_session::outcome_of(std::size_t i, std::unique_lock<std::timed_mutex>& speaks) {
    // Locked again before anybody hears of it, also by an exception.
    struct silence {
        std::unique_lock<std::timed_mutex>& lock;
        explicit silence(std::unique_lock<std::timed_mutex>& held) : lock(held) { lock.unlock(); }
        ~silence() { lock.lock(); }
    } const while_it_runs(speaks);
    return plan_.run(i, [this] { return is_interrupted_.load(); });
}

void sim_session::run_one(std::size_t i, std::unique_lock<std::timed_mutex>& speaks) {
    in_run_ = i;
    const sim_outcome found = outcome_of(i, speaks);
    if (lines_) {
        for (const std::string& line : found.lines) lines_->append(line);
    }
    if (!plan_.picture.folder.empty()) {
        for (const std::string& line : found.lines) {
            auto with = parley_programs::json::parse(line);
            with["swept"] = plan_.picture.points[i];
            drawn_.push_back(with.dump());
        }
    }
    if (plan_.json_file != "-") say(found.text);
    if (!found.problem.empty()) {
        fmt::print(stderr, "parley sim: {}\n", found.problem);
        status_ = exit_status::failed;
    }
}

}  // namespace parley_cli
