// What becomes of several programs on one machine under different ways to divide its cores, in virtual time
// (lab/sim/virtual_programs.hpp): time-sharing by the system with workers that spin and with workers that park,
// equal parts, figure 3 of the BIAS paper, and the broker's default. Mixes are drawn by seeds; all ways get the same.
// Prints medians with interdecile ranges, and JSON lines with --json FILE.
// Usage: broker-policies [--seeds N] [--cores N] [--sections N] [--loss X] [--json FILE]
#include "command/number_between.hpp"
#include "lab/command/sim/sharing_report.hpp"

#include <lab/sim/sharing_study.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

using namespace parley::sim;

int main(int argc, char** argv) {
    int seeds = 20;
    virtual_machine machine;
    std::string json;
    CLI::App app("What becomes of several programs on one machine, in virtual time");
    app.add_option("--seeds", seeds, "mixes of each kind")->check(CLI::Range(1, 10'000));
    app.add_option("--cores", machine.cores, "cores of the machine")->check(CLI::Range(4, 1024));
    app.add_option("--sections", machine.sections, "sections")->check(CLI::Range(1, 64));
    app.add_option("--loss", machine.sharing_loss, "part of a shared core that is lost")
        ->check(parley_cli::number_between(0.0, 0.9));
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
    fmt::print("{}", parley_cli::sharing_head());
    for (const program_mix& m : program_mixes()) {
        std::vector<sharing_series> all{lower_bounds(m, seeds, machine)};
        for (const known_way& way : known_ways()) all.push_back(over_seeds(m, way, seeds, machine));
        for (const sharing_series& x : all) {
            fmt::print("{}", parley_cli::sharing_row(m, x, all.back()));
            if (!file.is_open()) continue;
            auto line = parley_cli::sharing_line(m, x, all.back(), machine);
            line["commit"] = PARLEY_COMMIT;
            file << line.dump() << std::endl;
        }
    }
    if (!file.is_open() || file.flush()) return 0;
    fmt::print(stderr, "broker-policies: {} could not be written to its end\n", json);
    return 1;
}
