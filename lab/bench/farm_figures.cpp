// The figures 6 to 13 of Moniruzzaman and Idrees (2015): how many times as fast as round robin (RRS) other schedulers
// of farms are. Theirs is ARRS ("adaptive"); on-demand and stealing stand beside it. Each point says how it was made:
// on the processors of this machine, or with lanes that sleep instead of working, where the paper has more of them.
// The schedulers take turns; printed are medians of the ratios within each turn, with 95% intervals, beside the paper's
// model. Usage: farm-figures [FIGURE...] [--repeat N] [--large] [--json FILE] [--plot FOLDER]
#include "command/machine.hpp"
#include "command/usage.hpp"
#include "lab/bench/measure.hpp"
#include "lab/command/plot.hpp"
#include "lab/peers/streams/parley.hpp"
#include "lab/programs/farm.hpp"
#include "lab/programs/farm_model.hpp"
#include "lab/programs/molecules.hpp"
#include "lab/programs/solution_pool.hpp"

#include <parley_build_info.hpp>
#include <parley_farm_figures_script.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace parley_programs;
using scheduler = parley_peers::parley_streams;
using parley_peers::stream_plan;

constexpr std::array schedules{"round-robin", "adaptive", "on-demand", "stealing"};

// Words for how a point was made.
constexpr const char* with_processors = "a processor for each lane";
constexpr const char* sleeping = "lanes that sleep, a thread each";
constexpr const char* oversubscribed = "more lanes than processors";

struct point {
    int figure;
    std::string series;
    const char* how;
    std::uint64_t x;
    double model;  // equation (2); 0: it has nothing to say here
    std::size_t chunk = 300;
    std::function<void(const stream_plan& as)> run;  // of the plan it takes schedule, depth and chunk
};

struct sizes {
    scheduler::pool& pool;
    unsigned processors;
    std::uint64_t largest;           // items that work
    std::uint64_t largest_sleeping;  // items that sleep
};

std::vector<std::uint64_t> tens(std::uint64_t from, std::uint64_t largest) {
    std::vector<std::uint64_t> all;
    for (; from <= largest; from *= 10) all.push_back(from);
    return all;
}

// A farm whose last lane is another one.
point farm_point(const sizes& s, int figure, std::string series, const char* how, std::uint64_t n, unsigned lanes,
                 lane_work others, lane_work last, std::size_t chunk = 300) {
    farm_plan plan;
    plan.stream.items = n;
    plan.stream.lanes = lanes;
    plan.stream.ordered = false;  // as the paper's farm
    plan.stream.alike = false;
    plan.stream.blocks = others.sleeps > 0 || how == oversubscribed;
    plan.others = others;
    plan.last = last;
    double model = 0.0;
    if (how != oversubscribed) {
        const auto seconds = [](const lane_work& work) { return seconds_of([&work] { (void)work(); }); };
        model = farm_model{lanes, seconds(others), seconds(last)}.speedup();
    }
    return {figure, std::move(series), how, n, model, chunk, [&s, plan](const stream_plan& as) {
                farm_plan now = plan;
                now.stream.schedule = as.schedule;
                now.stream.chunk = as.chunk;
                s.pool.run([&] { return farm<scheduler>(now, s.pool)().items; });
            }};
}

constexpr lane_work primes{.upto = 7'500}, fewer_primes{.upto = 2'000};
constexpr lane_work sleep{.sleeps = 2'800}, shorter_sleep{.sleeps = 483};

void add_farms(std::vector<point>& all, const sizes& s, int figure, const lane_work& last, const lane_work& last_asleep) {
    for (const std::uint64_t n : tens(100, s.largest))
        all.push_back(farm_point(s, figure, "2 lanes", with_processors, n, 2, primes, last));
    for (const unsigned lanes : {4U, 8U, 16U})
        for (const std::uint64_t n : tens(100, s.largest_sleeping))
            all.push_back(farm_point(s, figure, fmt::format("{} lanes", lanes), sleeping, n, lanes, sleep, last_asleep));
}

// Lanes are alike, so stealing is the farm without lanes.
void add_molecules(std::vector<point>& all, const sizes& s, int figure, unsigned side, unsigned lanes) {
    const std::uint64_t pairs = molecules(side).pairs().size();
    all.push_back({figure, figure == 11 ? fmt::format("{} lanes", lanes) : fmt::format("{} pairs", pairs),
                   lanes <= s.processors ? with_processors : oversubscribed, figure == 11 ? pairs : lanes, 0.0, 300,
                   [&s, side, lanes](const stream_plan& as) {
                       stream_plan now = as;
                       now.lanes = lanes;
                       now.ordered = false;
                       s.pool.run([&] { return pair_farm<scheduler>(side, 5, now, s.pool)().pairs; });
                   }});
}

void add_pool(std::vector<point>& all, const sizes& s, std::uint64_t pool) {
    pool_plan plan;
    plan.stream.items = 1'000;
    plan.stream.lanes = 2;
    plan.stream.alike = false;
    plan.pool = pool;
    plan.trials = 2'000;
    plan.trials_of_last = 500;
    const auto seconds = [](std::uint64_t trials) { return seconds_of([trials] { solution(1).improve(trials); }); };
    const farm_model model{2, seconds(plan.trials), seconds(plan.trials_of_last)};
    all.push_back({13, "2 lanes, 1000 items", with_processors, pool, model.speedup(), 20, [&s, plan](const stream_plan& as) {
                       pool_plan now = plan;
                       now.stream.schedule = as.schedule;
                       now.stream.chunk = as.chunk;
                       s.pool.run([&] { return solution_pool<scheduler>(now, s.pool)().items; });
                   }});
}

std::vector<point> points_of(int figure, const sizes& s) {
    std::vector<point> all;
    switch (figure) {
        case 6: add_farms(all, s, 6, primes, sleep); break;
        case 7:
            add_farms(all, s, 7, fewer_primes, shorter_sleep);
            // As many items as in the paper, in a time that can be waited for.
            all.push_back(
                farm_point(s, 7, "2 lanes, short items", with_processors, 100'000, 2, {.upto = 1'500}, {.upto = 460}));
            break;
        case 8:
            for (const std::size_t chunk : {20U, 50U, 100U, 300U, 1'000U})
                for (const std::uint64_t n : tens(100, s.largest))
                    all.push_back(farm_point(s, 8, fmt::format("blocks of {}", chunk), with_processors, n, 2, primes,
                                             fewer_primes, chunk));
            break;
        case 9:
            for (const std::uint64_t n : tens(100, s.largest))
                all.push_back(
                    farm_point(s, 9, "2 lanes", with_processors, n, 2, {.upto = 3'500}, {.upto = 3'500, .times = 3}));
            break;
        case 10:
            for (const std::uint64_t n : tens(100, s.largest))
                all.push_back(farm_point(s, 10, "20 threads", oversubscribed, n, 20, primes, primes));
            break;
        case 11:
            for (const unsigned side : {6U, 8U, 10U, 12U, 14U}) add_molecules(all, s, 11, side, 8);
            break;
        case 12:
            for (const unsigned lanes : {2U, 4U, 8U, 12U, 16U, 20U}) add_molecules(all, s, 12, 12, lanes);
            break;
        default:
            for (const std::uint64_t pool : {20U, 50U, 100U, 200U, 400U}) add_pool(all, s, pool);
    }
    return all;
}

// Prints a line for each scheduler but round robin, and returns the same as JSON.
std::vector<std::string> measure(const point& p, int repeat) {
    std::map<std::string, std::vector<double>> taken;
    for (int i = -1; i < repeat; ++i)  // the first turn warms up
        for (const char* schedule : schedules) {
            stream_plan as;
            as.schedule = schedule;
            as.chunk = p.chunk;
            const double seconds = parley_bench::seconds([&] { p.run(as); });
            if (i >= 0) taken[schedule].push_back(seconds);
        }
    std::vector<std::string> lines;
    for (std::size_t k = 1; k < schedules.size(); ++k) {
        const parley_bench::interval ratio = parley_bench::pair_of_runs{taken["round-robin"], taken[schedules[k]]}.ratio();
        fmt::print("{:>6}  {:<22} {:<32} {:>7}  {:<10} {:>6.2f}  [{:.2f}, {:.2f}]  {}\n", p.figure, p.series, p.how, p.x,
                   schedules[k], ratio.middle, ratio.low, ratio.high, p.model > 0 ? fmt::format("{:.2f}", p.model) : "");
        nlohmann::ordered_json line{{"figure", p.figure},
                                    {"series", p.series},
                                    {"how", p.how},
                                    {"x", p.x},
                                    {"schedule", schedules[k]},
                                    {"chunk", p.chunk},
                                    {"speedup", {{"low", ratio.low}, {"median", ratio.middle}, {"high", ratio.high}}},
                                    {"model", nullptr},
                                    {"round_robin_seconds", parley_cli::median_of(taken["round-robin"])},
                                    {"repetitions", repeat},
                                    {"machine", parley_cli::machine_summary()},
                                    {"compiler", PARLEY_COMPILER},
                                    {"commit", PARLEY_COMMIT}};
        if (p.model > 0) line["model"] = p.model;
        lines.push_back(line.dump());
    }
    return lines;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<int> figures{6, 7, 8, 9, 10, 11, 12, 13};
    int repeat = 5;
    bool large = false;
    std::string json, folder;
    CLI::App app("The figures 6 to 13 of Moniruzzaman and Idrees (2015): schedulers of farms beside round robin");
    app.add_option("FIGURE", figures, "which; default: all")->check(CLI::Range(6, 13));
    app.add_option("--repeat", repeat, "turns")->check(CLI::Range(1, 1'000));
    app.add_flag("--large", large, "up to 100,000 items, as in the paper: hours");
    app.add_option("--json", json, "file for JSON lines");
    app.add_option("--plot", folder, "draw farm-figures.svg and .png there (wants python3-matplotlib)");
    try {
        app.parse(argc, argv);
        if (!folder.empty()) parley_cli::require_plotting("farm-figures", folder);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const parley_cli::usage_error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
    std::ofstream file;
    if (!json.empty()) {
        file.open(json);
        if (!file) {
            fmt::print(stderr, "farm-figures: cannot write {}\n", json);
            return 2;
        }
    }
    const unsigned processors = std::max(2U, std::thread::hardware_concurrency());
    scheduler::pool pool({processors, {}});
    const sizes s{pool, processors, large ? 100'000U : 10'000U, large ? 100'000U : 1'000U};
    fmt::print(
        "{} turns, {}, {}, commit {}\ntime of round robin / time, 95% intervals\n"
        "figure  series                 how                                    x  schedule   median\n",
        repeat, parley_cli::machine_summary(), PARLEY_COMPILER, PARLEY_COMMIT);
    std::vector<std::string> lines;
    for (const int figure : figures)
        for (const point& p : points_of(figure, s))
            for (std::string& line : measure(p, repeat)) {
                if (file.is_open()) file << line << std::endl;
                lines.push_back(std::move(line));
            }
    if (!folder.empty()) parley_cli::plot({farm_figures_script, "farm-figures"}, lines, folder);
    return file.is_open() && !file ? 1 : 0;
}
