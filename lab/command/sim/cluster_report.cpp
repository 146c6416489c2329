#include "lab/command/sim/cluster_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/command/sim/words.hpp"

namespace parley_cli {
namespace {

using parley::cluster::statistics;
using parley::sim::virtual_report;
using parley_programs::json;

double efficiency(const virtual_report& r) { return ratio(r.work_seconds, r.seconds * static_cast<double>(r.busy.size())); }

// How work reaches the ranks.
struct spreading {
    std::vector<double> began;  // of those that had a task, ascending
    std::size_t idle = 0;       // that never had one

    explicit spreading(const virtual_report& r) {
        for (const double at : r.began)
            if (std::isfinite(at)) began.push_back(at);
        idle = r.began.size() - began.size();
        std::sort(began.begin(), began.end());
    }
    // When so many percent of those had begun one.
    [[nodiscard]] double at(std::size_t percent) const {
        return began.empty() ? 0.0 : began[(began.size() * percent + 99) / 100 - 1];
    }
};

std::string shape_text(const json& p) {
    const std::string time = seconds_text(p.at("t").get<double>());
    if (p.at("shape") == "dlb") {
        return fmt::format("{} tasks of {} each on average, {}", p.at("tasks").get<std::uint64_t>(), time,
                           p.at("profile").get<std::string>());
    }
    const auto depth = p.at("depth").get<std::uint64_t>();
    return fmt::format("{}{}, {} each node", p.at("tree").get<std::string>(),
                       depth == 0 ? "" : fmt::format(" down to depth {}", depth), time);
}

}  // namespace

std::string cluster_text(const cluster_setting& s, const virtual_report& r, bool is_right) {
    const json& p = s.parameters;
    const auto word = [&](const char* name) { return p.at(name).get<std::string>(); };
    const statistics& n = r.total;
    const std::uint64_t ranks = r.busy.size();
    const spreading spread(r);
    std::string text = fmt::format("cluster: {}: {}\n", word("shape"), shape_text(p));
    text += fmt::format(
        "{} virtual ranks; overlay {}, {:.1f} neighbours each; steal {}, results {}, ends {}; latency {}; faults {}; "
        "seed {}\n\n",
        ranks, word("overlay"), ratio(r.neighbours, ranks), word("steal"), word("results"), word("ends"),
        seconds_text(s.net.latency), word("faults"), p.at("seed").get<std::uint64_t>());
    text += fmt::format("  time        {}  (efficiency {:.1f}% over {} of work)\n", seconds_text(r.seconds),
                        100 * efficiency(r), seconds_text(r.work_seconds));
    text += fmt::format("  tasks       {} in {} steals of {:.2f}\n", r.tasks_run, n.steals, ratio(n.stolen, n.steals));
    text += fmt::format("  spreading   half of the ranks had one after {}, 99% after {}, the last after {}; {} never\n",
                        seconds_text(spread.at(50)), seconds_text(spread.at(99)), seconds_text(spread.at(100)), spread.idle);
    text += fmt::format("  requests    {}, {} answered with nothing; {} offers\n", n.requests, n.refused, n.offers);
    text += fmt::format("  results     {} from elsewhere, {:.2f} hops each, in {} messages\n", n.results_home,
                        ratio(n.result_hops, n.results_home), n.result_messages);
    text += fmt::format("  messages    {}, {} bytes; a rank talked with {:.1f} others, at most {}\n", n.messages, n.bytes,
                        ratio(n.connections, ranks), n.most_connections);
    text += fmt::format("  the end     announced {} after the last task, known to all after {}; {} waves\n",
                        seconds_text(r.announced - r.last_task), seconds_text(r.detected - r.last_task), n.waves);
    text += fmt::format("  promises    {}\n",
                        is_right ? "kept: each result home once, the end announced when all was done" : "broken");
    return text;
}

std::string cluster_head() {
    return fmt::format("{:>8} {:>6} {:>10} {:>14} {:>11} {:>14} {:>9} {:>12} {:>12} {:>14}\n", "ranks", "links", "tasks",
                       "time", "efficiency", "all working", "hops", "requests", "messages", "end known");
}

std::string cluster_row(const cluster_setting&, const virtual_report& r) {
    const statistics& n = r.total;
    return fmt::format("{:>8} {:>6.1f} {:>10} {:>14} {:>10.1f}% {:>14} {:>9.2f} {:>12} {:>12} {:>14}\n", r.busy.size(),
                       ratio(r.neighbours, r.busy.size()), r.tasks_run, seconds_text(r.seconds), 100 * efficiency(r),
                       seconds_text(spreading(r).at(100)), ratio(n.result_hops, n.results_home), n.requests, n.messages,
                       seconds_text(r.detected - r.last_task));
}

json cluster_line(const cluster_setting& s, const virtual_report& r, bool is_right) {
    const statistics& n = r.total;
    const spreading spread(r);
    json line;
    line["program"] = "cluster";
    line["parameters"] = s.parameters;
    line["scheduler"] = "parley";
    line["ranks"] = r.busy.size();
    line["neighbours"] = ratio(r.neighbours, r.busy.size());
    line["seconds"] = r.seconds;
    line["serial_seconds"] = r.work_seconds;
    line["efficiency"] = efficiency(r);
    line["end_announced_after"] = r.announced - r.last_task;
    line["end_detected_after"] = r.detected - r.last_task;
    line["spreading"] = {{"half", spread.at(50)}, {"99%", spread.at(99)}, {"all", spread.at(100)}, {"never", spread.idle}};
    line["result"] = s.what.result();
    line["verified"] = is_right;
    line["counters"] = {{"tasks", r.tasks_run},
                        {"steals", n.steals},
                        {"stolen", n.stolen},
                        {"requests", n.requests},
                        {"failed", n.refused},
                        {"offers", n.offers},
                        {"declined", n.declined},
                        {"results_home", n.results_home},
                        {"result_hops", n.result_hops},
                        {"result_messages", n.result_messages},
                        {"messages", n.messages},
                        {"bytes", n.bytes},
                        {"waves", n.waves},
                        {"connections", n.connections},
                        {"most_connections", n.most_connections}};
    return line;
}

}  // namespace parley_cli
