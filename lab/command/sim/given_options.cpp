#include "lab/command/sim/given_options.hpp"

#include <fmt/format.h>

#include "command/output_file.hpp"
#include "command/usage.hpp"

#include <utility>

namespace parley_cli {

namespace timed = parley::sim::timed;

void given_options::print_help() const { fmt::print("parley sim {}: {}\n\n{}", name(), program_.summary, help()); }

parley_programs::request given_options::request(const option_texts& run) const {
    parley_programs::request wanted;
    for (const auto& spec : program_.options) {
        const auto found = run.find(std::string(spec.name));
        if (found != run.end() && !find(spec.name)->is_time) {
            wanted.given.insert(*found);
        }
    }
    wanted.size = run.contains("size") ? run.at("size") : "small";
    if (run.contains("seed")) {
        wanted.seed = std::stoull(run.at("seed"));
    }
    return wanted;
}

sweep_picture given_options::picture(std::vector<parley_programs::json> points) const {
    const std::string folder = value("plot", "");
    if (!folder.empty() && points.empty()) refuse("plot", "draws a sweep; wants --sweep");
    return {folder, std::move(points)};
}

wanted_timeline given_options::timeline(const sweep& runs) const {
    const wanted_timeline wanted{value("trace", ""), static_cast<std::uint32_t>(std::stoul(value("trace-events", "0")))};
    const bool events_swept = !runs.points.empty() && runs.points.front().contains("trace-events");
    if (events_swept || (wanted.events != 0 && wanted.file.empty()))
        refuse("trace-events", "is of a timeline; wants --trace");
    if (has("trace") && !runs.name.empty()) refuse("trace", "is of one run; not allowed with --sweep");
    return wanted;
}

void given_options::require_different_files(const char* one, const char* other) const {
    const std::string file = value(one, "");
    if (is_same_file(file, value(other, "")))
        refuse(one, fmt::format("{} is --{}'s, too; wants another file", shown(file), other));
}

void given_options::require_no_complaint(const parley_programs::json& parameters) const {
    const std::string wrong = program_.complaint != nullptr ? program_.complaint(parameters) : "";
    if (!wrong.empty()) {
        throw usage_error(fmt::format("parley sim {}: {}", program_.name, wrong));
    }
}

timed::faults faults_named(const std::string& name) {
    timed::faults f;
    const bool all = name == "all";
    if (all || name == "stalls") {
        f.stall_chance = 256;
        f.stall = 50 * timed::microsecond;
    }
    if (all || name == "late") {
        f.late_chance = 1024;
        f.late = 20 * timed::microsecond;
    }
    if (all || name == "slow") {
        f.slow_chance = 8192;
        f.slow_percent = 50;
    }
    if (all || name == "resizes") f.resize_pause = 100 * timed::microsecond;
    return f;
}

}  // namespace parley_cli
