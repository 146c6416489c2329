// Runs a program again and again, each time beside the serial program, and keeps what came out.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lab/command/result_check.hpp"
#include "lab/command/run_options.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

// What a measurement found, up to now or in all. Entry i of each list is of pair i.
struct measured {
    std::vector<double> seconds;
    std::vector<double> serial_seconds;
    std::vector<double> inlined_seconds;
    std::vector<std::vector<parley_peers::worker_times>> times;      // the same; empty ones without --profile
    std::vector<std::vector<parley_peers::worker_counts>> counts;    // by worker, of that run alone
    parley_programs::json tuning = parley_programs::json::object();  // of the scheduler, once it has run
    parley_programs::json result;                                    // of the last complete run; null before that
    std::string problem;                                             // the first result that was wrong, in words
    std::string running;                                             // what runs now, in words; empty if nothing
    parley_programs::json so_far;                                    // what it has found; null if it does not say
};

class measurement {
public:
    using clock = std::chrono::steady_clock;

    // `workers` is what the scheduler gets, decided by now.
    measurement(const run_options& options, unsigned workers);

    // Computes what is known of the result and makes the data first, which may take long. Throws
    // parley_programs::interrupted after interrupt().
    void run();

    // Any thread, while run() runs.

    // Asks what runs to leave. May be said again and again.
    void interrupt();
    [[nodiscard]] measured look() const;
    void dump(std::FILE* out) const;

    [[nodiscard]] const parley_programs::json& parameters() const noexcept { return parameters_; }
    [[nodiscard]] unsigned workers() const;

    // When run() has ended: whether facts from elsewhere, not only the serial program, say what the result must be.
    [[nodiscard]] bool has_known_facts() const noexcept { return has_known_facts_; }

private:
    enum class role { scheduler, serial, inlined };

    void prepare();
    void run_pair(bool scheduler_first);
    void run_one(role which);
    [[nodiscard]] bool worth_another(clock::time_point start) const;
    [[nodiscard]] std::string name_of(role which) const;

    const run_options& options_;
    unsigned workers_;
    parley_programs::json parameters_;
    bool has_known_facts_ = false;
    result_check check_{{}};

    mutable std::mutex mutex_;                   // held for moments only, never while a job is made or runs
    std::unique_ptr<parley_programs::job> job_;  // null until it has been made
    std::unique_ptr<parley_programs::job> serial_;
    std::unique_ptr<parley_programs::job> inlined_;  // null for most programs
    measured found_;
    parley_programs::job* current_ = nullptr;
    bool interrupted_ = false;
};

}  // namespace parley_cli
