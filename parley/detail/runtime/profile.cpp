// What the time of workers went to (options::profile).
//
// All but queueing is measured where it happens. That reads the processor's counter twice a steal and a few times a
// request. To put a task into the own deque and to take it out again takes less time than to read the counter. So what
// both take on this machine is measured once, and multiplied by the number of tasks.
#include <parley/detail/runtime/profile.hpp>

#include <parley/detail/base/compiler_fence.hpp>
#include <parley/detail/driver/deque.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/trace/crash.hpp>
#include <parley/detail/trace/recorder.hpp>
#include <parley/detail/trace/recording.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace parley::inline v0::threading {

namespace {

// Returns the least of several rounds, because all else on the machine makes a round longer.
double seconds_to_queue_a_task() {
    using clock = std::chrono::steady_clock;
    constexpr int rounds = 20, tasks_each = 1000;
    deque d;
    task t{};
    double shortest = 1;
    for (int r = 0; r < rounds; ++r) {
        const auto begin = clock::now();
        for (int i = 0; i < tasks_each; ++i) {
            (void)d.push(&t);
            base::compiler_fence();  // as a thief in a signal handler would see it
            (void)d.pop();
            base::compiler_fence();
        }
        shortest = std::min(shortest, std::chrono::duration<double>(clock::now() - begin).count() / tasks_each);
    }
    return shortest;
}

}  // namespace

// Worker 0 is idle while nobody sits there.
void record_visit(worker& self, bool begins) noexcept {
    trace::recording* const all = self.home().recording();
    if (all == nullptr || self.id() != 0) return;
    trace::recorder& of_worker_0 = all->of(0);
    const uninterrupted here(self.own_part().signals);
    if (begins && of_worker_0.has_timeline()) trace::prepare_to_crash();
    self.note(begins ? trace::happening::run_begins : trace::happening::run_ends);
    (void)of_worker_0.turn_to(begins ? trace::activity::running : trace::activity::idle);
}

std::vector<worker_times> pool::times() const {
    std::vector<worker_times> all;
    if (!settings_.profile) return all;
    static const double each = seconds_to_queue_a_task();
    for (protocol::worker_id id = 0; id < size(); ++id) {
        using trace::activity;
        const auto spent = recording_->spent(id);
        const auto of = [&](activity a) { return spent[static_cast<std::size_t>(a)]; };
        const double busy = of(activity::running);
        const double queueing = std::min(busy, each * static_cast<double>(at(id).tasks_run()));
        all.push_back(
            {busy - queueing, queueing, of(activity::moving_tasks), of(activity::moving_requests), of(activity::idle)});
    }
    return all;
}

// Called at the end of a process and of a runtime, where an exception would end the program.
void pool::show_times() const noexcept {
    if (!shows_times_ || recording_ == nullptr) return;
    try {
        std::string text = "parley: what the time of a runtime with " + std::to_string(size()) +
                           " workers went to, in percent\n"
                           "  worker  seconds  running  queueing  moving tasks  moving requests   idle\n";
        protocol::worker_id id = 0;
        for (const worker_times& t : times()) {
            const double whole = t.running + t.queueing + t.moving_tasks + t.moving_requests + t.idle;
            const double each = whole > 0 ? 100 / whole : 0;
            char line[120];
            std::snprintf(line, sizeof line, "  %6u  %7.3f  %7.1f  %8.1f  %12.1f  %15.1f  %5.1f\n", id++, whole,
                          each * t.running, each * t.queueing, each * t.moving_tasks, each * t.moving_requests,
                          each * t.idle);
            text += line;
        }
        std::fputs(text.c_str(), stderr);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): there is no memory for it
    }
}

}  // namespace parley::inline v0::threading
