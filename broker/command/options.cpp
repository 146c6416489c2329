#include "broker/command/options.hpp"

#include <algorithm>
#include <initializer_list>

#include "broker/command/parse.hpp"
#include "broker/command/socket_option.hpp"

namespace parley_cli {
namespace {

using namespace parley::broker;

constexpr double ms = 1'000'000;
constexpr double longest_ms = 3'600'000;

nanoseconds from_ms(double t) { return static_cast<nanoseconds>(t * ms); }

void add_policy(CLI::App& app, policy_choice& p) {
    const auto part = number_between(0.01, 1.0);
    app.add_option("--policy", p.name, "how cores are divided")->check(CLI::IsMember(policy_names))->capture_default_str();
    app.add_option("--least-efficiency", p.fair_share.desire.least_efficiency,
                   "useful part of its time below which a program is inefficient")
        ->check(part)
        ->capture_default_str();
    app.add_option("--growth", p.fair_share.desire.growth, "fair-share: factor by which desires grow")
        ->check(number_between(1.01, 16.0))
        ->capture_default_str();
    app.add_option("--headroom", p.fair_share.desire.headroom,
                   "fair-share: how busy a program's cores are to be after it has shrunk")
        ->check(part)
        ->capture_default_str();
    app.add_option("--hold-off", p.fair_share.desire.longest, "fair-share: longest wait for growth, in quanta")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    app.add_option("--cores-per-user", p.fair_share.caps.each,
                   "fair-share: cores that one user may have; each of its programs that runs has one in any case")
        ->check(CLI::Range(1, 1024))
        ->default_str("all");
    app.add_option("--share-below", p.paper.most_efficiency_to_share,
                   "paper: efficiency up to which a worker's core may be shared")
        ->check(number_between(0.0, 1.0))
        ->capture_default_str();
    app.add_flag("--serve-deprived", p.paper.serves_deprived, "paper: deprived programs get cores, too");
    app.add_flag_function(
        "--start-small", [&p](std::int64_t) { p.paper.starts_everywhere = false; },
        "paper: programs begin with one core instead of all");
}

// An option that would change nothing is a mistake.
void require_effect(const CLI::App& app, std::initializer_list<const char*> options, bool have_it, std::string_view where) {
    for (const char* option : options) {
        if (!have_it && app.count(option) != 0) {
            throw usage_error(fmt::format("{}: {} has a meaning with {} only", app.get_name(), option, where));
        }
    }
}

// An unset variable of a script would mean this machine, whose programs would be moved.
std::string complaint_about_empty(const std::string& text) {
    return text.empty() ? "\"\" is not allowed; without the option it is this machine as it is" : "";
}

}  // namespace

std::shared_ptr<const policy> policy_of(const policy_choice& p) {
    if (p.name == "paper") {
        return std::make_shared<bias_policy>(p.paper);
    }
    return std::make_shared<fair_share>(p.fair_share);
}

std::optional<broker_options> parse_broker(arguments args) {
    broker_options o;
    double sample = 20;
    double quantum = 50;
    double slot = 10;
    double asleep_after = 1000;
    bool gang = false;
    CLI::App app(
        "Shares this machine's cores between the programs that run on it, until a signal ends it.\n"
        "SIGUSR2: prints who has what. Also: parley broker replay FILE, parley broker run -- COMMAND.",
        "parley broker");
    add_socket_option(app, o.socket);
    app.add_option("--topology", o.machine.topology,
                   "another machine than this one: a file of hwloc's XML, or synthetic: and a description, as "
                   "synthetic:l3:4 core:12 pu:1")
        ->check(CLI::Validator(complaint_about_empty, ""));
    app.add_option(
           "--sections", o.machine.sections,
           "who decides for which cores: caches (one section for each third-level cache, memory node or package), or the "
           "cores of each, as 0-11,12-23; default: one section for all")
        ->check(CLI::Validator(complaint_about_empty, ""));
    const auto time = number_between(1.0, longest_ms);
    app.add_option("--sample", sample, "how often feedback is read, in ms")->check(time)->capture_default_str();
    app.add_option("--quantum", quantum, "how often cores are allotted, in ms")->check(time)->capture_default_str();
    app.add_option("--asleep-after", asleep_after,
                   "fair-share: how long a program does nothing before it holds no core until it runs again, in ms; 0: it "
                   "keeps one")
        ->check(number_between(0.0, longest_ms))
        ->capture_default_str();
    add_policy(app, o.policy);
    app.add_flag("--gang", gang, "programs that share cores take turns");
    app.add_option("--slot", slot, "with --gang: length of a turn, in ms")->check(time)->capture_default_str();
    app.add_option("--programs-per-user", o.programs_per_user, "programs that one user may have at a time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_flag_function(
        "--leave-threads", [&o](std::int64_t) { o.steps.moves = false; },
        "do not move the threads of programs that run outside their allotment");
    app.add_option("--log", o.log, "write everything that is decided there, for replay");
    if (!parse(app, args)) {
        return std::nullopt;
    }
    o.socket = chosen_socket(o.socket).value_or("");
    require_effect(app, {"--slot"}, gang, "--gang");
    require_effect(app, {"--growth", "--headroom", "--hold-off", "--cores-per-user", "--asleep-after"},
                   o.policy.name == "fair-share", "--policy fair-share");
    require_effect(app, {"--share-below", "--serve-deprived", "--start-small"}, o.policy.name == "paper", "--policy paper");
    if (app.count("--sample") == 0) {
        sample = std::min(sample, quantum);
    } else if (sample > quantum) {
        throw usage_error(
            fmt::format("parley broker: --sample {} is longer than --quantum {}; wants one that is not", sample, quantum));
    }
    o.steps.sample = from_ms(sample);
    o.steps.quantum = from_ms(quantum);
    // The paper's figure 3 lets everybody keep a core.
    o.steps.asleep_after = o.policy.name == "paper" ? 0 : from_ms(asleep_after);
    o.slot = gang ? from_ms(slot) : 0;
    o.policy.paper.least_efficiency = o.policy.fair_share.desire.least_efficiency;
    return o;
}

std::optional<replay_options> parse_replay(arguments args) {
    replay_options o;
    CLI::App app("Decides everything in a broker's log again, and says whether it comes out the same.",
                 "parley broker replay");
    app.add_option("FILE", o.file, "that --log has written")->required();
    app.add_option("--policy", o.policy, "another policy than the log's")->check(CLI::IsMember(policy_names));
    return parse(app, args) ? std::optional(o) : std::nullopt;
}

}  // namespace parley_cli
