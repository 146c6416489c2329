// One program on several schedulers, in turn with its serial form.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lab/command/result_check.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

// Fewer say nothing about a median.
constexpr unsigned least_rounds = 3;

struct contestant {
    std::string scheduler;
    unsigned workers = 1;
    std::unique_ptr<parley_programs::job> job;
    parley_programs::json tuning = parley_programs::json::object();
    // Entry i of each list is of round i.
    std::vector<double> seconds;
    std::vector<std::vector<parley_peers::worker_counts>> counts;
    parley_programs::json result;
    std::string problem;  // the first result that was wrong, in words
};

// In each round every contestant runs once, and so does the serial program, which begins in the first one. In n rounds
// of n, if that is odd in 2n, each follows each other one equally often: who always followed the serial program would
// lose, since a processor that has worked alone is slower than the other one for a while (docs/evidence/performance.md). For
// each round all make their data anew, in its order: whose data lay well by chance would win all rounds of a contest. A run
// begins when the threads of the one before have come to rest: some schedulers' workers spin for a while after their
// work, which would be the next one's loss.
class contest {
public:
    contest(const parley_programs::program& what, const parley_programs::request& wanted,
            const std::vector<std::string>& schedulers, const std::vector<unsigned>& workers,
            const parley_peers::tuning_choices& tuning = {});

    // Once. Computes what is known of the result and makes the data first, which may take long.
    // Without `rounds`: 15. No new one after so many seconds, but of the first 3; without `seconds`: after 12 for each
    // number of workers, or if `rounds` are given never. Throws parley_programs::interrupted after interrupt().
    void run(std::optional<unsigned> rounds, std::optional<unsigned> seconds = {});

    // Any thread, while run() runs.
    void interrupt();
    [[nodiscard]] std::string now() const;  // the run that is on, or was the last
    void dump(std::FILE* out) const;

    // While the lock is owned, the run that is on cannot end and what follows may be read. Not owned
    // if no run is on.
    [[nodiscard]] std::unique_lock<std::mutex> hold() const;

    // When run() has ended, or held. All have as many rounds, in an interrupted contest some of them one less.
    [[nodiscard]] const std::vector<contestant>& contestants() const noexcept { return all_; }
    [[nodiscard]] const contestant& serial() const noexcept { return serial_; }
    [[nodiscard]] const std::vector<double>& inlined_seconds() const noexcept { return inlined_form_.seconds; }
    [[nodiscard]] const parley_programs::program& what() const noexcept { return what_; }
    [[nodiscard]] const parley_programs::json& parameters() const noexcept { return parameters_; }

private:
    using clock = std::chrono::steady_clock;

    void prepare();
    [[nodiscard]] std::vector<contestant*> order_of(unsigned round);
    void move_data(const std::vector<contestant*>& order);
    double run_one(contestant& c);
    void require_uninterrupted() const;
    void begin(parley_programs::job* job, std::string words);
    void end();

    const parley_programs::program& what_;
    parley_programs::json parameters_;
    std::vector<std::string> schedulers_;
    std::vector<unsigned> workers_;
    std::optional<std::uint64_t> seed_;
    parley_peers::tuning_choices tuning_;
    result_check check_{{}};
    contestant serial_;
    contestant inlined_form_;  // without a job for most programs
    std::vector<contestant> all_;

    mutable std::mutex mutex_;  // held for moments only, never while a job runs
    parley_programs::job* current_ = nullptr;
    std::string now_ = "its preparation";
    bool interrupted_ = false;
};

}  // namespace parley_cli
