#include "lab/command/sim/cluster_study.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <limits>
#include <utility>

#include "command/usage.hpp"
#include "lab/command/sim/cluster_report.hpp"

namespace parley_cli {
namespace {

using namespace parley::cluster;
namespace uts = parley_programs::uts;

constexpr std::uint64_t most_ranks_with_all = 4096;  // neighbours: their lists grow with the square
constexpr std::uint64_t most_links = 100'000'000;
constexpr std::uint64_t most_tasks = 50'000'000;

// Trees of about four million nodes.
const std::vector<std::string> small_trees{"T1", "T2", "T3", "T4", "T5"};

// What an option's word means.
template <class Enum>
Enum one_of(const study_options& o, const char* option, std::initializer_list<std::pair<const char*, Enum>> all) {
    const std::string text = o.text(option);
    for (const auto& [name, value] : all)
        if (text == name) return value;
    o.refuse(option, shown(text) + " is not allowed");
}

uts::tree tree_of(const study_options& o) {
    uts::tree tree = *uts::find_tree(o.text("tree"));
    if (o.number("depth") == 0) return tree;
    if (tree.kind != uts::family::geometric)
        o.refuse("depth", fmt::format("{} has no limit; allowed with T1, T2, T5", tree.name));
    tree.depth_limit = static_cast<unsigned>(o.number("depth"));
    return tree;
}

rank_tasks tasks_of(const study_options& o) {
    const auto ranks = static_cast<std::uint32_t>(o.number("ranks"));
    const bool is_tree = o.text("shape") == "uts";
    for (const char* of_trees : {"tree", "depth"})
        if (!is_tree && o.is_given(of_trees)) o.refuse(of_trees, "is for --shape uts");
    for (const char* of_lists : {"tasks", "profile"})
        if (is_tree && o.is_given(of_lists)) o.refuse(of_lists, "is for --shape dlb");
    if (is_tree && o.is_given("ends") && o.text("ends") == "barrier")
        o.refuse("ends", "'barrier' is not allowed with --shape uts: tasks that spawn tasks end by waves");
    if (is_tree) return uts_tasks(ranks, tree_of(o), o.seconds("t"));
    const std::uint64_t each = o.number("tasks");
    if (each * ranks > most_tasks)
        o.refuse("tasks", fmt::format("{} is not allowed with {} ranks; at most {}", each, ranks, most_tasks / ranks));
    return dlb_tasks(ranks, o.text("profile"), each, o.seconds("t"));
}

void set_faults(cluster_setting& s, const std::string& which) {
    if (which == "stalls" || which == "all") {
        s.what.work.stall_chance = 0.02;
        s.what.work.stall_seconds = 5e-3;
    }
    if (which == "late" || which == "all") s.net.most_delay = 100e-6;
}

std::vector<sim_option> table_of_ranks() {
    std::vector<sim_option> all;
    const auto number = [&](const char* name, const char* help, std::int64_t low, std::int64_t high, const char* initial) {
        all.push_back({.name = name, .help = help, .low = low, .high = high, .initial = initial});
    };
    const auto word = [&](const char* name, const char* help, std::vector<std::string> words) {
        all.push_back({.name = name, .help = help, .words = words, .initial = words.front()});
    };
    const auto time = [&](const char* name, const char* help, const char* initial) {
        all.push_back({.name = name, .help = help, .placeholder = "TIME", .initial = initial, .is_time = true});
    };
    number("ranks", "each with one worker", 1, 1'000'000, "1000");
    word("shape", "dlb: tasks that ranks bring, as DLB_Bench; uts: a tree whose root is with rank 0", {"dlb", "uts"});
    number("tasks", "dlb: of a rank on average", 1, 10'000, "10");
    word("profile", "dlb: who brings how many", {"gaussian", "uniform", "linear", "step", "one"});
    word("tree", "uts: which of the official ones", small_trees);
    number("depth", "uts: another limit of a geometric tree's depth; 0: its own", 0, 20, "0");
    time("t", "of a task", "1ms");
    number("links", "neighbours of a rank on average; 0: 4 log2 of the ranks", 0, 1000, "0");
    word("overlay", "who talks to whom", {"small-world", "random", "ring", "complete"});
    word("steal", "how much a thief takes", {"half", "one", "adaptive"});
    word("results", "their way home", {"overlay", "direct"});
    word("ends", "how the end is found; uts: by waves", {"barrier", "waves"});
    word("relays", "whether a rank without tasks to spare asks for those that ask it", {"on", "off"});
    time("latency", "of a message", "1us");
    time("look", "a rank looks at its messages at least this often while a task runs", "200us");
    word("faults", "what goes wrong, by the seed: ranks that stall, messages that are late",
         {"none", "stalls", "late", "all"});
    number("seed", "of overlay, victims and faults", 0, std::numeric_limits<std::uint32_t>::max(), "1");
    return all;
}

study_plan plan_of_ranks(const std::vector<study_options>& runs, bool in_rows) {
    study_plan all{.head = in_rows ? cluster_head() : "", .runs = {}};
    for (const study_options& o : runs) {
        all.runs.push_back([s = cluster_setting_of(o), in_rows](const stop_test& stops) {
            parley::sim::virtual_work work = s.what.work;
            work.stops = stops;
            const parley::sim::virtual_report r = parley::sim::run_virtual(work, s.how, s.net);
            sim_outcome found;
            found.problem = broken_promise(r, s.what);
            found.text = in_rows ? cluster_row(s, r) : cluster_text(s, r, found.problem.empty());
            found.lines.push_back(cluster_line(s, r, found.problem.empty()).dump());
            return found;
        });
    }
    return all;
}

}  // namespace

cluster_setting cluster_setting_of(const study_options& o) {
    cluster_setting s;
    options& how = s.how;
    how.overlay.kind = one_of<graph>(o, "overlay",
                                     {{"small-world", graph::small_world},
                                      {"random", graph::random},
                                      {"ring", graph::ring},
                                      {"complete", graph::complete}});
    if (how.overlay.kind == graph::complete && o.number("ranks") > most_ranks_with_all)
        o.refuse("overlay",
                 fmt::format("'complete' is not allowed with {} ranks; at most {}", o.number("ranks"), most_ranks_with_all));
    if (o.number("links") * o.number("ranks") > most_links)
        o.refuse("links", fmt::format("{} is not allowed with {} ranks; at most {}", o.number("links"), o.number("ranks"),
                                      most_links / o.number("ranks")));
    how.overlay.degree = static_cast<std::uint32_t>(o.number("links"));
    how.overlay.seed = how.seed = o.number("seed");
    how.steal =
        one_of<stealing>(o, "steal", {{"half", stealing::half}, {"one", stealing::one}, {"adaptive", stealing::adaptive}});
    how.results = one_of<routing>(o, "results", {{"overlay", routing::overlay}, {"direct", routing::direct}});
    how.ends = o.text("ends") == "waves" || o.text("shape") == "uts" ? termination::waves : termination::barrier;
    how.relays = o.text("relays") == "on";
    how.look_seconds = o.seconds("look");
    if (!(how.look_seconds > 0)) o.refuse("look", "0 is not allowed; allowed: a time above it");
    s.net.latency = o.seconds("latency");
    s.parameters = o.parameters();
    s.parameters["ends"] = how.ends == termination::waves ? "waves" : "barrier";
    for (const char* unused : {"tasks", "profile"})
        if (o.text("shape") == "uts") s.parameters.erase(std::string(unused));
    for (const char* unused : {"tree", "depth"})
        if (o.text("shape") == "dlb") s.parameters.erase(std::string(unused));
    s.what = tasks_of(o);
    s.what.work.seed = o.number("seed");
    set_faults(s, o.text("faults"));
    return s;
}

std::string broken_promise(const parley::sim::virtual_report& r, const rank_tasks& what) {
    const statistics& n = r.total;
    if (!r.ended) return "the end was not announced to all ranks";
    if (r.early || r.announced < r.last_task) return "the end was announced before all was done";
    if (r.tasks_run != what.tasks) return fmt::format("{} tasks have run, not {}", r.tasks_run, what.tasks);
    if (r.results_missing != 0) return fmt::format("{} results have not come home", r.results_missing);
    if (r.results_doubled != 0) return fmt::format("{} results have come home twice", r.results_doubled);
    if (r.left_behind) return "a message was on its way when all ranks had closed";
    if (n.tasks != r.tasks_run || n.results_home != n.foreign || n.requests != n.refused + n.steals)
        return "the ranks' counts do not agree";
    if (what.result() != what.known) return fmt::format("the result is {}, not {}", what.result().dump(), what.known.dump());
    return {};
}

study cluster_study() {
    return {
        .summary = "ranks that share tasks, by the cluster's own protocol", .table = table_of_ranks, .plan = plan_of_ranks};
}

}  // namespace parley_cli
