#include "lab/command/sim/farm_report.hpp"

#include <fmt/format.h>
#include <parley/farm/round_robin.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lab/command/sim/words.hpp"

namespace parley_cli {
namespace {

namespace farms = parley::sim::farms;
using farms::duration;
using farms::lane_report;

farms::report run_streams(farms::setup s, std::uint64_t streams, farm_timeline* seen_by) {
    farms::report all;
    all.lanes.resize(s.lanes.size());
    s.seen_by = seen_by;
    for (std::uint64_t i = 0; i < streams; ++i) {
        const farms::report one = farms::run(s);
        if (seen_by != nullptr) seen_by->next_stream(one.took);
        all.add(one);
    }
    return all;
}

double serial_seconds(const farm_run& run) {
    return seconds(run.item) * static_cast<double>(run.setup.items) * static_cast<double>(run.streams);
}
double speedup(const farm_run& run, const simulated_farm& found) {
    return ratio(serial_seconds(run), seconds(found.report.took));
}
double relative(const simulated_farm& found) { return ratio(seconds(found.round_robin), seconds(found.report.took)); }

duration mean(duration sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<duration>(count); }

duration longest_wait(const farms::report& r) {
    duration longest = 0;
    for (const lane_report& l : r.lanes) longest = std::max(longest, l.longest_wait);
    return longest;
}
duration mean_wait(const farms::report& r) {
    duration sum = 0;
    for (const lane_report& l : r.lanes) sum += l.waited;
    return mean(sum, r.items);
}

std::string speed_text(std::uint64_t thousandths) { return fmt::format("{:g}", static_cast<double>(thousandths) / 1000); }

}  // namespace

simulated_farm simulate(const farm_run& run, const std::function<bool()>& stops, farm_timeline* seen_by) {
    farms::setup s = run.setup;
    s.stops = stops;
    simulated_farm found;
    found.report = run_streams(s, run.streams, seen_by);
    s.schedule = parley::round_robin{};
    found.round_robin = run_streams(s, run.streams, nullptr).took;
    found.result["items"] = found.report.items;
    if (s.pool == 0) found.result["in_order"] = found.report.in_order;
    return found;
}

std::string report_of(const farm_options& o, const farm_run& run, const simulated_farm& found) {
    const farms::report& r = found.report;
    const farms::setup& s = run.setup;
    std::string text = fmt::format("{}: {}\n", o.what->name, parameters_text(run.parameters));
    text += fmt::format("{} lanes on {} cores of {}; {} tokens{}{}; seed {}{}\n\n", s.lanes.size(), s.cores, s.machine.name,
                        s.tokens, s.bound != 0 ? fmt::format(", {} items in a lane at most", s.bound) : "",
                        s.spread != 0 ? fmt::format(", lengths off by up to {}%", s.spread) : "", s.seed,
                        run.faults == "none" ? "" : "; faults: " + run.faults);
    text += fmt::format("  time         {}  (speedup {:.2f} over {:.4f} s on a lane of speed 1)\n", time_text(r.took),
                        speedup(run, found), serial_seconds(run));
    text += fmt::format("  round robin  {}  (S = {:.2f}; the paper's model, S = sum(s_i) / (p s_1) = {:.2f})\n",
                        time_text(found.round_robin), relative(found), run.model);
    text +=
        fmt::format("  items        {}, {}in order; {} under way at most\n", r.items, r.in_order ? "" : "not ", r.under_way);
    text += fmt::format("  waits        {} in a lane's queue, {} at most\n", time_text(mean_wait(r)),
                        time_text(longest_wait(r)));
    text += fmt::format("  emitter      {:.2f}% of the time; {} fake tasks\n\n",
                        100 * ratio(seconds(r.emitter_busy), seconds(r.took)), r.fakes);
    text += fmt::format("  {:<5} {:>8} {:>10} {:>9} {:>9} {:>14} {:>14} {:>7}\n", "lane", "speed", "items", "busy", "level",
                        "wait", "longest wait", "fakes");
    for (std::size_t i = 0; i < r.lanes.size(); ++i) {
        const lane_report& l = r.lanes[i];
        text += fmt::format("  {:<5} {:>8} {:>10} {:>8.2f}% {:>9} {:>14} {:>14} {:>7}\n", i, speed_text(run.speeds[i]),
                            l.items, 100 * ratio(seconds(l.busy), seconds(r.took)), l.highest,
                            time_text(mean(l.waited, l.items)), time_text(l.longest_wait), l.fakes);
    }
    return text;
}

std::string farm_sweep_head(const farm_options& o) {
    return fmt::format("{:>{}} {:>14} {:>9} {:>7} {:>7} {:>11} {:>11} {:>14} {:>14}\n", o.swept,
                       swept_width(o.swept, o.values), "time", "speedup", "S", "model", "items, from", "to", "wait",
                       "longest wait");
}

std::string sweep_row(const farm_options& o, std::size_t i, const simulated_farm& found) {
    const farms::report& r = found.report;
    const auto [fewest, most] = std::minmax_element(
        r.lanes.begin(), r.lanes.end(), [](const lane_report& a, const lane_report& b) { return a.items < b.items; });
    return fmt::format("{:>{}} {:>14} {:>9.2f} {:>7.2f} {:>7.2f} {:>11} {:>11} {:>14} {:>14}\n", o.values[i],
                       swept_width(o.swept, o.values), time_text(r.took), speedup(o.runs[i], found), relative(found),
                       o.runs[i].model, fewest->items, most->items, time_text(mean_wait(r)), time_text(longest_wait(r)));
}

std::string json_line(const farm_options& o, const farm_run& run, const simulated_farm& found) {
    const farms::report& r = found.report;
    parley_programs::json line;
    line["program"] = o.what->name;
    line["parameters"] = run.parameters;
    line["tuning"] = {
        {"cores", run.setup.cores}, {"tokens", run.setup.tokens}, {"bound", run.setup.bound}, {"spread", run.setup.spread}};
    if (run.faults != "none") line["tuning"]["faults"] = run.faults;
    line["scheduler"] = "parley";
    line["workers"] = run.setup.lanes.size();
    line["seed"] = run.setup.seed;
    line["seconds"] = seconds(r.took);
    line["serial_seconds"] = serial_seconds(run);
    line["speedup"] = speedup(run, found);
    line["round_robin_seconds"] = seconds(found.round_robin);
    line["over_round_robin"] = relative(found);
    line["model"] = run.model;
    line["result"] = found.result;
    line["verified"] = found.problem.empty();
    line["counters"] = {{"fakes", r.fakes}, {"under_way", r.under_way}};
    line["machine"] = run.setup.machine.name;
    for (std::size_t i = 0; i < r.lanes.size(); ++i) {
        const lane_report& l = r.lanes[i];
        parley_programs::json of_one = {{"speed", static_cast<double>(run.speeds[i]) / 1000},
                                        {"items", l.items},
                                        {"busy", seconds(l.busy)},
                                        {"wait", seconds(mean(l.waited, l.items))},
                                        {"longest_wait", seconds(l.longest_wait)},
                                        {"highest", l.highest},
                                        {"fakes", l.fakes}};
        line["lanes"].push_back(std::move(of_one));
    }
    return line.dump();
}

std::string interrupted_line(const farm_options& o, const farm_run& run) {
    auto line = parley_programs::json::parse(json_line(o, run, {}));
    for (const char* key : {"seconds", "speedup", "round_robin_seconds", "over_round_robin", "counters"})
        line[key] = nullptr;
    line["result"] = parley_programs::json::object();
    line["verified"] = false;
    return line.dump();
}

}  // namespace parley_cli
