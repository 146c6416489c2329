// `parley sim`.
#include <fmt/format.h>

#include <lab/sim/timed/pool.hpp>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <system_error>

#include "command/output_file.hpp"
#include "command/signals.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"
#include "lab/command/sim/calibrate.hpp"
#include "lab/command/sim/farm_options.hpp"
#include "lab/command/sim/farm_report.hpp"
#include "lab/command/sim/options.hpp"
#include "lab/command/sim/report.hpp"
#include "lab/command/sim/session.hpp"
#include "lab/command/sim/studies.hpp"
#include "lab/command/sim/timeline.hpp"
#include "lab/programs/shapes/shapes.hpp"

namespace parley_cli {
namespace {

namespace timed = parley::sim::timed;

using question = std::function<bool()>;

std::string problem_with(const parley_programs::program& p, const parley_programs::json& parameters,
                         const parley_programs::json& result) {
    const auto known = p.known(parameters);
    for (const auto& [key, value] : known.items()) {
        if (result.contains(key) && !parley_programs::agrees(result.at(key), value)) {
            return fmt::format("wrong result: {} is {}, not {}", key, result.at(key).dump(), value.dump());
        }
    }
    return {};
}

// What is wrong, or an empty text; meanwhile an interrupted command waits.
template <class Writing>
std::string written(std::atomic<bool>& writes, Writing write) {
    writes = true;
    std::string problem = write();
    writes = false;
    return problem;
}

// Of a run that is stopped or breaks a promise, too.
timed::run_report run_seen(const sim_options& o, timed::setup s, timed::shape& shape, std::atomic<bool>& writes,
                           std::string& problem) {
    if (o.timeline.file.empty()) return timed::pool(s, shape).run();
    virtual_timeline timeline("parley sim: --trace", o.timeline.file, s.workers,
                              virtual_timeline::events_of_each(s.workers, o.timeline.events));
    s.seen_by = &timeline;
    const auto write = [&] { return written(writes, [&] { return timeline.write(); }); };
    try {
        timed::run_report found = timed::pool(s, shape).run();
        problem = write();
        return found;
    } catch (...) {
        (void)write();
        throw;
    }
}

// Returns what is wrong, or an empty text.
std::string write_file(const std::string& file, const std::string& text) {
    try {
        write_whole_file(file, text);
        return {};
    } catch (const std::system_error& trouble) {
        return trouble.what();
    }
}

// The same of a farm.
simulated_farm run_seen(const farm_options& o, const farm_run& run, const question& stops, std::atomic<bool>& writes,
                        std::string& problem) {
    if (o.timeline.file.empty()) return simulate(run, stops);
    farm_timeline timeline(run.setup.lanes.size(), o.timeline.events);
    // A disk that is full is found out before a run that may be long.
    if (const std::string wrong = write_file(o.timeline.file, timeline.text()); !wrong.empty())
        throw usage_error(fmt::format("parley sim: --trace {}: {}; wants a writable file", o.timeline.file, wrong));
    const auto write = [&] { return written(writes, [&] { return write_file(o.timeline.file, timeline.text()); }); };
    try {
        simulated_farm found = simulate(run, stops, &timeline);
        problem = write();
        return found;
    } catch (...) {
        (void)write();
        throw;
    }
}

sim_plan plan_of(const sim_options& o) {
    sim_plan plan{.json_file = o.json_file,
                  .head = o.swept.empty() ? "" : sweep_head(o),
                  .runs = o.runs.size(),
                  .run = {},
                  .interrupted_line = [&o](std::size_t i) { return interrupted_line(o, o.runs[i]); },
                  .picture = o.picture};
    plan.run = [&o, writes = plan.writes](std::size_t i, const question& stops) {
        const sim_run& one = o.runs[i];
        timed::setup s = one.setup;
        s.stops = stops;
        const auto shape = parley_programs::shapes::shape_of(o.what->name, one.parameters, s.machine);
        simulated found;
        std::string unwritten;
        try {
            found.report = run_seen(o, s, *shape, *writes, unwritten);
        } catch (const timed::too_much_work& why) {
            throw usage_error(fmt::format("parley sim {}: {}", o.what->name, why.what()));
        }
        found.result = shape->result();
        found.problem = problem_with(*o.what, one.parameters, found.result);
        sim_outcome said{.text = o.swept.empty() ? report_of(o, one, found) : sweep_row(o, i, found),
                         .lines = {json_line(o, one, found)},
                         .problem = found.problem};
        if (o.profile) said.text += profile_of(found);
        if (!o.profile_file.empty() && unwritten.empty())
            unwritten = write_file(o.profile_file, profile_picture_of(o, one, found));
        if (said.problem.empty()) said.problem = unwritten;
        return said;
    };
    return plan;
}

sim_plan plan_of(const farm_options& o) {
    sim_plan plan{.json_file = o.json_file,
                  .head = o.swept.empty() ? "" : farm_sweep_head(o),
                  .runs = o.runs.size(),
                  .run = {},
                  .interrupted_line = [&o](std::size_t i) { return interrupted_line(o, o.runs[i]); },
                  .picture = o.picture};
    plan.run = [&o, writes = plan.writes](std::size_t i, const question& stops) {
        const farm_run& one = o.runs[i];
        std::string unwritten;
        simulated_farm found = run_seen(o, one, stops, *writes, unwritten);
        found.problem = problem_with(*o.what, one.parameters, found.result);
        return sim_outcome{.text = o.swept.empty() ? report_of(o, one, found) : sweep_row(o, i, found),
                           .lines = {json_line(o, one, found)},
                           .problem = found.problem.empty() ? unwritten : found.problem};
    };
    return plan;
}

template <class Options>
int run_all(const std::optional<Options>& options) {
    if (!options) return exit_status::succeeded;
    block_watched_signals();
    if (!options->timeline.file.empty()) require_writable("parley sim: --trace", options->timeline.file);
    const sim_plan plan = plan_of(*options);
    return sim_session(plan).run();
}

}  // namespace

int sim_verb(arguments args) {
    if (const std::optional<int> status = run_study(args)) return *status;
    if (!args.empty() && is_farm(args.front())) return run_all(parse_farm_sim(args));
    const std::optional<sim_options> options = parse_sim(args);
    if (options && options->calibrate) {
        block_watched_signals();
        return calibrate(*options->calibrate);
    }
    if (options && !options->profile_file.empty()) require_writable("parley sim: --profile-svg", options->profile_file);
    return run_all(options);
}

}  // namespace parley_cli
