#include "lab/command/sim/broker_study.hpp"

#include <fmt/format.h>

#include <lab/sim/sharing_study.hpp>

#include "command/usage.hpp"
#include "lab/command/sim/sharing_report.hpp"

namespace parley_cli {
namespace {

using namespace parley::sim;

struct setting {
    virtual_machine machine;
    int seeds = 1;
    std::vector<const program_mix*> mixes;
    std::vector<const known_way*> ways;
    parley_programs::json parameters;
};

// "all", or the one of that key.
template <class Thing>
std::vector<const Thing*> chosen(const std::vector<Thing>& all, const std::string& key) {
    std::vector<const Thing*> found;
    for (const Thing& t : all)
        if (key == "all" || key == t.key) found.push_back(&t);
    return found;
}

template <class Thing>
std::vector<std::string> keys_of(const std::vector<Thing>& all) {
    std::vector<std::string> keys{"all"};
    for (const Thing& t : all) keys.push_back(t.key);
    return keys;
}

setting setting_of(const study_options& o) {
    setting s;
    s.machine.cores = static_cast<std::uint32_t>(o.number("cores"));
    s.machine.sections = static_cast<std::uint32_t>(o.number("sections"));
    s.machine.sharing_loss = static_cast<double>(o.number("loss")) / 100.0;
    if (s.machine.sections * 2 > s.machine.cores) {
        o.refuse("sections", fmt::format("{} is not allowed with {} cores; at most {}: a section needs two",
                                         s.machine.sections, s.machine.cores, s.machine.cores / 2));
    }
    s.seeds = static_cast<int>(o.number("seeds"));
    s.mixes = chosen(program_mixes(), o.text("programs"));
    s.ways = chosen(known_ways(), o.text("policy"));
    s.parameters = o.parameters();
    return s;
}

sim_outcome run(const setting& s, const stop_test& stops) {
    sim_outcome found;
    found.text = fmt::format("\n{} cores, {} sections, sharing loses {:.0f}%, {} seeds\n{}", s.machine.cores,
                             s.machine.sections, 100 * s.machine.sharing_loss, s.seeds, sharing_head());
    const known_way& last = known_ways().back();
    for (const program_mix* m : s.mixes) {
        const sharing_series base = over_seeds(*m, last, s.seeds, s.machine, stops);
        std::vector<sharing_series> all{lower_bounds(*m, s.seeds, s.machine)};
        for (const known_way* way : s.ways)
            all.push_back(way == &last ? base : over_seeds(*m, *way, s.seeds, s.machine, stops));
        for (const sharing_series& x : all) {
            found.text += sharing_row(*m, x, base);
            parley_programs::json line = {{"program", "broker"}, {"parameters", s.parameters}, {"policy", x.key}};
            line.update(sharing_line(*m, x, base, s.machine));
            line["verified"] = true;  // over_seeds() throws
            found.lines.push_back(line.dump());
        }
    }
    return found;
}

std::vector<sim_option> table_of_programs() {
    return {
        {.name = "cores", .help = "of the machine", .low = 4, .high = 1024, .initial = "48"},
        {.name = "sections", .help = "of the machine, each with two cores at least", .low = 1, .high = 64, .initial = "4"},
        {.name = "loss",
         .help = "percent of a core's work that is lost while several programs run on it",
         .low = 0,
         .high = 90,
         .placeholder = "PERCENT",
         .initial = "10"},
        {.name = "policy", .help = "who divides the cores, and how", .words = keys_of(known_ways()), .initial = "all"},
        {.name = "programs",
         .help = "which come together; drawn by the seed",
         .words = keys_of(program_mixes()),
         .initial = "all"},
        {.name = "seeds", .help = "mixes of each kind: the seeds from 1 on", .low = 1, .high = 10'000, .initial = "20"},
    };
}

study_plan plan_of_programs(const std::vector<study_options>& runs, bool) {
    study_plan all{.head =
                       "programs that share a machine, in virtual time: medians and interdecile ranges;\nratios to the "
                       "default with its 0.05 s quantum, seed by seed: above 1, the default is faster\n",
                   .runs = {}};
    for (const study_options& o : runs) {
        all.runs.push_back([s = setting_of(o)](const stop_test& stops) { return run(s, stops); });
    }
    return all;
}

}  // namespace

study broker_study() {
    return {.summary = "several programs on one machine, under the broker or without",
            .table = table_of_programs,
            .plan = plan_of_programs};
}

}  // namespace parley_cli
