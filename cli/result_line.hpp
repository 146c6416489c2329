// The JSON object of one measurement: its keys are a contract, see docs/cli.md.
#pragma once

#include "cli/measurement.hpp"
#include "cli/run_options.hpp"

namespace parley_cli {

/// `complete` is false for a run that was interrupted: it is then not verified, and where it has
/// no measurement yet, figures are null.
[[nodiscard]] parley_programs::json result_line(const run_options& options, const measurement& m,
                                                const measured& found, bool complete);

/// All workers together.
[[nodiscard]] parley_peers::worker_counts sum_of(
    const std::vector<parley_peers::worker_counts>& workers);

}  // namespace parley_cli
