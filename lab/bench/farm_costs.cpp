// What a stream costs per item beside its bodies: empty items through farms, lanes and feedback loops, with the
// default bounds and with few tokens; oneTBB's parallel_pipeline in the same runs; uniform items with 20 workers
// beside 2; and how much memory a long stream takes. The contestants take turns. Prints medians and interdecile
// ranges of microseconds per item, wall and processor time, and what an open stream takes that has nothing to do.
// Usage: farm-costs [--points N] [--items N] [--long N] [--json FILE]
#include "command/machine.hpp"
#include "lab/bench/measure.hpp"

#include <parley/farm.hpp>
#include <parley/parley.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <ranges>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

#ifdef PARLEY_WITH_TBB
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#endif

namespace {

using namespace parley;
using parley_bench::seconds;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Primes up to `most`: the paper's uniform item is 7500.
int primes(int most) {
    int found = 0;
    for (int n = 2; n <= most; ++n) {
        bool prime = true;
        for (int d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
        found += prime;
    }
    return found;
}

struct contestant {
    std::string name;
    double items;
    std::function<void()> run;
    std::vector<double> wall = {}, processor = {};
};

double quantile(std::vector<double> samples, double q) {
    std::sort(samples.begin(), samples.end());
    return samples[static_cast<std::size_t>(q * static_cast<double>(samples.size() - 1))];
}

// Lines of JSON, where asked for.
class sheet {
public:
    // False: it cannot be written.
    [[nodiscard]] bool open(const std::string& file) {
        file_.open(file);
        return file_.is_open();
    }
    void add(nlohmann::ordered_json line) {
        if (!file_.is_open()) return;
        line["machine"] = parley_cli::machine_summary();
        line["compiler"] = PARLEY_COMPILER;
        line["commit"] = PARLEY_COMMIT;
        file_ << line.dump() << std::endl;
    }
    [[nodiscard]] bool complete() const { return !file_.is_open() || file_.good(); }

private:
    std::ofstream file_;
};

nlohmann::ordered_json spread(const std::vector<double>& samples) {
    return {{"p10", quantile(samples, 0.1)}, {"median", quantile(samples, 0.5)}, {"p90", quantile(samples, 0.9)}};
}

void measure(std::vector<contestant>& all, int points, sheet& out) {
    for (contestant& c : all) c.run();  // warm-up
    for (int i = 0; i < points; ++i)
        for (contestant& c : all) {
            const double before = processor_seconds();
            c.wall.push_back(seconds(c.run) / c.items * 1e6);
            c.processor.push_back((processor_seconds() - before) / c.items * 1e6);
        }
    for (const contestant& c : all) {
        fmt::print("{:<52} {:>9.4f} us  [{:.4f}, {:.4f}]  processor {:.4f}\n", c.name, quantile(c.wall, 0.5),
                   quantile(c.wall, 0.1), quantile(c.wall, 0.9), quantile(c.processor, 0.5));
        out.add({{"what", c.name},
                 {"us_per_item", spread(c.wall)},
                 {"processor_us_per_item", spread(c.processor)},
                 {"points", points}});
    }
}

template <class F>
void stream(runtime& rt, int n, F body, farm_options options, run_options how = {}) {
    [[maybe_unused]] std::int64_t sum = 0;
    const sequence order = options.order;
    const run_report r = (source(std::views::iota(0, n)) | farm(body, std::move(options)) | sink(order, [&](int i) {
                              sum += i;
                          })).run(rt, how);
    if (r.items != static_cast<std::uint64_t>(n)) fmt::print("lost items: {} of {}\n", r.items, n);
}

#ifdef PARLEY_WITH_TBB
void tbb_stream(unsigned workers, int n, tbb::filter_mode order) {
    static tbb::task_arena arena(static_cast<int>(workers));
    std::int64_t sum = 0;
    int next = 0;
    arena.execute([&] {
        tbb::parallel_pipeline(
            4 * workers, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
                             if (next == n) control.stop();
                             return next++;
                         }) & tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) {
                             return i;
                         }) & tbb::make_filter<int, void>(order, [&](int i) { sum += i; }));
    });
    if (sum != std::int64_t{n} * (n - 1) / 2) fmt::print("oneTBB lost items of {}\n", n);
}
#endif

void empty_items(unsigned workers, int n, int points, sheet& out) {
    runtime rt{{.workers = workers}};
    const auto pass = [](int i) { return i; };
    const std::string at = fmt::format(", {} workers", workers);
    std::vector<contestant> all;
    const auto add = [&](const std::string& name, int items, std::function<void()> run) {
        all.push_back({name + at, static_cast<double>(items), std::move(run)});
    };
    add("ordered", n, [&rt, n, pass] { stream(rt, n, pass, {}); });
    add("unordered", n, [&rt, n, pass] { stream(rt, n, pass, {.order = unordered}); });
    add("ordered, 64 tokens", n / 4, [&rt, n, pass] { stream(rt, n / 4, pass, {}, {.tokens = 64}); });
    add("ordered, batches of 1", n / 10, [&rt, n, pass] { stream(rt, n / 10, pass, {.batch = 1}); });
    add("lanes, on_demand{1}", n / 20,
        [&rt, n, pass] { stream(rt, n / 20, pass, {.workers = 2, .schedule = on_demand{1}}); });
    add("lanes, arrs", n / 20,
        [&rt, n, pass] { stream(rt, n / 20, pass, {.workers = 2, .schedule = adaptive_round_robin{}}); });
    add("feedback, per round, 64 tokens", n, [&rt, n] {
        (source(std::vector<int>(64, 0)) | loop(farm([](int i) { return i + 1; }), [n](int i) { return i >= n / 64; }) |
         sink([](int) {
         })).run(rt, {.tokens = 64});
    });
#ifdef PARLEY_WITH_TBB
    add("oneTBB, in order, 4p tokens", n / 10,
        [workers, n] { tbb_stream(workers, n / 10, tbb::filter_mode::serial_in_order); });
    add("oneTBB, out of order, 4p tokens", n / 10,
        [workers, n] { tbb_stream(workers, n / 10, tbb::filter_mode::serial_out_of_order); });
#endif
    measure(all, points, out);
}

void oversubscription(int points, sheet& out) {
    runtime two{{.workers = 2}}, twenty{{.workers = 20}};
    constexpr int items = 400;
    const auto body = [](int) { return primes(7'500); };
    std::vector<contestant> all;
    all.push_back({"primes up to 7500, 2 workers", items, [&] { stream(two, items, body, {}); }});
    all.push_back({"primes up to 7500, 20 workers", items, [&] { stream(twenty, items, body, {}); }});
    measure(all, points, out);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < all[0].wall.size(); ++i) ratios.push_back(all[1].wall[i] / all[0].wall[i]);
    fmt::print("20 workers / 2 workers: {:.3f}  [{:.3f}, {:.3f}]\n", quantile(ratios, 0.5), quantile(ratios, 0.1),
               quantile(ratios, 0.9));
    out.add({{"what", "20 workers / 2 workers"}, {"ratio", spread(ratios)}, {"points", points}});
}

void long_stream(int n, sheet& out) {
    runtime rt{{.workers = 2}};
    stream(rt, n / 100, [](int i) { return i; }, {});
    const double before = peak_mib();
    const double s = seconds([&] { stream(rt, n, [](int i) { return i; }, {}); });
    fmt::print("{} items: {:.2f} s, peak memory {:.1f} MiB, {:.1f} MiB after a hundredth of them\n", n, s, peak_mib(),
               before);
    out.add({{"what", "long stream"},
             {"items", n},
             {"seconds", s},
             {"peak_mib", peak_mib()},
             {"peak_mib_after_a_hundredth", before}});
}

void open_stream(sheet& out) {
    constexpr double seconds_open = 3.0;
    runtime rt{{.workers = 2}};
    push_end<int> in;
    std::int64_t sum = 0;
    std::jthread reader([&] { (source(in) | farm([](int i) { return i; }) | sink([&](int i) { sum += i; })).run(rt); });
    in.push(1);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_open));
    const double ms = 1e3 * (processor_seconds() - before);
    in.close();
    fmt::print("an open stream without items for {:.0f} s: {:.3f} ms of processor time\n", seconds_open, ms);
    out.add({{"what", "open stream without items"}, {"seconds", seconds_open}, {"processor_ms", ms}});
}

}  // namespace

int main(int argc, char** argv) {
    int points = 15, items = 400'000, long_items = 100'000'000;
    std::string json;
    CLI::App app("What a stream costs per item");
    app.add_option("--points", points, "measurements of each")->check(CLI::Range(5, 100'000));
    app.add_option("--items", items, "items per measurement")->check(CLI::Range(1'000, 1'000'000'000));
    app.add_option("--long", long_items, "items of the long stream")->check(CLI::Range(1'000, 2'000'000'000));
    app.add_option("--json", json, "file for JSON lines");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    sheet out;
    if (!json.empty() && !out.open(json)) {
        fmt::print(stderr, "farm-costs: cannot write {}\n", json);
        return 2;
    }
    fmt::print("{} points, {}, {}, commit {}\nmedians and interdecile ranges per item\n", points,
               parley_cli::machine_summary(), PARLEY_COMPILER, PARLEY_COMMIT);
    for (const unsigned workers : {1U, 2U}) empty_items(workers, items, points, out);
    oversubscription(points, out);
    long_stream(long_items, out);
    open_stream(out);
    return out.complete() ? 0 : 1;
}
