// Runs a farm in virtual time, and round robin beside it, and says what came of it.
#pragma once

#include <lab/sim/farms/report.hpp>

#include <functional>
#include <string>

#include "lab/command/sim/farm_options.hpp"
#include "lab/command/sim/farm_timeline.hpp"

namespace parley_cli {

struct simulated_farm {
    parley::sim::farms::report report;
    parley::sim::timed::duration round_robin = 0;  // the time of the same with that schedule
    parley_programs::json result;
    std::string problem;  // empty: as known
};

// `seen_by`: a timeline of the farm, not of round robin; or none.
[[nodiscard]] simulated_farm simulate(const farm_run& run, const std::function<bool()>& stops,
                                      farm_timeline* seen_by = nullptr);

[[nodiscard]] std::string report_of(const farm_options& o, const farm_run& run, const simulated_farm& found);
[[nodiscard]] std::string farm_sweep_head(const farm_options& o);
[[nodiscard]] std::string sweep_row(const farm_options& o, std::size_t i, const simulated_farm& found);
[[nodiscard]] std::string json_line(const farm_options& o, const farm_run& run, const simulated_farm& found);
// Of a run that was interrupted: what it was to be, and nothing of what it found.
[[nodiscard]] std::string interrupted_line(const farm_options& o, const farm_run& run);

}  // namespace parley_cli
