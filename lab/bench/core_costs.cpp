// What the core promises, measured: forks, spawns, uts against its serial program and against the
// ceiling of two threads, wake-ups, steals, start, idleness. Prints a table, and JSON lines with
// --json FILE. Usage: core-costs [--pairs N] [--json FILE] [NAME...]
#include "lab/bench/bare_stack.hpp"
#include "lab/bench/hand_over.hpp"
#include "lab/bench/limits.hpp"
#include "lab/bench/measure.hpp"
#include "lab/peers/parley.hpp"
#include "lab/peers/serial.hpp"
#include "lab/programs/fib.hpp"
#include "lab/programs/uts.hpp"

#include <parley/parley.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <atomic>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace {

using namespace parley_bench;
namespace programs = parley_programs;

struct sink {
    std::ofstream file;
    int pairs = 15;

    // `value` must not exceed (or, where it says so, must reach) `goal`.
    void line(const std::string& name, interval value, const char* unit, const std::string& goal) {
        fmt::print("{:<44} {:>9.3f}  [{:.3f}, {:.3f}] {:<6} {}\n", name, value.middle, value.low, value.high, unit, goal);
        if (file.is_open())
            file << nlohmann::json{{"name", name},           {"median", value.middle},
                                   {"low", value.low},       {"high", value.high},
                                   {"unit", unit},           {"goal", goal},
                                   {"pairs", pairs},         {"compiler", PARLEY_COMPILER},
                                   {"commit", PARLEY_COMMIT}}
                        .dump()
                 << std::endl;
    }
};

void forks(sink& out) {
    constexpr unsigned n = 34;
    const double count = static_cast<double>(programs::forks_of_fib(n));
    parley::runtime one{{.workers = 1}};
    std::uint64_t value = 0;
    const auto runs = interleave(
        out.pairs, [&] { return seconds([&] { value += one.run([] { return programs::fib<parley_peers::parley>(n); }); }); },
        [&] { return seconds([&] { value += programs::fib<parley_peers::serial>(n); }); });
    std::vector<double> each;
    for (std::size_t i = 0; i < runs.first.size(); ++i) each.push_back((runs.first[i] - runs.second[i]) / count * 1e9);
    out.line("fib(34), 1 worker: (T1 - TS) / forks", median_interval(each), "ns", "<= 3");
    out.line("fib(34), 1 worker: T1 / TS", runs.ratio(), "", "<= 2.0");
    if (value == 0) fmt::print("\n");
}

// In ns each.
double spawn_empty(parley::runtime& rt, int n) {
    return seconds([&] {
               rt.run([n] {
                   parley::scope s;
                   for (int i = 0; i < n; ++i) s.spawn([] {});
                   s.wait();
               });
           }) /
           n * 1e9;
}

// The most memory that this process has had so far, in MiB.
double peak_memory() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) / 1024;
}

void spawns(sink& out) {
    parley::runtime one{{.workers = 1}};
    parley::runtime two{{.workers = 2}};
    const auto runs =
        interleave(out.pairs, [&] { return spawn_empty(two, 1'000'000); }, [&] { return spawn_empty(one, 1'000'000); });
    out.line("10^6 empty spawns, 1 worker, each", median_interval(runs.second), "ns", "<= 15");
    out.line("10^6 empty spawns, 2 workers / 1 worker", runs.ratio(), "", "<= 1");
    (void)spawn_empty(two, 100'000'000);
    out.line("10^8 empty spawns, 2 workers: peak memory", median_interval({peak_memory()}), "MiB", "< 100");
}

// Two searches at once, each on a core of its own and serial: what two threads can reach.
double two_serial(const programs::uts::tree& tree, programs::sha1_choice hash) {
    std::atomic<int> ready{0};
    const auto search = [&](int core) {
        pin_this_thread(core);
        parley_peers::serial::pool pool{parley_peers::setup{}};
        programs::uts::searcher<parley_peers::serial> s(tree, pool, hash);
        ++ready;
        while (ready < 2) {}
        (void)s();
    };
    return seconds([&] {
        std::thread other(search, 1);
        std::thread self(search, 0);
        other.join();
        self.join();
    });
}

template <class S>
struct prepared {
    prepared(const programs::uts::tree& tree, unsigned workers, programs::sha1_choice hash)
        : pool(parley_peers::setup{.workers = workers, .seed = {}}), search(tree, pool, hash) {}
    double operator()() {
        return seconds([&] { pool.run([&] { (void)search(); }); });
    }
    typename S::pool pool;
    programs::uts::searcher<S> search;
};

void uts_with(sink& out, programs::sha1_choice hash) {
    const char* const how = hash == programs::sha1_choice::best ? "" : ", portable hash";
    for (const char* tree_name : {"T1", "T2", "T3"}) {
        const programs::uts::tree& tree = *programs::uts::find_tree(tree_name);
        const std::string name = fmt::format("{}{}", tree_name, how);
        prepared<parley_peers::serial> serial(tree, 1, hash);
        prepared<parley_peers::parley> one(tree, 1, hash);
        prepared<parley_peers::parley> two(tree, 2, hash);
        const auto against_serial = interleave(out.pairs, one, serial);
        out.line(fmt::format("uts {}: serial", name), median_interval(against_serial.second), "s", "");
        out.line(fmt::format("uts {}: 1 worker / serial", name), against_serial.ratio(), "", "<= 1.05");
        prepared<bare_stack> bare(tree, 1, hash);
        out.line(fmt::format("uts {}: a bare stack of closures / serial", name), interleave(out.pairs, bare, serial).ratio(),
                 "", "");
        const auto against_ceiling = interleave(out.pairs, [&] { return two_serial(tree, hash) / 2; }, two);
        out.line(fmt::format("uts {}: two-thread ceiling / 2 workers", name), against_ceiling.ratio(), "", ">= 0.97");
    }
}

void uts(sink& out) { uts_with(out, programs::sha1_choice::best); }
void uts_portable(sink& out) { uts_with(out, programs::sha1_choice::portable); }

// The same at 1 worker in slices of milliseconds, which a noisy machine disturbs less: the first
// levels of T1, again and again.
void uts_slices(sink& out) {
    programs::uts::tree tree = *programs::uts::find_tree("T1");
    tree.depth_limit = 7;
    prepared<parley_peers::serial> serial(tree, 1, programs::sha1_choice::best);
    prepared<parley_peers::parley> one(tree, 1, programs::sha1_choice::best);
    prepared<bare_stack> bare(tree, 1, programs::sha1_choice::best);
    const int slices = 13 * out.pairs;
    const auto against_serial = interleave(slices, one, serial);
    out.line(fmt::format("uts T1 to depth 7, {} slices: serial", slices), median_interval(against_serial.second), "s", "");
    out.line("  1 worker / serial", against_serial.ratio(), "", "<= 1.05");
    out.line("  a bare stack of closures / serial", interleave(slices, bare, serial).ratio(), "", "");
}

void latencies(sink& out) {
    parley::runtime two{{.workers = 2}};
    const auto asleep = interleave(
        10 * out.pairs,
        [&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the worker is asleep now
            return hand_over(two);
        },
        [] { return futex_round_trip(3); });
    out.line("wake to task running / futex round trip", asleep.ratio(), "", "<= 1.5");
    std::vector<double> us(asleep.first);
    for (double& v : us) v *= 1e6;
    out.line("wake to task running", median_interval(us), "us", "");
    const auto spinning = interleave(
        100 * out.pairs,
        [&] {
            (void)hand_over(two);
            spin_for(3e-6);  // the thief has asked again and spins
            return hand_over(two);
        },
        [] { return cache_line_round_trip(1000); });
    out.line("fork to running on a spinning thief / line round trip", spinning.ratio(), "", "<= 3");
}

void start(sink& out) {
    std::vector<double> us;
    for (int i = 0; i < 2 * out.pairs; ++i) {
        std::optional<parley::runtime> rt;
        us.push_back(1e6 * seconds([&] {
                         rt.emplace(parley::options{.workers = 2});
                         rt->run([] { parley::fork_join([] {}, [] {}); });
                     }));
    }
    out.line("start and first fork", median_interval(us), "us", "< 200");
    parley::runtime two{{.workers = 2}};
    std::vector<double> ns;
    for (int i = 0; i < out.pairs; ++i)
        ns.push_back(1e9 / 10'000 * seconds([&] {
                         for (int k = 0; k < 10'000; ++k) two.run([] {});
                     }));
    out.line("entering and leaving", median_interval(ns), "ns", "< 50");
}

// Words that a thread outside says, in the default runtime, beside the same ones inside run(), in one as large.
void outside(sink& out) {
    constexpr int n = 100'000;
    parley::runtime other{parley::options::from_environment()};
    const auto compare = [&](const char* what, const auto& words) {
        const auto each = [&] { return seconds(words) / n * 1e9; };
        const auto runs = interleave(out.pairs, each, [&] { return other.run(each); });
        const std::string name = fmt::format("outside, {} workers: {}", other.workers(), what);
        out.line(name, median_interval(runs.first), "ns", "");
        out.line(name + " / inside run()", runs.ratio(), "", "<= 1.5");
    };
    compare("scope.spawn", [] {
        parley::scope s;
        for (int i = 0; i < n; ++i) s.spawn([] {});
        s.wait();
    });
    compare("async, get", [] {
        std::vector<parley::future<int>> results;
        results.reserve(n);
        for (int i = 0; i < n; ++i) results.push_back(parley::async([] { return 1; }));
        for (auto& r : results) (void)r.get();
    });
    compare("fork_join", [] {
        for (int i = 0; i < n; ++i) parley::fork_join([] {}, [] {});
    });
    compare("loop of 1", [] {
        for (int i = 0; i < n; ++i) parley::for_each_index(0, 1, [](int) {});
    });
}

void idleness(sink& out) {
    parley::runtime two{{.workers = 2}};
    (void)hand_over(two);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto cpu = [] {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
    };
    const double before = cpu();
    std::this_thread::sleep_for(std::chrono::seconds(10));
    const double used = cpu() - before;
    out.line("CPU used in 10 s without work", {used, used, used}, "ms", "< 10");
}

}  // namespace

int main(int argc, char** argv) {
    const std::pair<const char*, std::function<void(sink&)>> all[] = {
        {"forks", forks},           {"spawns", spawns},       {"uts", uts},     {"uts-portable", uts_portable},
        {"uts-slices", uts_slices}, {"latencies", latencies}, {"start", start}, {"outside", outside},
        {"idle", idleness}};
    CLI::App app("What the core promises, measured");
    sink out;
    std::string json;
    std::vector<std::string> names;
    std::vector<std::string> known;
    for (const auto& [name, measure] : all) known.emplace_back(name);
    app.add_option("--pairs", out.pairs, "interleaved pairs")->check(CLI::Range(5, 1000));
    app.add_option("--json", json, "file for JSON lines");
    app.add_option("NAME", names, "which")->check(CLI::IsMember(known));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!json.empty()) {
        out.file.open(json);
        if (!out.file) {
            fmt::print(stderr, "core-costs: cannot write {}\n", json);
            return 2;
        }
    }
    fmt::print("{} pairs, {}, commit {}; medians with 95% intervals\n", out.pairs, PARLEY_COMPILER, PARLEY_COMMIT);
    for (const auto& [name, measure] : all)
        if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) measure(out);
}
