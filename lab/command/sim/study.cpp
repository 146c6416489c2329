#include "lab/command/sim/study.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "command/signals.hpp"
#include "command/usage.hpp"
#include "lab/command/sim/broker_study.hpp"
#include "lab/command/sim/cluster_study.hpp"
#include "lab/command/sim/studies.hpp"

namespace parley_cli {
namespace {

const std::map<std::string, study>& studies() {
    static const std::map<std::string, study> all = {{"broker", broker_study()}, {"cluster", cluster_study()}};
    return all;
}

std::vector<sim_option> whole_table(const study& s) {
    std::vector<sim_option> all = s.table();
    all.push_back(
        {.name = "sweep",
         .help = "one run for each value of a number: NAME=FIRST..LAST, FIRST..LAST..STEP or A,B,C; or of words: A,B,C",
         .placeholder = "NAME=VALUES",
         .initial = "none"});
    all.push_back({.name = "json",
                   .help = "lines of JSON instead of a report; - is standard output",
                   .placeholder = "FILE",
                   .initial = "none"});
    return all;
}

}  // namespace

std::uint64_t study_options::number(std::string_view option) const {
    return static_cast<std::uint64_t>(*whole_number(text(option)));
}

double study_options::seconds(std::string_view option) const { return *microseconds_in(text(option)) / 1e6; }

parley_programs::json study_options::parameters() const {
    parley_programs::json all;
    for (const sim_option& o : typed_.table()) {
        if (o.name == "json" || o.name == "sweep") continue;
        if (!o.is_number()) {
            all[o.name] = text(o.name);
        } else if (o.is_time) {
            all[o.name] = seconds(o.name);
        } else {
            all[o.name] = number(o.name);
        }
    }
    return all;
}

const std::vector<std::string>& study_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& [name, what] : studies()) all.push_back(name);
        return all;
    }();
    return names;
}

std::string study_summaries() {
    std::string all;
    for (const auto& [name, what] : studies()) all += fmt::format("  {:<14}{}\n", name, what.summary);
    return all;
}

std::optional<int> run_study(arguments words) {
    const auto found = words.empty() ? studies().end() : studies().find(words.front());
    if (found == studies().end()) return std::nullopt;
    const auto& [name, what] = *found;
    const typed_options typed(name, whole_table(what), words.subspan(1));
    if (typed.wants_help()) {
        fmt::print("parley sim {}: {}\n\n{}", name, what.summary, typed.help());
        return exit_status::succeeded;
    }
    std::vector<study_options> all;
    typed_options::sweep sweep = typed.swept();
    for (option_texts& run : sweep.runs) all.emplace_back(typed, std::move(run));
    const study_plan chosen = what.plan(all, typed.has("sweep"));
    block_watched_signals();
    const auto interrupted_line = [&, program = name](std::size_t i) {
        const parley_programs::json line{
            {"program", program}, {"parameters", all[i].parameters()}, {"seconds", nullptr}, {"verified", false}};
        return line.dump();
    };
    const sim_plan plan{.json_file = typed.value("json", ""),
                        .head = chosen.head,
                        .runs = chosen.runs.size(),
                        .run = [&](std::size_t i, const stop_test& stops) { return chosen.runs[i](stops); },
                        .interrupted_line = interrupted_line};
    return sim_session(plan).run();
}

}  // namespace parley_cli
