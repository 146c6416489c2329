// What a task barrier costs with each way to find termination, ours and the papers', as in the thesis' figures 4.5,
// 4.8 and 4.9 (a): how long it takes to detect termination when all workers are idle already and when none has asked
// yet, how long worker 0 takes to go on then, and many barriers in a row. The ways take turns. Prints medians and
// interdecile ranges, and JSON lines with --json FILE.
// Usage: barrier-costs [--points N] [--workers N,N,...] [--json FILE]
#include "command/machine.hpp"
#include "lab/bench/barrier_ways.hpp"

#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

// With the papers' machine (lab/papers).
namespace parley_bench::papers {
barrier_ways ways_here(unsigned workers);
}

namespace {

using namespace parley_bench;

double quantile(std::vector<double> samples, double q) {
    std::sort(samples.begin(), samples.end());
    return samples[static_cast<std::size_t>(q * static_cast<double>(samples.size() - 1))];
}

void report(const barrier_way& w, unsigned workers, const char* what, const std::vector<double>& samples,
            std::ofstream& file) {
    const double middle = 1e6 * quantile(samples, 0.5);
    const double low = 1e6 * quantile(samples, 0.1);
    const double high = 1e6 * quantile(samples, 0.9);
    fmt::print("{:>3} workers  {:<26} {:<16} {:>9.2f} us  [{:.2f}, {:.2f}]\n", workers, w.name, what, middle, low, high);
    if (file.is_open())
        file << nlohmann::json{{"workers", workers},
                               {"way", w.name},
                               {"what", what},
                               {"median_us", middle},
                               {"first_decile_us", low},
                               {"last_decile_us", high},
                               {"points", samples.size()},
                               {"compiler", PARLEY_COMPILER},
                               {"commit", PARLEY_COMMIT}}
                    .dump()
             << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
    int points = 100;  // as in the thesis
    std::vector<unsigned> workers{2, 3, 4};
    std::string json;
    CLI::App app("What a task barrier costs, with each way to find termination");
    app.add_option("--points", points, "measurements of each")->check(CLI::Range(5, 100'000));
    app.add_option("--workers", workers, "numbers of workers")->delimiter(',')->check(CLI::Range(2, 256));
    app.add_option("--json", json, "file for JSON lines");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    std::ofstream file;
    if (!json.empty()) {
        file.open(json);
        if (!file) {
            fmt::print(stderr, "barrier-costs: cannot write {}\n", json);
            return 2;
        }
    }
    fmt::print("{} points, {}, {}, commit {}\nmedians and interdecile ranges\n", points, parley_cli::machine_summary(),
               PARLEY_COMPILER, PARLEY_COMMIT);
    for (const unsigned n : workers) {
        barrier_ways ways = ways_here(n);
        for (auto& w : papers::ways_here(n)) ways.push_back(std::move(w));
        for (int i = 0; i < points; ++i)
            for (const auto& w : ways) w->measure_once();
        for (const auto& w : ways) {
            report(*w, n, "none has asked", w->none_has_asked, file);
            report(*w, n, "already idle", w->already_idle, file);
            report(*w, n, "worker 0 goes on", w->goes_on, file);
            report(*w, n, "in a row, each", w->in_a_row, file);
        }
    }
}
