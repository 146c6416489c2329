// DLB_Bench (Fontenaille et al. 2018, §5.1): tasks that take a known time and carry bytes, most of them with few ranks.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/programs/cluster/two_ways.hpp"
#include "lab/programs/dlb_profile.hpp"

namespace parley_programs::cluster {
namespace {

// A task's bytes are read where it runs: what got lost on the way makes the result wrong.
struct dlb_cell {
    std::uint64_t id = 0;
    double seconds = 0;
    std::uint64_t size = 0;
    std::vector<std::uint8_t> data;  // empty in a simulator, where all ranks share one memory
};

}  // namespace
}  // namespace parley_programs::cluster

template <>
struct parley::cluster::serializer<parley_programs::cluster::dlb_cell> {
    using cell = parley_programs::cluster::dlb_cell;
    static void write(writer& w, const cell& c) {
        w(c.id, c.seconds, c.size, c.data);
#ifdef PARLEY_SMPI
        w.pad(c.size);
#endif
    }
    static cell read(reader& r) {
        cell c;
        c.id = r.get<std::uint64_t>();
        c.seconds = r.get<double>();
        c.size = r.get<std::uint64_t>();
        c.data = r.get<std::vector<std::uint8_t>>();
        return c;
    }
};

namespace parley_programs::cluster {
namespace {

using cell = dlb_cell;
using parley::cluster::group;
using parley::cluster::position;

[[maybe_unused]] std::uint8_t byte_of(std::uint64_t id) { return static_cast<std::uint8_t>(id * 2654435761U >> 8); }

std::uint64_t result_of(const cell& c) {
    std::uint64_t sum = c.id;
    for (const std::uint8_t b : c.data) sum = sum * 31 + b;
    return sum;
}

std::vector<cell> cells_of(const group& g, const json& p) {
    const auto first_of = [&](position r) {
        return dlb_first_of(p.at("profile").get<std::string>(), p.at("tasks").get<std::uint64_t>(), r, g.ranks());
    };
    const double mean = p.at("work").get<double>() / p.at("tasks").get<double>();
    const bool varies = p.at("times") == "varied";
    std::vector<cell> mine;
    for (std::uint64_t id = first_of(g.rank()); id < first_of(g.rank() + 1); ++id) {
        cell c{.id = id, .seconds = mean, .size = p.at("bytes").get<std::uint64_t>(), .data = {}};
        // Between nothing and twice the mean, so that the sum stays what was asked for on average.
        if (varies) c.seconds *= static_cast<double>(id * 0x9E3779B97F4A7C15U >> 40) / static_cast<double>(1U << 23);
#ifndef PARLEY_SMPI
        c.data.assign(c.size, byte_of(id));
#endif
        mine.push_back(std::move(c));
    }
    return mine;
}

const auto work = [](const cell& c, auto& here) {
    here.work(c.seconds);
    return result_of(c);
};

// Checks this rank's results and says what all ranks had to do.
outcome judge(group& g, const std::vector<cell>& mine, ran<std::uint64_t> r) {
    for (const cell& c : mine) r.own.brought_work += c.seconds;
    const std::vector<std::uint64_t>& results = r.results;
    outcome o;
    o.total = r.total;
    if (results.size() != mine.size()) o.problem = "results are missing";
    for (std::size_t i = 0; i < results.size() && o.problem.empty(); ++i)
        if (results[i] != result_of(mine[i])) o.problem = "the result of task " + std::to_string(mine[i].id) + " is wrong";
    o.shares = gather(g, r.own);
    double sum = 0;
    std::uint64_t tasks = 0;
    for (const share& s : o.shares) {
        sum += s.brought_work;
        tasks += s.brought;
    }
    o.seconds = o.total.seconds;
    o.ideal_seconds = sum / (g.living() * static_cast<double>(g.workers()));
    o.result = {{"results", tasks}};
    return o;
}

outcome run(group& g, const json& p) {
    const std::vector<cell> mine = cells_of(g, p);
    return judge(g, mine, by_stealing(g, mine, work));
}
outcome run_by_masters(group& g, const json& p) {
    const std::vector<cell> mine = cells_of(g, p);
    return judge(g, mine, by_masters(g, mine, work));
}

void check(const json& p) {
    if (p.at("tasks").get<std::uint64_t>() == 0) throw std::invalid_argument("--tasks must be at least 1");
}

}  // namespace

program dlb_program() {
    return {.name = "dlb",
            .summary = "DLB_Bench: most tasks with few ranks, results brought home",
            .options = {{"work", "of a rank on average", unit::seconds, "1s"},
                        {"tasks", "of a rank on average", unit::count, "500"},
                        {"bytes", "that each task carries", unit::bytes, "2k"},
                        {"profile",
                         "who brings how many tasks; gaussian: 70% of them lie with 10% of the ranks",
                         unit::word,
                         "gaussian",
                         {"gaussian", "uniform", "linear", "step", "one"}},
                        {"times",
                         "of the tasks: all alike, or anything up to twice the mean",
                         unit::word,
                         "alike",
                         {"alike", "varied"}}},
            .run = run,
            .run_by_masters = run_by_masters,
            .check = check};
}

}  // namespace parley_programs::cluster
