// What a task barrier costs with each way to find termination (options::termination), as in the thesis' figures 4.5,
// 4.8 and 4.9 (a): how long it takes to detect termination when all workers are idle already and when none has asked
// yet, how long worker 0 takes to go on then, and many barriers in a row. The ways take turns. Prints medians and
// interdecile ranges, and JSON lines with --json FILE.
// Usage: barrier-costs [--points N] [--workers N,N,...] [--json FILE]
#include "lab/bench/measure.hpp"
#include "command/machine.hpp"

#include <parley/parley.hpp>
#include <parley/detail/runtime/awaited.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <fmt/core.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace {

using namespace parley_bench;
namespace protocol = parley::protocol;
namespace threading = parley::threading;

constexpr int barriers_in_a_row = 1000;  // as in figure 4.9 (a)

// The two parts of a barrier, in seconds.
struct parts {
    double detecting = 0;
    double going_on = 0;
};

// pool::barrier() with a clock in the middle.
parts timed_barrier() {
    threading::worker& self = *threading::current;
    threading::thread_medium medium(self);
    auto& machine = self.home.protocol_of(self.id);
    const auto begin = parley_bench::clock::now();
    machine.open_barrier(medium);
    threading::wait(
        self, protocol::standing::between_tasks, threading::awaited::barrier,
        [](const void* w) {
            const auto seen = static_cast<const threading::worker*>(w)->shown.attention.get();
            return (seen & protocol::bits::released) != 0;
        },
        &self);
    const auto released = parley_bench::clock::now();
    while (!machine.close_barrier(medium)) threading::give_way();
    const auto end = parley_bench::clock::now();
    return {std::chrono::duration<double>(released - begin).count(),
            std::chrono::duration<double>(end - released).count()};
}

// Every worker but a dedicated manager is in a task until all are.
void line_up(unsigned workers) {
    std::atomic<unsigned> there{0};
    parley::scope s;
    for (unsigned i = 1; i < workers; ++i)
        s.spawn([&there, workers] {
            ++there;
            while (there < workers) parley::poll();
        });
    ++there;
    while (there < workers) parley::poll();
    s.wait();
}

struct way {
    const char* name;
    parley::options chosen;
    bool dedicated = false;
    std::vector<double> already_idle, none_has_asked, goes_on, in_a_row;
    std::unique_ptr<parley::runtime> rt;
};

std::vector<way> all_ways(unsigned workers) {
    std::vector<way> all;
    const auto add = [&](const char* name, parley::termination_by t, parley::revoked_request r, parley::refusal f) {
        const bool dedicated = t == parley::termination_by::dedicated_manager;
        if (dedicated && workers < 3) return;
        parley::options o;
        o.workers = workers;
        o.termination = t;
        o.revoke = r;
        o.refuse = f;
        all.push_back({name, o, dedicated, {}, {}, {}, {}, std::make_unique<parley::runtime>(o)});
    };
    using parley::refusal;
    using parley::revoked_request;
    using parley::termination_by;
    add("scan", termination_by::scan, revoked_request::any, refusal::forward);
    add("manager, any", termination_by::manager, revoked_request::any, refusal::forward);
    add("manager, own", termination_by::manager, revoked_request::own, refusal::forward);
    add("manager, any, acknowledge", termination_by::manager, revoked_request::any, refusal::acknowledge);
    add("dedicated, any", termination_by::dedicated_manager, revoked_request::any, refusal::forward);
    add("counter", termination_by::counter, revoked_request::any, refusal::forward);
    return all;
}

void measure_once(way& w) {
    w.rt->run([&] {
        line_up(w.chosen.workers - (w.dedicated ? 1 : 0));
        const parts first = timed_barrier();
        const parts second = timed_barrier();
        w.none_has_asked.push_back(first.detecting);
        w.already_idle.push_back(second.detecting);
        w.goes_on.push_back(first.going_on);
        w.in_a_row.push_back(seconds([] {
                                 for (int i = 0; i < barriers_in_a_row; ++i) parley::barrier();
                             }) /
                             barriers_in_a_row);
    });
}

double quantile(std::vector<double> samples, double q) {
    std::sort(samples.begin(), samples.end());
    return samples[static_cast<std::size_t>(q * static_cast<double>(samples.size() - 1))];
}

void report(const way& w, const char* what, const std::vector<double>& samples, std::ofstream& file) {
    const double middle = 1e6 * quantile(samples, 0.5);
    const double low = 1e6 * quantile(samples, 0.1);
    const double high = 1e6 * quantile(samples, 0.9);
    fmt::print("{:>3} workers  {:<26} {:<16} {:>9.2f} us  [{:.2f}, {:.2f}]\n", w.chosen.workers, w.name, what, middle,
               low, high);
    if (file.is_open())
        file << nlohmann::json{{"workers", w.chosen.workers}, {"way", w.name},          {"what", what},
                               {"median_us", middle},         {"first_decile_us", low}, {"last_decile_us", high},
                               {"points", samples.size()},    {"compiler", PARLEY_COMPILER},
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
        std::vector<way> ways = all_ways(n);
        for (int i = 0; i < points; ++i)
            for (way& w : ways) measure_once(w);
        for (const way& w : ways) {
            report(w, "none has asked", w.none_has_asked, file);
            report(w, "already idle", w.already_idle, file);
            report(w, "worker 0 goes on", w.goes_on, file);
            report(w, "in a row, each", w.in_a_row, file);
        }
    }
}
