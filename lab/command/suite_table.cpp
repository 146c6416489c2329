#include "lab/command/suite_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

using parley_programs::json;

// An entry that the suite has a name for, as its lines have it.
struct named_work {
    const bench_entry* entry;
    json parameters;
};

std::vector<named_work> named_works_of(const bench_options& options) {
    std::vector<named_work> all;
    for (const bench_entry& e : options.entries) {
        if (!e.workload.empty()) {
            all.push_back({&e, e.program->parameters(options.request_of(e))});
        }
    }
    return all;
}

bool is_of(const json& line, const named_work& work) {
    return line.at("program") == work.entry->program->name && line.at("parameters") == work.parameters;
}

// Null if the line is of none.
const named_work* work_of(const json& line, const std::vector<named_work>& works) {
    const auto found = std::find_if(works.begin(), works.end(), [&](const named_work& work) { return is_of(line, work); });
    return found == works.end() ? nullptr : &*found;
}

// The serial program is what the others are compared with.
std::vector<std::string> columns_of(const bench_options& options) {
    std::vector<std::string> columns = options.schedulers;
    columns.insert(columns.end(), options.unbuilt.begin(), options.unbuilt.end());
    std::erase(columns, "serial");
    return columns;
}

bool has_speedup(const json& line) { return line.at("verified") == true && line.at("speedup").is_number(); }

std::optional<double> speedup_in(const std::vector<json>& lines, const named_work& work, const std::string& scheduler,
                                 unsigned workers) {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const json& line) {
        return line.at("scheduler") == scheduler && line.at("workers") == workers && has_speedup(line) && is_of(line, work);
    });
    return found == lines.end() ? std::nullopt : std::optional(found->at("speedup").get<double>());
}

bool rounds_to_nothing(double percent) { return std::abs(percent) < 0.05; }

// As in the thesis, nothing stands beside the best, nor beside what is as good after rounding.
std::string in_brackets(double percent) { return rounds_to_nothing(percent) ? "" : fmt::format("({:.1f}%)", percent); }

std::string in_percent(double percent) { return fmt::format("{:.1f}%", rounds_to_nothing(percent) ? 0.0 : percent); }

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace

std::string suite_table::text(const terminal& t) const {
    std::size_t width = 10;
    for (const std::string& name : workloads) {
        width = std::max(width, name.size());
    }
    const ranking found = rank(speedups);
    std::string text = t.bold(fmt::format("{}, {}", counted(workers, "worker"), counted(workloads.size(), "workload"))) +
                       t.dim("  median speedups, and how much lower than the best") + "\n";
    text += fmt::format("  {:<{}}", "workload", width);
    for (const std::string& scheduler : schedulers) {
        text += fmt::format("  {:<17}", scheduler);
    }
    while (text.back() == ' ') {
        text.pop_back();
    }
    for (std::size_t row = 0; row < workloads.size(); ++row) {
        std::string line = fmt::format("\n  {:<{}}", workloads[row], width);
        for (std::size_t i = 0; i < schedulers.size(); ++i) {
            const auto& speedup = speedups[row][i];
            line += speedup ? fmt::format("  {:>6.2f} {:<10}", *speedup, in_brackets(*found.deviations[row][i]))
                            : std::string(19, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line;
    }
    text += "\n\n  average deviation from the best\n";
    for (std::size_t place = 0; place < found.standings.size(); ++place) {
        const standing& s = found.standings[place];
        const std::string over = s.workloads == workloads.size() ? "" : ", over " + counted(s.workloads, "workload");
        const std::string farthest = rounds_to_nothing(s.farthest)
                                         ? "nowhere behind"
                                         : fmt::format("farthest {}, {}", in_percent(s.farthest), workloads[s.where]);
        text += fmt::format("  {}. {:<{}}{:>8}   {}{}\n", place + 1, schedulers[s.scheduler], width, in_percent(s.average),
                            farthest, over);
    }
    return text;
}

std::vector<suite_table> suite_tables(const bench_options& options, const std::vector<json>& lines) {
    std::vector<suite_table> tables;
    for (const unsigned workers : options.workers) {
        suite_table t;
        t.workers = workers;
        t.schedulers = columns_of(options);
        for (const named_work& work : named_works_of(options)) {
            std::vector<std::optional<double>> row;
            for (const std::string& scheduler : t.schedulers) {
                row.push_back(speedup_in(lines, work, scheduler, workers));
            }
            if (std::any_of(row.begin(), row.end(), [](const auto& speedup) { return speedup.has_value(); })) {
                t.workloads.push_back(work.entry->workload);
                t.speedups.push_back(std::move(row));
            }
        }
        if (!t.workloads.empty()) {
            tables.push_back(std::move(t));
        }
    }
    return tables;
}

std::string remarks_on_empty_places(const bench_options& options, const std::vector<suite_table>& tables) {
    std::vector<std::string> remarks;
    const std::vector<named_work> works = named_works_of(options);
    for (const std::string& scheduler : options.unbuilt) {
        remarks.push_back(
            fmt::format("{} was not built: it needs {}", scheduler, parley_programs::needs_of_unbuilt(scheduler)));
    }
    for (const std::string& scheduler : options.schedulers) {
        std::vector<std::string> foreign;
        for (const named_work& work : works) {
            if (work.entry->is_for(scheduler) && !complaint_about_scheduler(scheduler, *work.entry->program).empty()) {
                foreign.push_back(work.entry->workload);
            }
        }
        if (!foreign.empty()) {
            remarks.push_back(fmt::format("{} does not run {}", scheduler, join(foreign)));
        }
        for (const suite_table& t : tables) {
            const auto place = std::find(t.schedulers.begin(), t.schedulers.end(), scheduler) - t.schedulers.begin();
            for (std::size_t row = 0; scheduler != "serial" && row < t.workloads.size(); ++row) {
                const std::string& workload = t.workloads[row];
                const bool is_asked_for = std::any_of(works.begin(), works.end(), [&](const named_work& work) {
                    return work.entry->workload == workload && work.entry->is_for(scheduler);
                });
                if (is_asked_for && !t.speedups[row][static_cast<std::size_t>(place)] &&
                    std::find(foreign.begin(), foreign.end(), workload) == foreign.end()) {
                    remarks.push_back(fmt::format("{} on {} has no right result of {}", scheduler,
                                                  counted(t.workers, "worker"), workload));
                }
            }
        }
    }
    if (remarks.empty()) {
        return {};
    }
    std::string text = "  Empty places, which do not count in averages:\n";
    for (const std::string& remark : remarks) {
        text += "  - " + remark + "\n";
    }
    return text;
}

std::string list_of_workloads(const bench_options& options) {
    const std::vector<named_work> works = named_works_of(options);
    if (works.empty()) {
        return {};
    }
    std::string text = fmt::format("\nsuite {}, {} workloads:\n", options.suite, works.size());
    for (const named_work& work : works) {
        std::string command = fmt::format("parley run {}", work.entry->program->name);
        for (const auto& [option, value] : work.entry->given) {
            command += fmt::format(" --{} {}", option, value);
        }
        text += fmt::format("  {:<18}{}\n", work.entry->workload, command);
    }
    return text;
}

std::vector<json> lines_with_deviations(const bench_options& options, const std::vector<json>& lines) {
    const std::vector<named_work> works = named_works_of(options);
    std::vector<json> chosen;
    for (const suite_table& t : suite_tables(options, lines)) {
        const ranking found = rank(t.speedups);
        for (const json& line : lines) {
            const named_work* const work = work_of(line, works);
            const auto scheduler = line.at("scheduler").get<std::string>();
            const auto column = std::find(t.schedulers.begin(), t.schedulers.end(), scheduler);
            if (work == nullptr || column == t.schedulers.end() || line.at("workers") != t.workers || !has_speedup(line)) {
                continue;
            }
            const auto row = std::find(t.workloads.begin(), t.workloads.end(), work->entry->workload);
            const auto& of_row = found.deviations[static_cast<std::size_t>(row - t.workloads.begin())];
            json longer = line;
            longer["workload"] = work->entry->workload;
            longer["deviation"] = *of_row[static_cast<std::size_t>(column - t.schedulers.begin())];
            chosen.push_back(std::move(longer));
        }
    }
    return chosen;
}

std::vector<json> lines_without_workload(const bench_options& options, const std::vector<json>& lines) {
    const std::vector<named_work> works = named_works_of(options);
    std::vector<json> chosen;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(chosen),
                 [&](const json& line) { return work_of(line, works) == nullptr; });
    return chosen;
}

}  // namespace parley_cli
