#include "lab/command/finished.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <utility>

#include "command/json_lines.hpp"
#include "command/usage.hpp"
#include "lab/command/contest.hpp"
#include "lab/command/result_line.hpp"

namespace parley_cli {
namespace {

using parley_programs::json;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
    throw usage_error(
        fmt::format("parley bench: --json {}: {}.partial {}; finish or remove that, or name another file", file, file, why));
}

// Whether it has what this reads: the keys of the contract.
bool is_result(const json& line) {
    return line.is_object() && line.contains("program") && line.contains("parameters") && line.contains("scheduler") &&
           line.contains("workers") && line.contains("verified") && line.contains("repetitions") &&
           line.contains("seconds") && line.contains("speedup") && line.contains("machine") && line.contains("compiler") &&
           line.contains("commit");
}

std::vector<json> read_lines(const std::string& file, const std::string& partial) {
    std::vector<json> lines;
    std::ifstream in(partial);
    std::size_t number = 0;
    for (std::string text; std::getline(in, text);) {
        ++number;
        const bool is_cut_short = in.eof();  // it has no end of line
        json line = json::parse(text, nullptr, false);
        if (is_result(line)) {
            lines.push_back(std::move(line));
        } else if (!is_cut_short) {
            refuse(file, fmt::format("has other things than results of parley bench in line {}", number));
        }
    }
    return lines;
}

// What one entry's lines are.
struct wanted_lines {
    std::string_view program;
    json parameters;
    std::vector<std::pair<std::string, unsigned>> schedulers_and_workers;

    [[nodiscard]] bool wants(const json& line) const {
        return line.at("program") == program && line.at("parameters") == parameters &&
               std::any_of(schedulers_and_workers.begin(), schedulers_and_workers.end(), [&](const auto& each) {
                   return line.at("scheduler") == each.first && line.at("workers") == each.second;
               });
    }
};

wanted_lines wanted_of(const bench_options& options, const bench_entry& e) {
    wanted_lines w{e.program->name, e.program->parameters(options.request_of(e)), {}};
    if (options.lists_serial()) {
        w.schedulers_and_workers.emplace_back("serial", 1U);
    }
    for (const unsigned workers : options.workers) {
        for (const std::string& scheduler : options.schedulers_of(e)) {
            if (scheduler != "serial") {
                w.schedulers_and_workers.emplace_back(scheduler, workers);
            }
        }
    }
    return w;
}

bool is_verified(const json& line) { return line.at("verified") == true; }

// With the same choices, and no other. What follows a scheduler's name (parley-half) is not one of them.
bool is_tuned_as(const json& line, const parley_peers::tuning_choices& choices) {
    const std::string scheduler = line.at("scheduler");
    parley_peers::tuning_choices found;
    const json tuning = line.value("tuning", json::object());
    for (const auto& [name, value] : tuning.items()) {
        const parley_peers::tuning_key* const key = parley_peers::find_tuning_key(name);
        if (key != nullptr && parley_peers::has_tuning(scheduler, *key) && value.is_string()) {
            found.emplace(name, value);
        }
    }
    parley_peers::tuning_choices wanted = parley_peers::tuning_of(scheduler, choices);
    if (!wanted.contains("split")) {
        const auto& with_splits = parley_programs::schedulers_with_splits();
        if (std::find(with_splits.begin(), with_splits.end(), scheduler) != with_splits.end()) {
            found.erase("split");
        }
    }
    return found == wanted;
}

bool is_good_enough(const json& line, const bench_options& options) {
    bool from_here = true;
    const json here = origin_of_results();
    for (const auto& [key, value] : here.items()) {
        from_here = from_here && line.at(key) == value;
    }
    const unsigned rounds = line.at("repetitions");
    const bool often_enough = !options.repeat    ? rounds >= least_rounds
                              : !options.seconds ? rounds == *options.repeat
                                                 : rounds >= std::min(least_rounds, *options.repeat);
    return is_verified(line) && from_here && often_enough && is_tuned_as(line, options.tuning);
}

}  // namespace

finished_programs::finished_programs(const bench_options& options) : lines_(options.entries.size()) {
    const auto partial = partial_of(options.json_file);
    if (!partial) {
        return;
    }
    std::vector<json> found = read_lines(options.json_file, *partial);
    for (std::size_t i = 0; i < options.entries.size(); ++i) {
        const wanted_lines wanted = wanted_of(options, options.entries[i]);
        const auto mine =
            std::stable_partition(found.begin(), found.end(), [&](const json& line) { return !wanted.wants(line); });
        std::vector<json> lines(mine, found.end());
        found.erase(mine, found.end());
        const bool all_good =
            std::all_of(lines.begin(), lines.end(), [&](const json& line) { return is_good_enough(line, options); });
        if (all_good && lines.size() == wanted.schedulers_and_workers.size()) {
            lines_[i] = std::move(lines);
        } else if (std::any_of(lines.begin(), lines.end(), is_verified)) {
            ++measured_anew_;
        }
    }
    const auto foreign = std::find_if(found.begin(), found.end(), is_verified);
    if (foreign != found.end()) {
        refuse(options.json_file, fmt::format("has results that this command does not ask for ({} {} on {}, workers: {})",
                                              foreign->at("program").dump(), foreign->at("parameters").dump(),
                                              foreign->at("scheduler").dump(), foreign->at("workers").dump()));
    }
}

const std::vector<json>& finished_programs::lines_of(std::size_t entry) const {
    static const std::vector<json> none;
    return entry < lines_.size() ? lines_[entry] : none;
}

std::vector<json> finished_programs::all_lines() const {
    std::vector<json> all;
    for (const auto& lines : lines_) {
        all.insert(all.end(), lines.begin(), lines.end());
    }
    return all;
}

std::size_t finished_programs::finished() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(lines_.begin(), lines_.end(), [](const auto& lines) { return !lines.empty(); }));
}

}  // namespace parley_cli
