#include "lab/command/sim/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <lab/papers/circulating.hpp>
#include <string_view>
#include <utility>

#include "command/output_file.hpp"
#include "command/usage.hpp"
#include "lab/command/sim/cost_file.hpp"
#include "lab/command/sim/given_options.hpp"
#include "lab/command/sim/option_table.hpp"
#include "lab/command/sim/studies.hpp"
#include "lab/peers/tuning.hpp"
#include "lab/programs/shapes/farms.hpp"
#include "lab/programs/shapes/shapes.hpp"

namespace parley_cli {
namespace {

namespace timed = parley::sim::timed;
using parley_programs::program;

constexpr std::uint32_t most_with_map = 4096;  // their distances are a list of workers^2

std::vector<std::string> simulated_names() {
    std::vector<std::string> all = parley_programs::shapes::names();
    const auto& farms = parley_programs::shapes::farm_names();
    all.insert(all.end(), farms.begin(), farms.end());
    return all;
}

void print_help() {
    fmt::print(
        "parley sim PROGRAM [options]: runs a program's tasks on virtual workers in virtual time, by the real\n"
        "protocol. The same arguments give the same output, on any machine; PARLEY_* variables are not read.\n"
        "parley sim --calibrate [FILE]: measures what things cost here and writes a cost file.\n\nPrograms:\n");
    for (const std::string& name : simulated_names()) {
        fmt::print("  {:<14}{}\n", name, parley_programs::find_program(name)->summary);
    }
    fmt::print("\nOther than programs:\n{}", study_summaries());
    fmt::print("\nMachines for --costs: {}, or a file\nOptions of each: parley sim PROGRAM --help\n",
               join(known_machines()));
}

const program& program_named(std::string_view typed) {
    const std::vector<std::string>& shapes = parley_programs::shapes::names();
    if (std::find(shapes.begin(), shapes.end(), typed) != shapes.end()) {
        return *parley_programs::find_program(typed);
    }
    const std::vector<std::string> names = simulated_names();
    const bool is_program = parley_programs::find_program(typed) != nullptr;
    std::vector<std::string> all = names;
    all.insert(all.end(), study_names().begin(), study_names().end());
    throw usage_error(fmt::format("parley sim: {} {}; programs: {}{}",
                                  is_program ? "there is no simulation of" : "there is no program", shown(typed), join(all),
                                  is_program ? "" : suggestion(typed, all)));
}

class command_line {
public:
    command_line(const program& p, arguments words) : program_(p), typed_(p, options_of_sim(p), words) {}

    [[nodiscard]] const given_options& typed() const noexcept { return typed_; }

    [[nodiscard]] sim_options options() const {
        sim_options o;
        o.what = &program_;
        o.profile_file = typed_.value("profile-svg", "");
        o.profile = typed_.has("profile") || !o.profile_file.empty();
        o.json_file = typed_.value("json", "");
        typed_.require_different_files("trace", "profile-svg");
        typed_.require_different_files("trace", "json");
        typed_.require_different_files("profile-svg", "json");
        given_options::sweep sweep = typed_.swept();
        for (const option_texts& given : sweep.runs) {
            o.runs.push_back(run(given));
        }
        o.timeline = typed_.timeline(sweep);
        if (typed_.has("profile-svg") && !sweep.name.empty())
            typed_.refuse("profile-svg", "is of one run; not allowed with --sweep");
        o.swept = std::move(sweep.name);
        o.values = std::move(sweep.values);
        o.picture = typed_.picture(std::move(sweep.points));
        return o;
    }

private:
    [[nodiscard]] sim_run run(const option_texts& given) const {
        const auto text = [&](const char* name) { return typed_.text(given, name); };
        const auto number = [&](const char* name) { return static_cast<std::uint32_t>(std::stoul(text(name))); };
        sim_run r;
        r.parameters = parameters(given);
        timed::setup& s = r.setup;
        s.machine = costs_of(text("costs"));
        const timed::topology& t = s.machine.places;
        const std::uint32_t places = t.sockets * t.nodes_per_socket * t.cores_per_node * t.threads_per_core;
        s.workers = given.contains("workers") ? number("workers") : places;
        s.seed = number("seed");
        s.how = choices(text, number);
        if (given.contains("patience")) s.how.patience = number("patience");
        s.how = timed::settled(s.how, s.workers);
        if (s.how.victim == parley::threading::victims::nearest && s.workers > most_with_map) {
            typed_.refuse("victim",
                          fmt::format("nearest is not allowed with {} workers; at most {}", s.workers, most_with_map));
        }
        const std::string ends = text("ends");
        const bool circulates = s.how.papers.has_value();
        s.barriers_for_waits = ends == "barriers";
        s.barrier = ends == "barrier" || s.barriers_for_waits || (ends == "auto" && circulates);
        s.barriers = number("barriers");
        s.locks_channels = text("channels") == "locked";
        s.weighs = text("weigh") == "on" && !circulates;
        s.task_lines = number("task-lines");
        share_cores(given, s);
        begin_asleep(given, s);
        s.iteration_lines = number("iteration-lines");
        const std::string faults = text("faults");
        s.faults = faults_named(faults);
        r.faults = faults;
        if (circulates) {
            require_papers_way(given);
            if (faults == "resizes")
                typed_.refuse("faults", "resizes needs --termination scan: a worker whose request circulates cannot go");
            s.faults.resize_pause = 0;
        }
        return r;
    }

    // Beside programs that compute, workers have a core each if nothing else is said.
    void share_cores(const option_texts& given, timed::setup& s) const {
        s.beside = static_cast<std::uint32_t>(std::stoul(typed_.text(given, "beside")));
        if (given.contains("cores")) s.cores = static_cast<std::uint32_t>(std::stoul(given.at("cores")));
        else if (s.beside != 0) s.cores = s.workers;
        s.slice = std::llround(*microseconds_in(typed_.text(given, "slice")) * 1e6);
        if (s.slice == 0) typed_.refuse("slice", "0 is not allowed; allowed: a time above 0, to 1s");
        if (given.contains("slice") && s.cores == 0) typed_.refuse("slice", "is of shared cores; wants --cores or --beside");
    }

    void begin_asleep(const option_texts& given, timed::setup& s) const {
        s.asleep = given.contains("asleep");
        if (!s.asleep) return;
        const bool circulates = s.how.papers.has_value();
        if (circulates || s.how.failed == parley::threading::failed_requests::backoff) {
            typed_.refuse("asleep", fmt::format("has no meaning with {}: nobody sleeps until it is woken",
                                                circulates ? "--termination " + typed_.text(given, "termination")
                                                           : "--failed backoff"));
        }
    }

    // Who circulates requests neither rests nor interrupts anybody (policy/settled_options.cpp).
    void require_papers_way(const option_texts& given) const {
        const std::array<std::pair<const char*, std::string_view>, 5> only{
            {{"weigh", "off"}, {"watchdog", "off"}, {"failed", "backoff"}, {"answers", "at-once"}, {"patience", ""}}};
        for (const auto& [name, allowed] : only) {
            if (given.contains(name) && given.at(name) != allowed) {
                typed_.refuse(name, fmt::format("{} has no meaning with --termination {}{}", given.at(name),
                                                typed_.text(given, "termination"),
                                                allowed.empty() ? "" : fmt::format("; allowed: {}", allowed)));
            }
        }
    }

    // With times that have fractions.
    [[nodiscard]] parley_programs::json parameters(const option_texts& given) const {
        auto all = program_.parameters(typed_.request(given));
        for (const char* name : {"t", "poll"}) {
            if (given.contains(name) && all.contains(name)) {
                const double us = *microseconds_in(given.at(name));
                if (us == static_cast<double>(static_cast<std::int64_t>(us))) {
                    all[name] = static_cast<std::int64_t>(us);
                } else {
                    all[name] = us;
                }
            }
        }
        typed_.require_no_complaint(all);
        return all;
    }

    template <class Text, class Number>
    [[nodiscard]] timed::choices choices(const Text& text, const Number& number) const {
        namespace protocol = parley::protocol;
        timed::choices c;
        for (const char* key : {"steal", "split", "victim", "early", "requests", "failed", "answers", "dry", "watchdog"}) {
            static_cast<parley::threading::tuning&>(c) = parley_peers::tuned_by(key, text(key), c);
        }
        c.watchdog = text("watchdog") == "off" ? parley::watchdogs::off : parley::watchdogs::on;
        const std::string termination = text("termination");
        const protocol::circulating papers{
            .detects = termination == "counter"     ? protocol::detection::by_shared_counter
                       : termination == "dedicated" ? protocol::detection::by_dedicated_manager
                                                    : protocol::detection::by_manager,
            .revokes = text("revoke") == "own" ? protocol::revocation::own : protocol::revocation::any,
            .refuses = text("refuse") == "forward" ? protocol::refusal::forwards : protocol::refusal::acknowledges,
            .continues = number("continue") == 1,
            .hijacks = number("hijack") == 1};
        if (termination != "scan") {
            c.papers = papers;
        } else if (papers != protocol::circulating{}) {
            throw usage_error(
                "parley: revoke, refuse, continue and hijack are choices of the protocol of the papers: with "
                "termination = manager, dedicated or counter");
        }
        return c;
    }

    const program& program_;
    given_options typed_;
};

}  // namespace

std::optional<sim_options> parse_sim(arguments words) {
    if (words.empty()) {
        throw usage_error(fmt::format("parley sim: which program? programs: {}, {}; see parley sim --help",
                                      join(simulated_names()), join(study_names())));
    }
    const std::string_view first = words.front();
    if (first == "--help" || first == "-h") {
        print_help();
        return std::nullopt;
    }
    if (first == "--calibrate") {
        if (words.size() > 2) {
            throw usage_error(
                fmt::format("parley sim --calibrate: {} is one word too many; allowed: a file to write, or - "
                            "for standard output",
                            shown(words[2])));
        }
        if (words.size() == 2 && std::string_view(words[1]).starts_with('-') && std::string_view(words[1]) != "-") {
            throw usage_error(
                fmt::format("parley sim --calibrate: {} is no option of it; allowed: a file to write, or - for "
                            "standard output",
                            shown(words[1])));
        }
        sim_options o;
        o.calibrate = words.size() == 2 ? words[1] : "-";
        return o;
    }
    const program& p = program_named(first);
    const command_line line(p, words.subspan(1));
    if (line.typed().wants_help()) {
        line.typed().print_help();
        return std::nullopt;
    }
    return line.options();
}

}  // namespace parley_cli
