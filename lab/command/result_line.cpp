#include "lab/command/result_line.hpp"

#include <fmt/format.h>

#include "command/build.hpp"
#include "command/machine.hpp"
#include "command/statistics.hpp"
#include "lab/command/worker_sums.hpp"

namespace parley_cli {
namespace {

using parley_peers::worker_counts;
using parley_programs::json;

json seconds_of(const std::vector<double>& samples) {
    if (samples.empty()) {
        return nullptr;
    }
    const summary s = summarise(samples);
    return {{"min", s.min}, {"p10", s.p10},   {"median", s.median}, {"p90", s.p90},
            {"max", s.max}, {"mean", s.mean}, {"sem", s.sem}};
}

json median_or_null(const std::vector<double>& samples) {
    return samples.empty() ? json(nullptr) : json(median_of(samples));
}

json speedup_of(const outcome& found) {
    if (found.seconds->empty() || found.serial_seconds->empty()) {
        return nullptr;
    }
    return median_of(*found.serial_seconds) / median_of(*found.seconds);
}

// Of the run whose time is the median: counts and seconds then belong together.
json counters_of(const outcome& found) {
    if (found.seconds->empty() || found.counts->empty() || found.counts->front().empty()) {
        return nullptr;
    }
    const worker_counts sum = sum_of((*found.counts)[index_of_median(*found.seconds)]);
    return {{"tasks", sum.tasks},   {"steals", sum.steals}, {"failed", sum.failed}, {"messages", sum.messages},
            {"splits", sum.splits}, {"sleeps", sum.sleeps}, {"wakes", sum.wakes},   {"interrupts", sum.interrupts}};
}

}  // namespace

json origin_of_results() {
    const build b = this_build();
    return {{"machine", machine_summary()}, {"compiler", fmt::format("{} {}", b.compiler, b.flags)}, {"commit", b.commit}};
}

json result_line(const outcome& found) {
    json line;
    line["program"] = found.program;
    line["parameters"] = found.parameters;
    line["tuning"] = found.tuning;
    line["scheduler"] = found.scheduler;
    line["workers"] = found.workers;
    line["repetitions"] = found.seconds->size();
    line["seconds"] = seconds_of(*found.seconds);
    line["serial_seconds"] = median_or_null(*found.serial_seconds);
    if (found.inlined_seconds != nullptr) {
        line["serial_inlined_seconds"] = median_or_null(*found.inlined_seconds);
    }
    line["speedup"] = speedup_of(found);
    line["result"] = found.result.is_null() ? json::object() : found.result;
    line["verified"] = found.verified;
    line["counters"] = counters_of(found);
    line.update(origin_of_results());
    return line;
}

json result_line(const run_options& options, const measurement& m, const measured& found, bool complete) {
    outcome o;
    o.program = options.what->name;
    o.parameters = m.parameters();
    o.tuning = found.tuning;
    o.scheduler = options.scheduler;
    o.workers = m.workers();
    o.seconds = &found.seconds;
    o.serial_seconds = &found.serial_seconds;
    o.inlined_seconds = options.what->make_inlined != nullptr ? &found.inlined_seconds : nullptr;
    o.counts = &found.counts;
    o.result = found.result.is_null() ? found.so_far : found.result;
    o.verified = complete && found.problem.empty();
    return result_line(o);
}

}  // namespace parley_cli
