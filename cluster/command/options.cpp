#include "cluster/command/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <utility>

#include "cluster/command/units.hpp"
#include "command/usage.hpp"

namespace parley_cli {
namespace {

using parley::cluster::graph;
using parley::cluster::routing;
using parley::cluster::stealing;
using parley::cluster::termination;
using parley_programs::cluster::json;
using parley_programs::cluster::option;
using parley_programs::cluster::program;
using parley_programs::cluster::unit;

struct typed {
    option what;
    std::string value;
};

// Those of every program.
std::vector<option> common_options() {
    return {
        {"scheduler",
         "parley steals; static: each rank does what it has brought; master: groups in which ranks hand out "
         "their tasks in turn",
         unit::word,
         "parley",
         {"parley", "static", "master"}},
        {"workers", "of each rank", unit::count, "1"},
        {"overlay", "who talks to whom", unit::word, "small-world", {"small-world", "random", "ring", "complete"}},
        {"degree", "neighbours of a rank on average; 0: 4 log2 of the ranks", unit::count, "0"},
        {"steal", "how much a thief takes", unit::word, "half", {"one", "half", "adaptive"}},
        {"results", "their way home", unit::word, "overlay", {"overlay", "direct"}},
        {"ends",
         "how the end is found: four-counter waves, or local completion and a barrier; tasks that spawn "
         "tasks end by waves",
         unit::word,
         "barrier",
         {"barrier", "waves"}},
        {"relays", "whether a rank without tasks to spare asks for those that ask it", unit::word, "on", {"on", "off"}},
        {"steal-bytes", "tasks in one message at most", unit::bytes, "8M"},
        {"look", "a rank looks at its messages at least this often", unit::seconds, "200us"},
        {"connect", "in simulation: what the first message between two ranks costs its sender", unit::seconds, "0s"},
        {"seed", "of the overlay and of the choice of victims", unit::count, "1"},
        {"repeat", "repetitions", unit::count, "3"},
    };
}

std::string allowed(const option& o) {
    switch (o.kind) {
        case unit::count: return "a whole number, as 500 or 2k";
        case unit::seconds: return "a time, as 1s, 20ms or 5us";
        case unit::bytes: return "a number of bytes, as 64, 2k or 1M";
        case unit::word: break;
    }
    return join(o.words);
}

json value_of(const typed& t) {
    switch (t.what.kind) {
        case unit::seconds: return *seconds_in(t.value);
        case unit::count:
        case unit::bytes: return *count_in(t.value);
        case unit::word: break;
    }
    return t.value;
}

std::string complaint(const option& o, const std::string& value) {
    bool is_good = false;
    switch (o.kind) {
        case unit::count:
        case unit::bytes: is_good = count_in(value).has_value(); break;
        case unit::seconds: is_good = seconds_in(value).has_value(); break;
        case unit::word: is_good = std::ranges::find(o.words, value) != o.words.end(); break;
    }
    return is_good ? ""
                   : fmt::format("{} is not allowed; allowed: {}{}", shown(value), allowed(o), suggestion(value, o.words));
}

void add(CLI::App& app, std::vector<typed>& options) {
    for (typed& t : options) {
        t.value = t.what.initial;
        app.add_option("--" + std::string(t.what.name), t.value, std::string(t.what.help))
            ->option_text(
                fmt::format("{} (default: {})", t.what.kind == unit::word ? join(t.what.words) : "N", t.what.initial))
            ->check([o = t.what](const std::string& v) { return complaint(o, v); })
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
}

std::vector<std::string> program_names() {
    std::vector<std::string> names;
    for (const program& p : parley_programs::cluster::all_programs()) names.emplace_back(p.name);
    return names;
}

void print_programs() {
    fmt::print(
        "mpirun -np N parley cluster PROGRAM [options]: runs a program on ranks that share its tasks, and checks "
        "its result\n\nPrograms:\n");
    for (const program& p : parley_programs::cluster::all_programs()) fmt::print("  {:<12}{}\n", p.name, p.summary);
    fmt::print("\nOptions of each: parley cluster PROGRAM --help\n");
}

const program& program_named(std::string_view typed_name) {
    const auto& all = parley_programs::cluster::all_programs();
    const auto found = std::ranges::find(all, typed_name, &program::name);
    if (found == all.end())
        throw usage_error(fmt::format("parley cluster: there is no program {}; programs: {}{}", shown(typed_name),
                                      join(program_names()), suggestion(typed_name, program_names())));
    return *found;
}

lost lost_in(const std::string& text) {
    const std::size_t at = text.find('@');
    const auto rank = count_in(std::string_view(text).substr(0, at));
    const auto when = at == std::string::npos ? std::nullopt : seconds_in(std::string_view(text).substr(at + 1));
    if (!rank || !when)
        throw usage_error(
            fmt::format("parley cluster: --lose {} is not allowed; allowed: RANK@TIME, as 3@100ms", shown(text)));
    return {static_cast<unsigned>(*rank), *when};
}

template <class T>
T one_of(const json& word, std::initializer_list<std::pair<const char*, T>> all) {
    for (const auto& [name, value] : all)
        if (word == name) return value;
    throw std::logic_error("an option's word without a meaning");
}

void require(bool is_good, const char* what) {
    if (!is_good) throw usage_error(fmt::format("parley cluster: {}", what));
}

void read_common(const json& c, cluster_options& o) {
    o.how.overlay.kind = one_of<graph>(c.at("overlay"), {{"small-world", graph::small_world},
                                                         {"random", graph::random},
                                                         {"ring", graph::ring},
                                                         {"complete", graph::complete}});
    require(c.at("degree").get<std::uint64_t>() <= 1'000'000, "--degree must be at most 1000000");
    require(c.at("workers").get<std::uint64_t>() >= 1 && c.at("workers").get<std::uint64_t>() <= 1024,
            "--workers must be from 1 to 1024");
    require(c.at("repeat").get<std::uint64_t>() >= 1 && c.at("repeat").get<std::uint64_t>() <= 1'000'000,
            "--repeat must be from 1 to 1000000");
    require(c.at("steal-bytes").get<std::uint64_t>() >= 1, "--steal-bytes must be at least 1");
    require(c.at("look").get<double>() >= 1e-6, "--look must be at least 1us");
    o.how.overlay.degree = c.at("degree").get<std::uint32_t>();
    o.how.overlay.seed = o.how.seed = c.at("seed").get<std::uint64_t>();
    o.how.steal = one_of<stealing>(c.at("steal"),
                                   {{"one", stealing::one}, {"half", stealing::half}, {"adaptive", stealing::adaptive}});
    if (c.at("scheduler") == "static") o.how.steal = stealing::none;
    o.by_masters = c.at("scheduler") == "master";
    o.how.results = c.at("results") == "direct" ? routing::direct : routing::overlay;
    o.how.ends = c.at("ends") == "waves" ? termination::waves : termination::barrier;
    o.how.relays = c.at("relays") == "on";
    o.how.steal_bytes = c.at("steal-bytes").get<std::size_t>();
    o.how.look_seconds = c.at("look").get<double>();
    o.how.workers = c.at("workers").get<std::uint32_t>();
    o.connect_seconds = c.at("connect").get<double>();
    o.repeat = c.at("repeat").get<unsigned>();
    o.tuning = c;
    o.tuning.erase("repeat");
}

json values_of(const std::vector<typed>& options) {
    json all = json::object();
    for (const typed& t : options) all[std::string(t.what.name)] = value_of(t);
    return all;
}

[[noreturn]] void refuse(const program& p, const CLI::App& app, const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const CLI::Option* o : app.get_options()) names.push_back(o->get_name());
    const std::vector<std::string> extras = app.remaining();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty())
        throw usage_error(fmt::format("parley cluster {}: {} is not an option; options: {}{}", p.name, shown(extras.front()),
                                      join(names), suggestion(extras.front(), names)));
    throw usage_error(fmt::format("parley cluster {}: {}", p.name, error.what()));
}

}  // namespace

std::optional<cluster_options> parse_cluster(std::span<const char* const> arguments, bool speaks) {
    if (arguments.empty())
        throw usage_error(
            fmt::format("parley cluster: which program? programs: {}; see parley cluster --help", join(program_names())));
    const std::string_view first = arguments.front();
    if (first == "--help" || first == "-h") {
        if (speaks) print_programs();
        return std::nullopt;
    }
    cluster_options o;
    o.what = &program_named(first);
    std::vector<typed> own;
    std::vector<typed> common;
    for (const option& spec : o.what->options) own.push_back({spec, {}});
    for (const option& spec : common_options()) common.push_back({spec, {}});
    std::vector<std::string> losses;
    CLI::App app(std::string(o.what->summary), "parley cluster " + std::string(o.what->name));
    add(app, own);
    add(app, common);
    std::string local = "0";
    app.add_option("--local", local, "ranks as threads of this process, without MPI")->check([](const std::string& v) {
        const auto n = count_in(v);
        return n && *n >= 1 && *n <= 1024 ? "" : fmt::format("{} is not allowed; allowed: 1 to 1024", shown(v));
    });
    app.add_option("--lose", losses, "RANK@TIME: with --local, this rank is lost then");
    app.add_flag("--redo-lost", o.redoes_lost, "with --local: what lost ranks had is done again by its owners");
    app.add_option("--json", o.json_file, "write the result there as one line of JSON; - is standard output");
    std::string tells = "0s";
    app.add_option("--progress", tells, "rank 0 says on standard error how far it is, so often; 0s: only to a terminal")
        ->check([](const std::string& v) {
            const auto t = seconds_in(v);
            return t && (*t == 0 || (*t >= 0.01 && *t <= 1e6))
                       ? ""
                       : fmt::format("{} is not allowed; allowed: 10ms or more, or 0s", shown(v));
        });
    app.add_option("--shares", o.shares_file,
                   "write there what each rank has brought and done, as CSV; for lab/bench/cluster-at-scale draw");
    app.add_option("--trace", o.trace_file, "write one timeline of all ranks there, for chrome://tracing or Perfetto");
    try {
        app.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::CallForHelp&) {
        if (speaks) fmt::print("{}", app.help());
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        refuse(*o.what, app, error);
    }
    o.parameters = values_of(own);
    read_common(values_of(common), o);
    o.local = static_cast<unsigned>(*count_in(local));
    o.tells_every = std::chrono::milliseconds(std::llround(*seconds_in(tells) * 1000));
    for (const std::string& text : losses) o.losses.push_back(lost_in(text));
    require(o.losses.empty() || o.local > 0, "--lose needs --local: MPI ends the job when a rank dies");
    require(o.losses.empty() || o.redoes_lost, "--lose needs --redo-lost: else a lost rank ends the program");
    require(!o.redoes_lost || o.local > 0, "--redo-lost needs --local: MPI ends the job when a rank dies");
    for (const lost& l : o.losses) require(l.rank < o.local, "--lose names a rank that is not there");
    require(!o.by_masters || o.what->run_by_masters != nullptr, "--scheduler master runs only dlb and chemistry");
    require(!o.by_masters || (o.local == 0 && o.how.workers == 1),
            "--scheduler master runs over MPI with one worker of each rank");
    require(!o.by_masters || o.connect_seconds == 0, "--connect charges nothing to --scheduler master");
    if (!o.trace_file.empty()) o.how.timeline = 100'000;
    try {
        if (o.what->check != nullptr) o.what->check(o.parameters);
    } catch (const std::invalid_argument& error) {
        throw usage_error(fmt::format("parley cluster {}: {}", o.what->name, error.what()));
    }
    return o;
}

}  // namespace parley_cli
