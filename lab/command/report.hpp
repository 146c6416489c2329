// What people read: the result, the figures, who did how much, and how to go on.
#pragma once

#include <string>

#include "command/terminal.hpp"
#include "lab/command/measurement.hpp"
#include "lab/command/run_options.hpp"

namespace parley_cli {

[[nodiscard]] std::string report(const run_options& options, const measurement& m, const measured& found,
                                 const terminal& terminal);

// The program and what defines its work, in one line.
[[nodiscard]] std::string title(const run_options& options, const parley_programs::json& parameters);

// What was done before a run was interrupted.
[[nodiscard]] std::string interrupted_report(const run_options& options, const measured& found);

// One line for while it runs.
[[nodiscard]] std::string progress_line(const run_options& options, const measured& now);

}  // namespace parley_cli
