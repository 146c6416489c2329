#include "cluster/command/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command/build.hpp"
#include "command/machine.hpp"
#include "command/statistics.hpp"

namespace parley_cli {
namespace {

using parley_programs::cluster::json;
using parley_programs::cluster::outcome;
using parley_programs::cluster::share;

std::vector<double> column(const cluster_found& found, double outcome::* what) {
    std::vector<double> all;
    for (const outcome& o : found.runs) all.push_back(o.*what);
    return all;
}

// Of the perfect schedule; 0 where nobody knows it.
double efficiency(const cluster_found& found) {
    std::vector<double> all;
    for (const outcome& o : found.runs)
        if (o.ideal_seconds > 0 && o.seconds > 0) all.push_back(o.ideal_seconds / o.seconds);
    return all.empty() ? 0 : median_of(all);
}

const outcome& middle(const cluster_found& found) { return found.runs[index_of_median(column(found, &outcome::seconds))]; }

// The least and the most that a rank has brought and done (figures 2 and 4 of the paper, in one line).
std::string shares_line(const std::vector<share>& shares) {
    const auto [brought_least, brought_most] = std::ranges::minmax_element(shares, {}, &share::brought);
    const auto [ran_least, ran_most] = std::ranges::minmax_element(shares, {}, &share::ran);
    const auto [busy_least, busy_most] = std::ranges::minmax_element(shares, {}, &share::busy_seconds);
    return fmt::format("  ranks     brought {} to {} tasks, ran {} to {}, were busy for {:.4f} to {:.4f} s\n",
                       brought_least->brought, brought_most->brought, ran_least->ran, ran_most->ran,
                       busy_least->busy_seconds, busy_most->busy_seconds);
}

json counters(const parley::cluster::statistics& s) {
    return {{"tasks", s.tasks},
            {"steals", s.steals},
            {"failed", s.refused},
            {"messages", s.messages},
            {"splits", nullptr},
            {"sleeps", nullptr},
            {"wakes", nullptr},
            {"requests", s.requests},
            {"stolen", s.stolen},
            {"run_elsewhere", s.foreign},
            {"offers", s.offers},
            {"declined", s.declined},
            {"result_messages", s.result_messages},
            {"result_hops", s.result_hops},
            {"bytes", s.bytes},
            {"waves", s.waves},
            {"connections", s.connections},
            {"most_connections", s.most_connections},
            {"duplicates", s.duplicates}};
}

}  // namespace

std::string cluster_report(const cluster_options& o, const cluster_found& found) {
    const std::vector<double> seconds = column(found, &outcome::seconds);
    const summary all = summarise(seconds);
    const outcome& run = middle(found);
    const parley::cluster::statistics& s = run.total;
    std::string text = fmt::format("{} on {} ranks of {} worker{}: {}\n", o.what->name, found.ranks, found.workers,
                                   found.workers == 1 ? "" : "s", o.parameters.dump());
    text += fmt::format("  result    {}{}\n", run.result.dump(), found.problem.empty() ? ", right" : "");
    text +=
        fmt::format("  time      {:.4f} s, median of {} ({:.4f} to {:.4f})\n", all.median, seconds.size(), all.min, all.max);
    if (const double e = efficiency(found); e > 0)
        text += fmt::format("  perfect   {:.4f} s: efficiency {:.1f}%\n", run.ideal_seconds, 100 * e);
    if (run.serial_seconds > 0) {
        const double serial = median_of(column(found, &outcome::serial_seconds));
        text += fmt::format("  serial    {:.4f} s: speedup {:.2f}\n", serial, serial / all.median);
    }
    text += fmt::format("  tasks     {}; {} steals brought {}, {} requests were refused\n", s.tasks, s.steals, s.stolen,
                        s.refused);
    if (s.foreign > 0) text += fmt::format("            {} ran for another rank\n", s.foreign);
    text += shares_line(run.shares);
    if (s.results_home > 0)
        text += fmt::format("  results   {} came home in {:.2f} hops on average, {} messages\n", s.results_home,
                            static_cast<double>(s.result_hops) / static_cast<double>(s.results_home), s.result_messages);
    text += fmt::format("  network   {} messages, {} bytes; {:.1f} connections of a rank, {} at most; {} waves\n",
                        s.messages, s.bytes, static_cast<double>(s.connections) / found.ranks, s.most_connections, s.waves);
    return text;
}

json cluster_line(const cluster_options& o, const cluster_found& found) {
    const std::vector<double> seconds = column(found, &outcome::seconds);
    const bool has_run = !seconds.empty();
    json line;
    line["program"] = o.what->name;
    line["parameters"] = o.parameters;
    line["parameters"]["ranks"] = found.ranks;
    line["tuning"] = o.tuning;
    line["tuning"].erase("scheduler");
    line["scheduler"] = o.tuning.at("scheduler");
    line["workers"] = found.ranks * found.workers;
    line["repetitions"] = seconds.size();
    line["seconds"] = nullptr;
    line["serial_seconds"] = nullptr;
    line["speedup"] = nullptr;
    if (has_run) {
        const summary s = summarise(seconds);
        line["seconds"] = {{"min", s.min}, {"p10", s.p10},   {"median", s.median}, {"p90", s.p90},
                           {"max", s.max}, {"mean", s.mean}, {"sem", s.sem}};
        // Where the serial program has not been run, a perfect schedule's work.
        const outcome& run = middle(found);
        const double serial = run.serial_seconds > 0 ? median_of(column(found, &outcome::serial_seconds))
                                                     : run.ideal_seconds * found.ranks * found.workers;
        if (serial > 0) {
            line["serial_seconds"] = serial;
            line["speedup"] = serial / s.median;
        }
        if (const double e = efficiency(found); e > 0) {
            line["ideal_seconds"] = run.ideal_seconds;
            line["efficiency"] = e;
        }
    }
    line["result"] = has_run ? middle(found).result : json::object();
    line["verified"] = has_run && found.runs.size() == o.repeat && found.problem.empty();
    line["counters"] = has_run ? counters(middle(found).total) : json(nullptr);
    line["machine"] = machine_summary();
    const build b = this_build();
    line["compiler"] = fmt::format("{} {}", b.compiler, b.flags);
    line["commit"] = b.commit;
    return line;
}

std::string cluster_shares(const cluster_found& found) {
    std::string text = "rank,brought_tasks,brought_work,ran_tasks,busy_seconds\n";
    for (const share& s : middle(found).shares)
        text += fmt::format("{},{},{:.9g},{},{:.9g}\n", s.rank, s.brought, s.brought_work, s.ran, s.busy_seconds);
    return text;
}

std::string cluster_trace(const cluster_found& found) {
    json events = json::array();
    for (const share& s : found.runs.back().shares) {
        events.push_back(
            {{"name", "process_name"}, {"ph", "M"}, {"pid", s.rank}, {"args", {{"name", fmt::format("rank {}", s.rank)}}}});
        for (const parley::cluster::stretch_of_work& w : s.timeline)
            events.push_back({{"name", w.tasks == 1 ? "task" : fmt::format("{} tasks", w.tasks)},
                              {"ph", "X"},
                              {"pid", s.rank},
                              {"tid", 0},
                              {"ts", w.begin * 1e6},
                              {"dur", w.seconds * 1e6}});
    }
    return json({{"traceEvents", events}, {"displayTimeUnit", "ms"}}).dump();
}

}  // namespace parley_cli
