// A stand-in for the stiff chemistry of a flame solver (Fontenaille et al. 2018, §5.2, table 2): every rank has as many
// cells as any other and knows nothing of what each will cost. Only where the gas reacts does it take many steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "lab/programs/cluster/two_ways.hpp"

namespace parley_programs::cluster {
namespace {

using parley::cluster::group;

constexpr std::size_t species = 50;
using mixture = std::array<double, species>;

// 428 bytes would be as in the paper (0.28 MB in 655 tasks).
struct gas_cell {
    mixture amount;
    double temperature;
    double seconds;  // to be integrated
};

struct reacted {
    mixture amount;
    std::uint32_t steps;
};

// A chain of reactions, each species into the next, by implicit Euler: stable however stiff, one sweep for each step.
mixture step(const mixture& before, const mixture& rate, double h) {
    mixture after;
    double inflow = 0;
    for (std::size_t i = 0; i < species; ++i) {
        after[i] = (before[i] + h * inflow) / (1 + h * rate[i]);
        inflow = rate[i] * after[i];
    }
    return after;
}

double difference(const mixture& a, const mixture& b) {
    double most = 0;
    for (std::size_t i = 0; i < species; ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

// One step and two half ones tell the error; the step follows it.
reacted react(const gas_cell& c) {
    constexpr double tolerance = 2e-7;
    mixture rate;
    for (std::size_t i = 0; i < species; ++i)  // Arrhenius; from slow to very fast
        rate[i] = std::pow(10.0, 2.0 + 6.0 * static_cast<double>(i % 7) / 6.0) * std::exp(-3000.0 / c.temperature);
    rate.back() = 0;
    reacted r{.amount = c.amount, .steps = 0};
    double h = c.seconds / 16;
    for (double t = 0; t < c.seconds;) {
        h = std::min(h, c.seconds - t);
        const mixture whole = step(r.amount, rate, h);
        const mixture halves = step(step(r.amount, rate, h / 2), rate, h / 2);
        const double error = difference(whole, halves);
        ++r.steps;
        if (error <= tolerance) {
            t += h;
            r.amount = halves;
        }
        h *= std::clamp(0.9 * std::sqrt(tolerance / std::max(error, 1e-300)), 0.2, 3.0);
    }
    return r;
}

// The front lies across a part of the ranks and bends, so that some of a rank's cells react and others do not.
std::vector<gas_cell> cells_of(const group& g, const json& p) {
    const auto n = p.at("cells").get<std::uint64_t>();
    std::vector<gas_cell> mine(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        const double across = (g.rank() + 0.5) / g.ranks();
        const double along = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
        const double front = 0.5 + 0.3 * std::sin(6.2832 * 2 * along);
        const double near = std::exp(-std::pow((across - front) / 0.15, 2));
        gas_cell& c = mine[i];
        c.amount.fill(0.0);
        c.amount[0] = 1.0;
        c.temperature = 400.0 + 1800.0 * near;
        c.seconds = 1e-3;
    }
    return mine;
}

// `step`: the seconds that one takes on the processor that is simulated; a real one takes its own.
auto working(double step) {
    return [step](const gas_cell& c, [[maybe_unused]] auto& here) {
        const reacted r = react(c);
#ifdef PARLEY_SMPI
        here.work(r.steps * step);
#else
        (void)step;
#endif
        return r;
    };
}

// Checks this rank's results and says what all ranks had to do.
outcome judge(group& g, const json& p, const std::vector<gas_cell>& mine, ran<reacted> r) {
    const std::vector<reacted>& results = r.results;
    outcome o;
    o.total = r.total;
    // The same arithmetic, so the same bits.
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        steps += results[i].steps;
        if (p.at("check") == "off") continue;
        const reacted again = react(mine[i]);
        if (again.steps != results[i].steps || std::memcmp(&again.amount, &results[i].amount, sizeof(mixture)) != 0)
            o.problem = "cell " + std::to_string(i) + " of rank " + std::to_string(g.rank()) + " is wrong";
    }
    r.own.brought_work = static_cast<double>(steps);
    o.shares = gather(g, r.own);
    double all_steps = 0;
    std::uint64_t cells = 0;
    for (const share& s : o.shares) {
        all_steps += s.brought_work;
        cells += s.brought;
    }
    o.seconds = o.total.seconds;
    o.ideal_seconds = o.total.busy_seconds / (g.living() * static_cast<double>(g.workers()));
    o.result = {{"results", cells}, {"steps", static_cast<std::uint64_t>(all_steps)}};
    return o;
}

outcome run(group& g, const json& p) {
    const std::vector<gas_cell> mine = cells_of(g, p);
    return judge(g, p, mine, by_stealing(g, mine, working(p.at("step"))));
}
outcome run_by_masters(group& g, const json& p) {
    const std::vector<gas_cell> mine = cells_of(g, p);
    return judge(g, p, mine, by_masters(g, mine, working(p.at("step"))));
}

}  // namespace

program chemistry_program() {
    return {.name = "chemistry",
            .summary = "stiff reactions in cells, of which few take long; nobody knows which",
            .options =
                {{"cells", "of each rank; the paper has 655 and 5171", unit::count, "655"},
                 {"check", "whether each rank computes its cells again alone and compares", unit::word, "on", {"on", "off"}},
                 {"step",
                  "in simulation: what a step of a cell takes; with 12us the cells take about as long as the "
                  "paper's (table 2: 0.19 s for 655 of them)",
                  unit::seconds, "12us"}},
            .run = run,
            .run_by_masters = run_by_masters};
}

}  // namespace parley_programs::cluster
