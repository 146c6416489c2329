// What every simulation does around its runs: signals, lines of JSON, words for people, the exit status.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "command/json_lines.hpp"
#include "lab/programs/program.hpp"

namespace parley_cli {

// What came of one run.
struct sim_outcome {
    std::string text;                // for people
    std::vector<std::string> lines;  // of JSON
    std::string problem;             // empty: the result is as known, no promise was broken
};

// What is drawn of a sweep.
struct sweep_picture {
    std::string folder = {};                         // empty: nothing
    std::vector<parley_programs::json> points = {};  // of each run, what is swept
};

// Some runs, one after the other.
struct sim_plan {
    std::string json_file;
    std::string head;  // of a table, or empty
    std::size_t runs = 1;
    // Throws timed::stopped soon after stops() says true.
    std::function<sim_outcome(std::size_t i, const std::function<bool()>& stops)> run;
    // The line of one that was interrupted: what it was to be. May be asked for while it runs.
    std::function<std::string(std::size_t i)> interrupted_line;
    sweep_picture picture = {};
    // True while a file of a run is written, of any size that was asked for: an interrupted command waits for it.
    std::shared_ptr<std::atomic<bool>> writes = std::make_shared<std::atomic<bool>>(false);
};

class sim_session {
public:
    // Throws usage_error if a file or a picture cannot be written.
    explicit sim_session(const sim_plan& plan);
    // Returns the exit status.
    [[nodiscard]] int run();

private:
    void run_one(std::size_t i, std::unique_lock<std::timed_mutex>& speaks);
    [[nodiscard]] sim_outcome outcome_of(std::size_t i, std::unique_lock<std::timed_mutex>& speaks);
    void say_interrupted();

    const sim_plan& plan_;
    std::optional<json_lines> lines_;
    std::vector<std::string> drawn_;  // lines, with what is swept
    std::atomic<bool> is_interrupted_ = false;
    std::atomic<std::size_t> in_run_ = 0;
    std::timed_mutex speaks_;  // not held while something runs: then the watcher may have the last word
    int status_ = 0;
};

}  // namespace parley_cli
