// What a suite with names for its workloads shows at its end: who was how far behind the best.
#pragma once

#include <string>
#include <vector>

#include "command/terminal.hpp"
#include "lab/command/bench_options.hpp"
#include "lab/command/deviations.hpp"

namespace parley_cli {

// The suite's results on one number of workers: its workloads, its schedulers, and the speedups of verified lines.
struct suite_table {
    unsigned workers = 1;
    std::vector<std::string> workloads;
    std::vector<std::string> schedulers;  // those that were not built, too
    table_of_figures speedups;

    [[nodiscard]] std::string text(const terminal& t) const;
};

// From lines of JSON; a workload is in it as soon as one scheduler has run it. One table for each number of workers.
[[nodiscard]] std::vector<suite_table> suite_tables(const bench_options& options,
                                                    const std::vector<parley_programs::json>& lines);

// Under the tables: why places are empty, if any is.
[[nodiscard]] std::string remarks_on_empty_places(const bench_options& options, const std::vector<suite_table>& tables);

// Before the first run: what each workload is, as commands.
[[nodiscard]] std::string list_of_workloads(const bench_options& options);

// The lines of the suite's workloads, each with its name as "workload" and its "deviation" in percent: for the picture.
[[nodiscard]] std::vector<parley_programs::json> lines_with_deviations(const bench_options& options,
                                                                       const std::vector<parley_programs::json>& lines);

// The others: of programs that are not in the suite's tables.
[[nodiscard]] std::vector<parley_programs::json> lines_without_workload(const bench_options& options,
                                                                        const std::vector<parley_programs::json>& lines);

}  // namespace parley_cli
