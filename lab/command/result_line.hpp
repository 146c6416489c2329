// The JSON object of one measurement: its keys are a contract, see docs/guide/cli.md.
#pragma once

#include "lab/command/measurement.hpp"
#include "lab/command/run_options.hpp"

#include <string_view>
#include <vector>

namespace parley_cli {

// What a line is made of. A list may be empty, of an interrupted run; entry i of `seconds` and of
// `counts` is of the same repetition.
struct outcome {
    std::string_view program;
    parley_programs::json parameters;
    parley_programs::json tuning = parley_programs::json::object();
    std::string_view scheduler;
    unsigned workers = 1;
    const std::vector<double>* seconds = nullptr;
    const std::vector<double>* serial_seconds = nullptr;
    const std::vector<double>* inlined_seconds = nullptr;  // null: the program has no such form
    const std::vector<std::vector<parley_peers::worker_counts>>* counts = nullptr;
    parley_programs::json result;  // null: none yet
    bool verified = false;
};
[[nodiscard]] parley_programs::json result_line(const outcome& found);

// Where and by what this process measures: the keys machine, compiler and commit of its lines.
[[nodiscard]] parley_programs::json origin_of_results();

// `complete` is false for a run that was interrupted: it is then not verified, and where it has
// no measurement yet, figures are null.
[[nodiscard]] parley_programs::json result_line(const run_options& options, const measurement& m, const measured& found,
                                                bool complete);

}  // namespace parley_cli
