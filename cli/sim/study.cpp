#include "cli/sim/study.hpp"

#include <fmt/format.h>

#include <parley/sim/timed/report.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cli/json_lines.hpp"
#include "cli/sim/broker_study.hpp"
#include "cli/sim/cluster_study.hpp"
#include "cli/sim/studies.hpp"
#include "cli/signals.hpp"
#include "cli/usage.hpp"

namespace parley_cli {
namespace {

struct study {
    const char* summary;
    std::vector<sim_option> (*table)();
    int (*run)(const study_options&);
};

const std::map<std::string, study>& studies() {
    static const std::map<std::string, study> all = {
        {"broker", {"several programs on one machine, under the broker or without", broker_study_table, run_broker_study}},
        {"cluster", {"ranks that share tasks, by the cluster's own protocol", cluster_study_table, run_cluster_study}}};
    return all;
}

void say(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
}

}  // namespace

int run_in_turn(const std::vector<study_run>& runs, const std::string& head, const std::string& json_file) {
    std::optional<json_lines> lines;
    if (!json_file.empty()) lines.emplace(json_file);
    const bool speaks = json_file != "-";  // standard output is either for people or for JSON
    std::atomic<bool> is_interrupted = false;
    signal_watcher::actions on_signals;
    on_signals.interrupt = [&] { is_interrupted = true; };
    on_signals.give_up = [] {
        std::fflush(stdout);
        std::_Exit(exit_status::was_interrupted);
    };
    on_signals.dump = [] {};
    int status = exit_status::succeeded;
    const signal_watcher watcher(std::move(on_signals));
    try {
        if (speaks) say(head);
        for (const study_run& run : runs) {
            const study_result found = run([&] { return is_interrupted.load(); });
            if (lines) {
                for (const parley_programs::json& line : found.lines) lines->append(line.dump());
            }
            if (speaks) say(found.text);
            if (found.problem.empty()) continue;
            fmt::print(stderr, "parley sim: {}\n", found.problem);
            status = exit_status::failed;
        }
    } catch (const parley::sim::timed::stopped&) {
        return exit_status::was_interrupted;
    }
    if (lines) lines->finish();
    return status;
}

std::string seconds_text(double seconds) {
    return seconds >= 1      ? fmt::format("{:.4f} s", seconds)
           : seconds >= 1e-3 ? fmt::format("{:.4f} ms", seconds * 1e3)
                             : fmt::format("{:.3f} us", seconds * 1e6);
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
    const study_options options(name, what.table(), words.subspan(1));
    if (options.wants_help()) {
        fmt::print("parley sim {}: {}\n\n{}", name, what.summary, options.help());
        return exit_status::succeeded;
    }
    block_watched_signals();
    return what.run(options);
}

}  // namespace parley_cli
