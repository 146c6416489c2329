// Lines as a suite would have measured them, made up.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "lab/command/bench_options.hpp"
#include "lab/command/result_line.hpp"

namespace parley_tests {

using suite_line = parley_programs::json;

// Of `parley bench WORDS...`.
inline parley_cli::bench_options options_of(std::initializer_list<const char*> words) {
    return *parley_cli::parse_bench({words.begin(), words.size()});
}

// From this machine and this build.
inline suite_line made_up_line(const parley_cli::bench_options& options, const parley_cli::bench_entry& e,
                               const std::string& scheduler, unsigned workers, double speedup = 1.0) {
    const std::vector<double> seconds(options.repeat.value_or(3), 1.0 / speedup);
    const std::vector<double> serial(seconds.size(), 1.0);
    const std::vector<std::vector<parley_peers::worker_counts>> counts;
    parley_cli::outcome o;
    o.program = e.program->name;
    o.parameters = e.program->parameters(options.request_of(e));
    o.scheduler = scheduler;
    o.workers = workers;
    o.seconds = &seconds;
    o.serial_seconds = &serial;
    o.counts = &counts;
    o.verified = true;
    return parley_cli::result_line(o);
}

// All lines of the options' entries from `first` to before `last`.
inline std::vector<suite_line> made_up_lines(const parley_cli::bench_options& options, std::size_t first, std::size_t last) {
    std::vector<suite_line> lines;
    for (std::size_t i = first; i < last; ++i) {
        for (const unsigned workers : options.workers) {
            for (const std::string& scheduler : options.schedulers_of(options.entries[i])) {
                lines.push_back(made_up_line(options, options.entries[i], scheduler, workers));
            }
        }
    }
    return lines;
}

}  // namespace parley_tests
