// What it costs to record (docs/evidence/performance.md): programs on runtimes that record nothing, the times, and a
// timeline, in turns; and an event alone. Ratios to the first, round by round, with their 95% intervals.
//
//   fork     fib by fork_join: no event but steals
//   spawn    tasks of --length microseconds in a scope: two events each
//   steal    a producer of such tasks, steal = one, as TH figure 3.10 (a)
//
// Usage: recording-costs [--rounds N] [--workers N] [--length US] [--json FILE]
#include "command/machine.hpp"
#include "lab/bench/measure.hpp"

#include <parley/detail/trace/recorder.hpp>
#include <parley/parley.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using namespace parley_bench;

struct setting {
    const char* name;
    bool profile;
    const char* trace;
};
constexpr std::array settings{setting{"nothing", false, ""}, setting{"times", true, ""},
                              setting{"timeline", false, "/dev/null"}};

std::uint64_t fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}

void spin(std::chrono::nanoseconds length) {
    const auto end = clock::now() + length;
    while (clock::now() < end) {}
}

void spawn_tasks(int n, std::chrono::nanoseconds length) {
    parley::scope s;
    for (int i = 0; i < n; ++i) s.spawn([length] { spin(length); });
    s.wait();
}

struct program {
    const char* name;
    parley::threading::stealing steal;
    std::function<void()> run;
};

// Nanoseconds.
double of_one_event() {
    constexpr int events = 1'000'000;
    parley::trace::recorder r(1U << 16);
    return 1e9 / events * seconds([&] {
               for (int i = 0; i < events; ++i) r.note(parley::trace::happening::task_begins);
           });
}

}  // namespace

int main(int argc, char** argv) {
    int rounds = 21;
    unsigned workers = parley::default_workers();
    double length = 1;
    std::string json;
    CLI::App app("What it costs to record");
    app.add_option("--rounds", rounds, "times each is run")->check(CLI::Range(5, 10'000));
    app.add_option("--workers", workers, "workers")->check(CLI::Range(1, 256));
    app.add_option("--length", length, "microseconds of a task")->check(CLI::Range(0.0, 10'000.0));
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
            fmt::print(stderr, "recording-costs: cannot write {}\n", json);
            return 2;
        }
    }
    const auto task = std::chrono::nanoseconds(static_cast<std::int64_t>(1000 * length));
    const int tasks = static_cast<int>(100'000 / std::max(length, 0.1));
    const std::array programs{
        program{"fork", parley::threading::stealing::adaptive, [] { (void)fib(30); }},
        program{"spawn", parley::threading::stealing::adaptive, [=] { spawn_tasks(tasks, task); }},
        program{"steal", parley::threading::stealing::one, [=] { spawn_tasks(tasks, task); }},
    };
    fmt::print(
        "{}\n{}, commit {}\n{} rounds, {} workers, tasks of {} us\nan event takes {:.1f} ns\n{:<10}{:<12}{:>10}  "
        "ratio\n",
        parley_cli::machine_summary(), PARLEY_COMPILER, PARLEY_COMMIT, rounds, workers, length, of_one_event(), "program",
        "records", "seconds");
    for (const program& p : programs) {
        std::vector<std::unique_ptr<parley::runtime>> runtimes;
        for (const setting& s : settings) {
            parley::options o;
            o.workers = workers;
            o.profile = s.profile;
            o.trace = s.trace;
            runtimes.push_back(std::make_unique<parley::runtime>(o, parley::threading::tuning{.steal = p.steal}));
            runtimes.back()->run(p.run);
        }
        std::array<std::vector<double>, settings.size()> took;
        for (int r = 0; r < rounds; ++r)
            for (std::size_t k = 0; k < settings.size(); ++k) {
                const std::size_t i = (k + static_cast<std::size_t>(r)) % settings.size();
                took[i].push_back(seconds([&] { runtimes[i]->run(p.run); }));
            }
        for (std::size_t i = 0; i < settings.size(); ++i) {
            const interval ratio = pair_of_runs{took[i], took[0]}.ratio();
            const double median = parley_cli::median_of(took[i]);
            fmt::print("{:<10}{:<12}{:>10.4f}  {:.3f} [{:.3f}, {:.3f}]\n", p.name, settings[i].name, median, ratio.middle,
                       ratio.low, ratio.high);
            if (file.is_open())
                file << nlohmann::json{{"program", p.name},
                                       {"records", settings[i].name},
                                       {"workers", workers},
                                       {"length_us", length},
                                       {"repetitions", rounds},
                                       {"seconds", took[i]},
                                       {"median", median},
                                       {"ratio", {ratio.middle, ratio.low, ratio.high}},
                                       {"machine", parley_cli::machine_summary()},
                                       {"compiler", PARLEY_COMPILER},
                                       {"commit", PARLEY_COMMIT}}
                            .dump()
                     << '\n';
        }
    }
    if (!file.is_open() || file.flush()) return 0;
    fmt::print(stderr, "recording-costs: {} could not be written to its end\n", json);
    return 1;
}
