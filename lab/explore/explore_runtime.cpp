// explore-runtime SCENE: the executions of a small program over the real library, thread by thread.
#include <lab/explore/execution.hpp>
#include <lab/explore/readable.hpp>
#include <lab/explore/scene.hpp>
#include <lab/explore/search.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>

namespace {

namespace explore = parley::explore;

struct order {
    std::string scene;
    bool list = false;
    bool all = false;
    int deviations = -1;  // as the scene says
    int seeds = -1;       // as the scene says
    std::uint64_t first_seed = 1;
    double seconds = 0;
    bool every_step = false;
    std::string replay;
};

const explore::scene& scene_named(const std::string& name) {
    for (const explore::scene& s : explore::scenes())
        if (name == s.name) return s;
    throw std::invalid_argument("there is no scene '" + name + "'; see explore-runtime --list");
}

explore::search_limits limits_of(const explore::scene& s, const order& o) {
    return {.deviations = o.deviations >= 0 ? static_cast<unsigned>(o.deviations) : s.deviations,
            .every_step = o.every_step,
            .seeds = o.seeds >= 0 ? static_cast<unsigned>(o.seeds) : s.seeds,
            .first_seed = o.first_seed,
            .seconds = o.seconds};
}

// 1: the execution is not as it has to be.
int again(explore::executions& process, const explore::scene& s, const std::string& text) {
    const explore::schedule schedule = explore::schedule_of(text);
    const explore::report& r = process.run(s, explore::settings_for(s, schedule));
    if (r.how == explore::verdict::diverged) throw std::invalid_argument("--replay: " + std::string(r.text.data()));
    if (!schedule.empty() && schedule.back().step >= r.steps)
        throw std::invalid_argument("--replay: the scene comes to no step " + std::to_string(schedule.back().step));
    std::cout << explore::text_of_steps(r) << process.said();
    std::cout << (r.how == explore::verdict::fine ? "It ends as it has to." : r.text.data()) << '\n';
    return r.how == explore::verdict::fine ? 0 : 1;
}

int run(explore::executions& process, const explore::scene& s, const order& o) {
    const auto begin = std::chrono::steady_clock::now();
    const explore::search_result r = explore::search(process, s, limits_of(s, o));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s:", s.name);
    for (std::size_t d = 0; d < r.executions.size(); ++d)
        std::printf(" %llu with %zu,", static_cast<unsigned long long>(r.executions[d]), d);
    std::printf(" %llu random, %s, %llu steps, %.1f s\n", static_cast<unsigned long long>(r.random),
                r.is_complete && !r.found ? "all" : "not all", static_cast<unsigned long long>(r.steps), took.count());
    std::fflush(stdout);
    if (!r.found) return 0;
    const explore::report& bad = process.run(s, explore::settings_for(s, r.found->how));
    std::cout << explore::text_of_steps(bad) << process.said() << r.found->what << "\nAgain: explore-runtime " << s.name
              << " --replay " << explore::text_of(r.found->how) << '\n';
    return 1;
}

void list_scenes() {
    for (const explore::scene& s : explore::scenes())
        std::printf("%-18s %u deviations, %5u random: %s\n", s.name, s.deviations, s.seeds, s.asks);
}

int run_as_asked(explore::executions& process, const order& o) {
    if (o.list) {
        list_scenes();
        return 0;
    }
    if (!o.replay.empty()) return again(process, scene_named(o.scene), o.replay);
    if (!o.all) return run(process, scene_named(o.scene), o);
    int status = 0;
    for (const explore::scene& s : explore::scenes()) status = std::max(status, run(process, s, o));
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    explore::executions process;  // first: it finds the memory as it is now
    order o;
    CLI::App app("Explores the executions of small programs over the real library");
    app.add_option("scene", o.scene, "what to explore");
    app.add_flag("--list", o.list, "the names of all scenes");
    app.add_flag("--all", o.all, "explore all scenes");
    app.add_option("--deviations", o.deviations, "instead of the scene's own number")->check(CLI::Range(0, 8));
    app.add_flag("--every-step", o.every_step, "single deviations also where no other thread comes to that object later");
    app.add_option("--seeds", o.seeds, "so many random executions, instead of the scene's own number")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--first-seed", o.first_seed, "of the random executions")->check(CLI::PositiveNumber);
    app.add_option("--seconds", o.seconds, "begin no execution of a scene after so long")->check(CLI::NonNegativeNumber);
    app.add_option("--replay", o.replay, "show one execution: its schedule");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& e) {
        std::cerr << "explore-runtime: " << e.what() << '\n';
        return 2;
    }
    try {
        if (o.scene.empty() && !o.replay.empty()) throw std::invalid_argument("--replay is with a scene");
        if (!o.list && !o.all && o.scene.empty()) throw std::invalid_argument("name a scene, or say --list or --all");
        if (o.all && !o.scene.empty()) throw std::invalid_argument("--all is without a scene");
        return run_as_asked(process, o);
    } catch (const std::exception& e) {
        std::cerr << "explore-runtime: " << e.what() << '\n';
        return 2;
    }
}
