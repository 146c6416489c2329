// What `parley sim` says of a run: for people, and as a line of JSON. Nothing in it depends on wall time, path or commit.
#pragma once

#include <lab/sim/timed/report.hpp>

#include <string>

#include "lab/command/sim/options.hpp"

namespace parley_cli {

struct simulated {
    parley::sim::timed::run_report report;
    parley_programs::json result;
    std::string problem;  // empty: as known
};

[[nodiscard]] std::string report_of(const sim_options& o, const sim_run& run, const simulated& found);
[[nodiscard]] std::string profile_of(const simulated& found);
// The same as an SVG image.
[[nodiscard]] std::string profile_picture_of(const sim_options& o, const sim_run& run, const simulated& found);

[[nodiscard]] std::string sweep_head(const sim_options& o);
[[nodiscard]] std::string sweep_row(const sim_options& o, std::size_t i, const simulated& found);

[[nodiscard]] std::string json_line(const sim_options& o, const sim_run& run, const simulated& found);
// Of a run that has not come to its end: nothing was found, and it is not verified.
[[nodiscard]] std::string interrupted_line(const sim_options&, const sim_run&);

}  // namespace parley_cli
