// What becomes of several programs on one machine under different ways to divide its cores, in virtual time
// (parley/sim/virtual_programs.hpp): time-sharing by the system with workers that spin and with workers that park,
// equal parts, figure 3 of the BIAS paper, and the broker's default. Mixes are drawn by seeds; all ways get the same.
// Prints medians with interdecile ranges, and JSON lines with --json FILE.
// Usage: broker-policies [--seeds N] [--cores N] [--sections N] [--loss X] [--json FILE]
#include "cli/statistics.hpp"

#include <parley/base/rng.hpp>
#include <parley/broker/fair_share.hpp>
#include <parley/broker/figure3.hpp>
#include <parley/sim/virtual_programs.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace parley::sim;
namespace broker = parley::broker;
using programs = std::vector<virtual_program>;

class dice {
public:
    explicit dice(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) { return low + (high - low) * (random_.below(1'000'001) / 1e6); }
    // As many small ones as large ones on a logarithmic scale.
    double scale(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
    std::uint32_t below(std::uint32_t n) { return random_.below(n); }

private:
    parley::base::rng random_;
};

// Two programs, each four times serial and wide in turn, one of them wide first.
programs alternating(std::uint64_t seed) {
    dice d(seed);
    programs all(2);
    for (int i = 0; i < 8; ++i)
        for (int p = 0; p < 2; ++p) {
            const double about = d.between(0.5, 1.5);
            all[static_cast<std::size_t>(p)].phases.push_back(i % 2 == p ? program_phase{4 * about, 1}
                                                                         : program_phase{96 * about, 64});
        }
    return all;
}

// One that can use the whole machine, and a serial one.
programs wide_and_serial(std::uint64_t seed) {
    dice d(seed);
    return {{.arrives = d.between(0, 2), .phases = {{d.between(240, 720), 64}}},
            {.arrives = d.between(0, 2), .phases = {{d.between(10, 30), 1}}}};
}

// 24 that come within ten seconds, with one to six phases of any width.
programs many(std::uint64_t seed) {
    dice d(seed);
    programs all;
    for (int i = 0; i < 24; ++i) {
        virtual_program p{.arrives = d.between(0, 10), .phases = {}};
        for (std::uint32_t n = 1 + d.below(6); n > 0; --n) {
            const auto width = static_cast<std::uint32_t>(d.scale(1, 64));
            p.phases.push_back({width * d.scale(0.2, 4), width});
        }
        all.push_back(p);
    }
    return all;
}

// Always as wide as they are: nothing to gain but from the right size at once.
programs fixed(std::uint64_t seed) {
    dice d(seed);
    programs all;
    for (const std::uint32_t width : {48u, 24u, 8u, 2u})
        all.push_back({.arrives = d.between(0, 1), .phases = {{width * d.between(8, 12), width}}});
    return all;
}

struct mix {
    const char* name;
    std::function<programs(std::uint64_t)> make;
};

std::vector<sharing_way> all_ways() {
    const auto fair = std::make_shared<broker::fair_share>();
    broker::fair_share_options from_one_core;
    from_one_core.first_desire = 1;
    broker::fair_share_options plain;
    plain.desire.longest = 0;
    const auto figure = std::make_shared<broker::figure3>();
    broker::figure3_options text;
    text.serves_deprived = true;
    broker::figure3_options figure_from_one;
    figure_from_one.starts_everywhere = false;
    return {
        {"time-sharing, spinning", sharing_rule::spinning},
        {"time-sharing, parking", sharing_rule::parking},
        {"equal parts", sharing_rule::equal},
        {"figure 3, 6 s", sharing_rule::brokered, figure, 6.0},
        {"figure 3, 0.2 s", sharing_rule::brokered, figure, 0.2},
        {"figure 3, 0.05 s", sharing_rule::brokered, figure, 0.05},
        {"figure 3 and text, 0.05 s", sharing_rule::brokered, std::make_shared<broker::figure3>(text), 0.05},
        {"figure 3 from 1 core, 0.05 s", sharing_rule::brokered,
         std::make_shared<broker::figure3>(figure_from_one), 0.05},
        {"default without hold-off", sharing_rule::brokered, std::make_shared<broker::fair_share>(plain), 0.05},
        {"default from 1 core, 0.05 s", sharing_rule::brokered,
         std::make_shared<broker::fair_share>(from_one_core), 0.05},
        {"default, 0.2 s", sharing_rule::brokered, fair, 0.2},
        {"default, 0.1 s", sharing_rule::brokered, fair, 0.1},
        {"default, 0.05 s", sharing_rule::brokered, fair, 0.05},  // the last: others are compared with it
    };
}

using series = std::vector<double>;

// One way over all seeds.
struct measured {
    sharing_way way;
    series makespan, flow, slowdown, wasted, moves, messages;
};

measured measure(const mix& m, const sharing_way& way, int seeds, const virtual_machine& machine) {
    measured all{.way = way, .makespan = {}, .flow = {}, .slowdown = {}, .wasted = {}, .moves = {}, .messages = {}};
    for (int seed = 1; seed <= seeds; ++seed) {
        const sharing_report r = run_sharing(m.make(static_cast<std::uint64_t>(seed)), machine, way);
        if (!r.ended) throw std::runtime_error(way.name + " does not end");
        all.makespan.push_back(r.makespan);
        all.flow.push_back(r.mean_flow);
        all.slowdown.push_back(r.worst_slowdown);
        all.wasted.push_back(r.wasted);
        all.moves.push_back(static_cast<double>(r.moves));
        all.messages.push_back(static_cast<double>(r.messages));
    }
    return all;
}

// What no way can beat: all cores busy from the first arrival on, and each program alone.
measured bounds(const mix& m, int seeds, const virtual_machine& machine) {
    measured all{.way = {.name = "lower bound"}, .makespan = {}, .flow = {}, .slowdown = {}, .wasted = {},
                 .moves = {}, .messages = {}};
    for (int seed = 1; seed <= seeds; ++seed) {
        double work = 0.0, last = 0.0, first = INFINITY, flow = 0.0;
        const programs mixed = m.make(static_cast<std::uint64_t>(seed));
        for (const virtual_program& p : mixed) {
            for (const program_phase& phase : p.phases) work += phase.work;
            const double alone = time_alone(p, machine.cores);
            last = std::max(last, p.arrives + alone);
            first = std::min(first, p.arrives);
            flow += alone / static_cast<double>(mixed.size());
        }
        all.makespan.push_back(std::max(last, first + work / machine.cores));
        all.flow.push_back(flow);
        for (series* s : {&all.slowdown, &all.wasted, &all.moves, &all.messages}) s->push_back(0.0);
    }
    return all;
}

// Of the same seeds.
series ratios(const series& a, const series& b) {
    series r;
    for (std::size_t i = 0; i < a.size(); ++i) r.push_back(a[i] / b[i]);
    return r;
}

std::string with_spread(const series& x, int digits) {
    const parley_cli::summary s = parley_cli::summarise(x);
    return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", s.median, digits, s.p10, digits, s.p90, digits);
}

nlohmann::json spread(const series& x) {
    const parley_cli::summary s = parley_cli::summarise(x);
    return {{"median", s.median}, {"p10", s.p10}, {"p90", s.p90}, {"min", s.min}, {"max", s.max}};
}

void report(const mix& m, const measured& x, const measured& base, const virtual_machine& machine,
            std::ofstream& file) {
    const series makespan_ratio = ratios(x.makespan, base.makespan), flow_ratio = ratios(x.flow, base.flow);
    fmt::print("{:<16} {:<29} {:<20} {:<19} {:<19} {:<19} {:>6.2f} {:>6.0f} {:>6.0f} {:>7.0f}\n", m.name, x.way.name,
               with_spread(x.makespan, 1), with_spread(x.flow, 1), with_spread(makespan_ratio, 2),
               with_spread(flow_ratio, 2), parley_cli::median_of(x.slowdown), parley_cli::median_of(x.wasted),
               parley_cli::median_of(x.moves), parley_cli::median_of(x.messages));
    if (!file.is_open()) return;
    file << nlohmann::json{{"mix", m.name},
                           {"way", x.way.name},
                           {"cores", machine.cores},
                           {"sections", machine.sections},
                           {"sharing_loss", machine.sharing_loss},
                           {"seeds", x.makespan.size()},
                           {"makespan_s", spread(x.makespan)},
                           {"mean_flow_s", spread(x.flow)},
                           {"makespan_by_default", spread(makespan_ratio)},
                           {"mean_flow_by_default", spread(flow_ratio)},
                           {"worst_slowdown", spread(x.slowdown)},
                           {"wasted_core_s", spread(x.wasted)},
                           {"moves", spread(x.moves)},
                           {"messages", spread(x.messages)},
                           {"commit", PARLEY_COMMIT}}
                .dump()
         << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
    int seeds = 20;
    virtual_machine machine;
    std::string json;
    CLI::App app("What becomes of several programs on one machine, in virtual time");
    app.add_option("--seeds", seeds, "mixes of each kind")->check(CLI::Range(1, 10'000));
    app.add_option("--cores", machine.cores, "cores of the machine")->check(CLI::Range(4, 1024));
    app.add_option("--sections", machine.sections, "sections")->check(CLI::Range(1, 64));
    app.add_option("--loss", machine.sharing_loss, "part of a shared core that is lost")->check(CLI::Range(0.0, 0.9));
    app.add_option("--json", json, "file for JSON lines");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (machine.sections * 2 > machine.cores) {
        fmt::print(stderr, "broker-policies: a section needs two cores\n");
        return 2;
    }
    std::ofstream file;
    if (!json.empty()) {
        file.open(json);
        if (!file) {
            fmt::print(stderr, "broker-policies: cannot write {}\n", json);
            return 2;
        }
    }
    fmt::print("{} cores, {} sections, sharing loses {:.0f}%, {} seeds, commit {}\nmedians and interdecile ranges\n",
               machine.cores, machine.sections, 100 * machine.sharing_loss, seeds, PARLEY_COMMIT);
    fmt::print("ratios to the default with its 0.05 s quantum, seed by seed: above 1, the default is faster\n");
    fmt::print("{:<16} {:<29} {:<20} {:<19} {:<19} {:<19} {:>6} {:>6} {:>6} {:>7}\n", "mix", "way", "makespan s",
               "mean flow s", "makespan, ratio", "mean flow, ratio", "worst", "wasted", "moves", "sent");
    for (const mix& m : {mix{"alternating", alternating}, mix{"wide and serial", wide_and_serial}, mix{"many", many},
                         mix{"fixed", fixed}}) {
        std::vector<measured> all{bounds(m, seeds, machine)};
        for (const sharing_way& way : all_ways()) all.push_back(measure(m, way, seeds, machine));
        for (const measured& x : all) report(m, x, all.back(), machine, file);
    }
    if (!file.is_open() || file.flush()) return 0;
    fmt::print(stderr, "broker-policies: {} could not be written to its end\n", json);
    return 1;
}
