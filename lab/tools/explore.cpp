// explore SCENE: every state that a small program can reach, over the real protocol.
#include <lab/sim/chosen_victims.hpp>
#include <lab/sim/explorer.hpp>
#include <lab/sim/explorer_scenes.hpp>
#include <lab/sim/replay.hpp>
#include <lab/sim/strategies.hpp>
#include <lab/sim/strategy_scenes.hpp>
#include <lab/sim/two_runtimes_scenes.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace sim = parley::sim;
namespace protocol = parley::protocol;

struct order {
    std::string scene;
    std::uint32_t workers = 0;  // 0: as the scene says
    sim::state_id states = 0;   // 0: as the scene says
    std::string strategies = "any,one";
    bool whole_logs = false;
    std::string replay;
    bool list = false;
    bool all = false;
};

const sim::explorer_scene& scene_named(const std::string& name) {
    for (const sim::explorer_scene& s : sim::explorer_scenes())
        if (name == s.name) return s;
    throw std::invalid_argument("there is no scene '" + name + "'; see explore --list");
}

sim::strategies strategies_named(const std::string& name) {
    for (const auto& all : {sim::all_strategies(), sim::all_brief(), sim::all_circulating(), sim::all_loading()})
        for (const sim::strategies& s : all)
            if (name == sim::name_of(s)) return s;
    throw std::invalid_argument("there are no strategies '" + name + "'; see explore --list");
}

template <class Scene>
sim::settings settings_of(const Scene& s, const order& o) {
    sim::settings set = s.with(o.workers != 0 ? o.workers : s.workers);
    set.how = strategies_named(o.strategies);
    return set;
}

std::string command_for(const std::string& scene, const order& o, const std::vector<std::uint16_t>& moves) {
    std::string text = "explore " + scene;
    if (o.workers != 0) text += " --workers " + std::to_string(o.workers);
    if (o.strategies != order().strategies) text += " --strategies " + o.strategies;
    return text + " --replay " + sim::text_of_moves(moves);
}

// 1: the run is not allowed.
template <class Machine, class Simulation, class Scene>
int again(const Scene& s, const order& o) {
    const auto p = s.make();
    sim::replay<Machine, sim::virtual_medium, Simulation> run(p, settings_of(s, o), s.open);
    std::string trouble;
    try {
        run.make(sim::moves_of_text(o.replay));
        run.check_end();
    } catch (const sim::violation& v) {
        trouble = v.what();
    }
    std::cout << run.text() << trouble << '\n';
    return trouble.empty() ? 0 : 1;
}

template <class Machine, class Simulation, class Scene>
void show(const Scene& s, const order& o, const sim::finding& f) {
    const auto p = s.make();
    sim::replay<Machine, sim::virtual_medium, Simulation> run(p, settings_of(s, o), s.open);
    try {
        run.make(f.moves);
        if (!f.for_ever.empty()) {
            std::cout << run.text() << "\nand from here on, for ever, after " << run.steps() << " steps:\n\n";
            run.make(f.for_ever);
        }
    } catch (const sim::violation&) {}
    std::vector<std::uint16_t> all = f.moves;
    all.insert(all.end(), f.for_ever.begin(), f.for_ever.end());
    std::cout << run.text() << '\n' << f.what << "\nAgain: " << command_for(s.name, o, all) << '\n';
}

template <class Machine, class Simulation = sim::simulation<Machine>, class Scene>
int explore(const Scene& s, const order& o) {
    if (!o.replay.empty()) return again<Machine, Simulation>(s, o);
    const auto begin = std::chrono::steady_clock::now();
    const auto p = s.make();
    sim::exploration_limits limits = s.limits();
    limits.live_logs_only = !o.whole_logs;
    if (o.states != 0) limits.states = o.states;
    sim::explorer<Machine, sim::virtual_medium, Simulation> e(p, settings_of(s, o), limits);
    const sim::exploration r = e.run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: %llu states, ", s.name, static_cast<unsigned long long>(r.states));
    if (o.whole_logs) std::printf("%llu of them different, ", static_cast<unsigned long long>(r.distinct));
    std::printf("%llu transitions, %llu ends, %s, %.1f s\n", static_cast<unsigned long long>(r.transitions),
                static_cast<unsigned long long>(r.ends), r.is_complete ? "all" : "not all", took.count());
    if (r.not_alike)
        std::printf("taken for one though they do not go on alike: %s and %s\n",
                    sim::text_of_moves(r.not_alike->first).c_str(), sim::text_of_moves(r.not_alike->second).c_str());
    std::fflush(stdout);
    if (!r.found) return r.not_alike ? 1 : 0;
    show<Machine, Simulation>(s, o, *r.found);
    return 1;
}

void list_scenes() {
    for (const sim::explorer_scene& s : sim::explorer_scenes())
        std::printf("%-22s %u workers: %s\n", s.name, s.workers, s.asks);
    for (const sim::two_runtimes_scene& s : sim::two_runtimes_scenes())
        std::printf("%-22s 2 times %u workers: %s\n", s.name, s.workers, s.asks);
    std::printf("\nstrategies: VICTIMS,STEALING[,two][,backoff][,closed][,early], or all, with VICTIMS one of");
    for (const char* const name : sim::victim_names) std::printf(" %s", name);
    std::printf("\nand STEALING one of");
    for (const char* const name : sim::steal_names) std::printf(" %s", name);
    std::printf(
        "\nor, where requests circulate, VICTIMS,STEALING[,early],DETECTION[,own][,acknowledge], or with half "
        "VICTIMS,half[,early],DETECTION[,acknowledge][,continue][,hijack], with DETECTION one of");
    for (const char* const name : sim::detection_names) std::printf(" %s", name);
    std::printf("\n");
}

using usual = protocol::worker<sim::chosen_victims, protocol::steal_one>;

// The protocol with fixed strategies has fewer words to remember, and says nothing of what nobody asks.
int explore_one(const sim::explorer_scene& s, const order& o) {
    using any = sim::any_worker<sim::chosen_victims>;
    return o.strategies == order().strategies ? explore<usual>(s, o) : explore<any>(s, o);
}

int explore_two(const sim::two_runtimes_scene& s, const order& o) {
    return explore<usual, sim::two_simulations<usual>>(s, o);
}

int explore_as_asked(const sim::explorer_scene& s, order o) {
    if (o.strategies != "all") return explore_one(s, o);
    int status = 0;
    for (const auto& all : {sim::all_strategies(), sim::all_brief(), sim::all_circulating(), sim::all_loading()})
        for (const sim::strategies& how : all) {
            o.strategies = sim::name_of(how);
            std::printf("%s: ", o.strategies.c_str());
            status = std::max(status, explore_one(s, o));
        }
    return status;
}

// Every scene with the usual strategies, some with others, and one with all.
int explore_all(order o) {
    int status = 0;
    for (const sim::explorer_scene& s : sim::explorer_scenes()) status = std::max(status, explore_as_asked(s, o));
    for (const sim::two_runtimes_scene& s : sim::two_runtimes_scenes()) status = std::max(status, explore_two(s, o));
    for (const sim::strategy_scene& s : sim::strategy_scenes()) {
        o.strategies = s.strategies;
        std::printf("%s: ", s.strategies);
        status = std::max(status, explore_as_asked(scene_named(s.scene), o));
    }
    o.strategies = "all";
    return std::max(status, explore_as_asked(scene_named("end2"), o));
}

int explore_named(const order& o) {
    for (const sim::two_runtimes_scene& s : sim::two_runtimes_scenes())
        if (o.scene == s.name) return explore_two(s, o);
    return explore_as_asked(scene_named(o.scene), o);
}

int run(const order& o) {
    int status = 0;
    if (o.list) list_scenes();
    else if (!o.all) status = explore_named(o);
    else status = explore_all(o);
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    order o;
    CLI::App app("Explores every state that a small program can reach, over the real protocol");
    app.add_option("scene", o.scene, "what to explore");
    app.add_flag("--list", o.list, "the names of all scenes");
    app.add_flag("--all", o.all, "explore all scenes");
    app.add_option("--workers", o.workers, "instead of the scene's own number")->check(CLI::Range(1, 6));
    app.add_option("--states", o.states, "stop after so many, instead of where the scene says");
    app.add_option("--strategies", o.strategies, "one combination, as --list says, or all");
    app.add_flag("--whole-logs", o.whole_logs, "tell more states apart than it needs");
    app.add_option("--replay", o.replay, "show one run: the numbers of its moves");
    CLI11_PARSE(app, argc, argv);
    if (!o.list && !o.all && o.scene.empty()) {
        std::cerr << app.help();
        return 2;
    }
    try {
        return run(o);
    } catch (const std::exception& e) {
        std::cerr << "explore: " << e.what() << '\n';
        return 2;
    }
}
