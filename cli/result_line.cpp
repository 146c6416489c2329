#include "cli/result_line.hpp"

#include <fmt/format.h>

#include "cli/build.hpp"
#include "cli/machine.hpp"
#include "cli/statistics.hpp"

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

json speedup_of(const measured& found) {
    if (found.seconds.empty() || found.serial_seconds.empty()) {
        return nullptr;
    }
    return median_of(found.serial_seconds) / median_of(found.seconds);
}

// Of the run whose time is the median: counts and seconds then belong together.
json counters_of(const measured& found) {
    if (found.seconds.empty() || found.counts.front().empty()) {
        return nullptr;
    }
    const worker_counts sum = sum_of(found.counts[index_of_median(found.seconds)]);
    return {{"tasks", sum.tasks},       {"steals", sum.steals}, {"failed", sum.failed},
            {"messages", sum.messages}, {"splits", sum.splits}, {"sleeps", sum.sleeps},
            {"wakes", sum.wakes}};
}

json result_of(const measured& found) {
    if (!found.result.is_null()) {
        return found.result;
    }
    return found.so_far.is_null() ? json::object() : found.so_far;
}

}  // namespace

worker_counts sum_of(const std::vector<worker_counts>& workers) {
    worker_counts sum;
    for (const worker_counts& w : workers) {
        sum.tasks += w.tasks;
        sum.steals += w.steals;
        sum.failed += w.failed;
        sum.messages += w.messages;
        sum.splits += w.splits;
        sum.sleeps += w.sleeps;
        sum.wakes += w.wakes;
    }
    return sum;
}

json result_line(const run_options& options, const measurement& m, const measured& found,
                 bool complete) {
    const build b = this_build();
    json line;
    line["program"] = options.what->name;
    line["parameters"] = m.parameters();
    line["tuning"] = json::object();
    line["scheduler"] = options.scheduler;
    line["workers"] = m.workers();
    line["repetitions"] = found.seconds.size();
    line["seconds"] = seconds_of(found.seconds);
    line["serial_seconds"] = median_or_null(found.serial_seconds);
    if (options.what->make_inlined != nullptr) {
        line["serial_inlined_seconds"] = median_or_null(found.inlined_seconds);
    }
    line["speedup"] = speedup_of(found);
    line["result"] = result_of(found);
    line["verified"] = complete && found.problem.empty();
    line["counters"] = counters_of(found);
    line["machine"] = machine_summary();
    line["compiler"] = fmt::format("{} {}", b.compiler, b.flags);
    line["commit"] = b.commit;
    return line;
}

}  // namespace parley_cli
