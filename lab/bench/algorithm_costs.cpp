// The algorithms beside the serial loop, oneTBB and libstdc++'s parallel mode, measured in turn. Prints medians
// and median ratios of neighbours, and JSON lines with --json FILE.
// Usage: algorithm-costs [--pairs N] [--elements N] [--workers N] [--json FILE] [NAME...]
#include "command/machine.hpp"
#include "lab/bench/measure.hpp"

#include <parley/parley.hpp>
#include <parley_build_info.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#ifdef PARLEY_WITH_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#endif
#if defined(PARLEY_WITH_OPENMP) && defined(__GLIBCXX__)
#define PARLEY_WITH_PARALLEL_MODE
#include <omp.h>
#include <parallel/algorithm>
#endif

namespace {

using namespace parley_bench;
using numbers = std::vector<double>;

struct options {
    int pairs = 9;
    std::size_t elements = 10'000'000;
    unsigned workers = 2;
    std::ofstream file;
};

// One algorithm: `prepare` is not measured; `check` says whether the result is right.
struct task {
    std::string name;
    std::function<void()> prepare;
    std::function<bool()> check;
};

// Who runs it.
struct contestant {
    std::string name;
    std::function<void()> run;
};

double timed(const task& t, const contestant& c) {
    t.prepare();
    const double took = seconds(c.run);
    if (!t.check()) {
        fmt::print(stderr, "algorithm-costs: {}: {}: wrong result\n", t.name, c.name);
        std::exit(1);
    }
    return took;
}

void compare(options& o, const task& t, const contestant& first, const contestant& second) {
    const auto runs = interleave(o.pairs, [&] { return timed(t, first); }, [&] { return timed(t, second); });
    const interval ratio = runs.ratio();
    const interval ms = median_interval(runs.first);
    fmt::print("{:<15} {:<18} / {:<18} {:>7.3f}  [{:.3f}, {:.3f}]  {:>9.3f} ms\n", t.name, first.name, second.name,
               ratio.middle, ratio.low, ratio.high, 1e3 * ms.middle);
    std::fflush(stdout);
    if (o.file.is_open())
        o.file << nlohmann::json{{"algorithm", t.name},
                                 {"first", first.name},
                                 {"second", second.name},
                                 {"ratio", ratio.middle},
                                 {"low", ratio.low},
                                 {"high", ratio.high},
                                 {"first_seconds", ms.middle},
                                 {"second_seconds", median_interval(runs.second).middle},
                                 {"pairs", o.pairs},
                                 {"elements", o.elements},
                                 {"machine", parley_cli::machine_summary()},
                                 {"compiler", PARLEY_COMPILER},
                                 {"commit", PARLEY_COMMIT}}
                      .dump()
               << std::endl;
}

struct runtimes {
    parley::runtime one{{.workers = 1}};
    parley::runtime all;
    std::string all_name;
    explicit runtimes(unsigned workers) : all{{.workers = workers}}, all_name(fmt::format("parley, {}", workers)) {}
};

// Parley with one worker beside the serial program; with all of them beside one, and beside the others.
template <class Algorithm>
void compare_all(options& o, runtimes& r, const task& t, const std::function<void()>& serial, Algorithm algorithm,
                 const std::vector<contestant>& others) {
    const contestant one{"parley, 1", [&] { r.one.run(algorithm); }};
    const contestant all{r.all_name, [&] { r.all.run(algorithm); }};
    compare(o, t, one, {"serial", serial});
    compare(o, t, all, one);
    for (const contestant& other : others) compare(o, t, all, other);
}

template <class F>
void add_tbb(std::vector<contestant>& others, [[maybe_unused]] unsigned threads, [[maybe_unused]] F work) {
#ifdef PARLEY_WITH_TBB
    others.push_back({fmt::format("oneTBB, {}", threads), [=] {
                          static tbb::task_arena arena(static_cast<int>(threads));
                          arena.execute(work);
                      }});
#else
    (void)others;
#endif
}

template <class F>
void add_parallel_mode(std::vector<contestant>& others, [[maybe_unused]] unsigned threads, [[maybe_unused]] F work) {
#ifdef PARLEY_WITH_PARALLEL_MODE
    others.push_back({fmt::format("libstdc++, {}", threads), [=] {
                          omp_set_num_threads(static_cast<int>(threads));
                          work();
                      }});
#else
    (void)others;
#endif
}

numbers random_numbers(std::size_t n) {
    std::mt19937_64 random(1);
    numbers v(n);
    for (double& x : v) x = std::uniform_real_distribution<>(0, 1)(random);
    return v;
}

void reductions(options& o) {
    runtimes r(o.workers);
    const numbers v = random_numbers(o.elements);
    const double expected = std::accumulate(v.begin(), v.end(), 0.0);
    double sum = 0;
    const auto near = [&] { return std::abs(sum - expected) < 1e-9 * expected + 1e-9; };
    std::vector<contestant> others;
    add_tbb(others, o.workers, [&] {
#ifdef PARLEY_WITH_TBB
        sum = tbb::parallel_reduce(
            tbb::blocked_range<const double*>(v.data(), v.data() + v.size()), 0.0,
            [](const auto& range, double s) { return std::accumulate(range.begin(), range.end(), s); }, std::plus<>{});
#endif
    });
    const auto nothing = [&] { sum = 0; };
    const auto loop = [&] { sum = std::accumulate(v.begin(), v.end(), 0.0); };
    compare_all(o, r, {"sum", nothing, near}, loop, [&] { sum = parley::reduce(v.begin(), v.end()); }, others);
    compare_all(o, r, {"deterministic", nothing, near}, loop,
                [&] { sum = parley::reduce_deterministic(v.begin(), v.end(), 0.0); }, {});
    const auto third = [](double x) { return x / 3; };
    const auto third_of = [&] { return std::abs(3 * sum - expected) < 1e-9 * expected + 1e-9; };
    compare_all(
        o, r, {"sum of thirds", nothing, third_of},
        [&] { sum = std::transform_reduce(v.begin(), v.end(), 0.0, std::plus<>{}, third); },
        [&] { sum = parley::reduce(v.begin(), v.end(), 0.0, std::plus<>{}, third); }, {});
}

void transforms(options& o) {
    runtimes r(o.workers);
    const numbers x = random_numbers(o.elements);
    numbers y(o.elements, 1);
    const auto saxpy = [a = x[0]](double p, double q) { return a * p + q; };
    std::vector<contestant> others;
    add_tbb(others, o.workers, [&] {
#ifdef PARLEY_WITH_TBB
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, x.size()), [&](const auto& range) {
            for (std::size_t i = range.begin(); i != range.end(); ++i) y[i] = saxpy(x[i], y[i]);
        });
#endif
    });
    compare_all(
        o, r, {"saxpy", [] {}, [] { return true; }},
        [&] { std::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy); },
        [&] { parley::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy); }, others);
}

void scans(options& o) {
    runtimes r(o.workers);
    const numbers v = random_numbers(o.elements);
    numbers out(o.elements), expected(o.elements);
    std::inclusive_scan(v.begin(), v.end(), expected.begin());
    const auto check = [&] { return std::abs(out.back() - expected.back()) < 1e-9 * expected.back() + 1e-9; };
    std::vector<contestant> others;
    add_tbb(others, o.workers, [&] {
#ifdef PARLEY_WITH_TBB
        tbb::parallel_scan(
            tbb::blocked_range<std::size_t>(0, v.size()), 0.0,
            [&](const auto& range, double sum, bool final) {
                if (!final) return std::accumulate(&v[0] + range.begin(), &v[0] + range.end(), sum);
                for (std::size_t i = range.begin(); i != range.end(); ++i) out[i] = sum += v[i];
                return sum;
            },
            std::plus<>{});
#endif
    });
    compare_all(
        o, r, {"inclusive_scan", [&] { out.back() = 0; }, check},
        [&] { std::inclusive_scan(v.begin(), v.end(), out.begin()); },
        [&] { parley::inclusive_scan(v.begin(), v.end(), out.begin()); }, others);
}

void sorts(options& o) {
    runtimes r(o.workers);
    const numbers original = random_numbers(o.elements);
    numbers v(o.elements);
    const auto prepare = [&] { v = original; };
    const auto sorted = [&] { return std::is_sorted(v.begin(), v.end()); };
    std::vector<contestant> others;
    add_tbb(others, o.workers, [&] {
#ifdef PARLEY_WITH_TBB
        tbb::parallel_sort(v.begin(), v.end());
#endif
    });
    add_parallel_mode(others, o.workers, [&] {
#ifdef PARLEY_WITH_PARALLEL_MODE
        __gnu_parallel::sort(v.begin(), v.end());
#endif
    });
    compare_all(
        o, r, {"sort", prepare, sorted}, [&] { std::sort(v.begin(), v.end()); }, [&] { parley::sort(v.begin(), v.end()); },
        others);
    std::vector<contestant> stable;
    add_parallel_mode(stable, o.workers, [&] {
#ifdef PARLEY_WITH_PARALLEL_MODE
        __gnu_parallel::stable_sort(v.begin(), v.end());
#endif
    });
    compare_all(
        o, r, {"stable_sort", prepare, sorted}, [&] { std::stable_sort(v.begin(), v.end()); },
        [&] { parley::stable_sort(v.begin(), v.end()); }, stable);
}

void searches(options& o) {
    runtimes r(o.workers);
    const numbers v = random_numbers(o.elements);
    numbers::const_iterator found;
    const auto smallest = std::min_element(v.begin(), v.end());
    const task t{"min_element", [&] { found = v.end(); }, [&] { return found == smallest; }};
    compare_all(
        o, r, t, [&] { found = std::min_element(v.begin(), v.end()); },
        [&] { found = parley::min_element(v.begin(), v.end()); }, {});
    // None matches: all of them are looked at.
    const auto is_it = [](double x) { return x > 2; };
    const task search{"find_if", [&] { found = v.begin(); }, [&] { return found == v.end(); }};
    compare_all(
        o, r, search, [&] { found = std::find_if(v.begin(), v.end(), is_it); },
        [&] { found = parley::find_if(v.begin(), v.end(), is_it); }, {});
}

// Results are written to `out`, from the beginning on.
void picks(options& o) {
    runtimes r(o.workers);
    const numbers original = random_numbers(o.elements);
    numbers v(o.elements), out(o.elements);
    numbers::iterator end;
    const auto is_small = [](double x) { return x < 0.5; };
    const auto small = std::count_if(original.begin(), original.end(), is_small);
    const auto prepare = [&] {
        v = original;
        end = v.begin();
    };
    compare_all(
        o, r, {"copy_if", [&] { end = out.begin(); }, [&] { return end - out.begin() == small; }},
        [&] { end = std::copy_if(original.begin(), original.end(), out.begin(), is_small); },
        [&] { end = parley::copy_if(original.begin(), original.end(), out.begin(), is_small); }, {});
    compare_all(
        o, r, {"partition", prepare, [&] { return end - v.begin() == small; }},
        [&] { end = std::partition(v.begin(), v.end(), is_small); },
        [&] { end = parley::partition(v.begin(), v.end(), is_small); }, {});
    // About half of the elements are equal to the one before.
    const auto same = [](double a, double b) { return (a < 0.5) == (b < 0.5); };
    numbers kept = original;
    const auto rows = std::unique(kept.begin(), kept.end(), same) - kept.begin();
    compare_all(
        o, r, {"unique", prepare, [&] { return end - v.begin() == rows; }},
        [&] { end = std::unique(v.begin(), v.end(), same); }, [&] { end = parley::unique(v.begin(), v.end(), same); }, {});
    const auto middle = static_cast<std::ptrdiff_t>(o.elements / 2);
    const auto divided = [&] {
        return std::all_of(v.begin(), v.begin() + middle, [&](double x) { return x <= v[o.elements / 2]; });
    };
    compare_all(
        o, r, {"nth_element", prepare, divided}, [&] { std::nth_element(v.begin(), v.begin() + middle, v.end()); },
        [&] { parley::nth_element(v.begin(), v.begin() + middle, v.end()); }, {});
}

// Each of the two ranges that are put together has half of the elements. Every third number is in both.
void merges(options& o) {
    runtimes r(o.workers);
    const std::size_t half = o.elements / 2;
    numbers all = random_numbers(o.elements);
    for (std::size_t i = 0; i < half; i += 3) all[half + i] = all[i];
    const auto first = all.begin(), middle = first + static_cast<std::ptrdiff_t>(half), last = all.end();
    std::sort(first, middle);
    std::sort(middle, last);
    numbers out(o.elements);
    numbers::iterator end;
    const auto prepare = [&] { end = out.begin(); };
    compare_all(
        o, r, {"merge", prepare, [&] { return end == out.end() && std::is_sorted(out.begin(), end); }},
        [&] { end = std::merge(first, middle, middle, last, out.begin()); },
        [&] { end = parley::merge(first, middle, middle, last, out.begin()); }, {});
    const auto in_either = std::set_union(first, middle, middle, last, out.begin()) - out.begin();
    compare_all(
        o, r, {"set_union", prepare, [&] { return end - out.begin() == in_either && std::is_sorted(out.begin(), end); }},
        [&] { end = std::set_union(first, middle, middle, last, out.begin()); },
        [&] { end = parley::set_union(first, middle, middle, last, out.begin()); }, {});
}

}  // namespace

int main(int argc, char** argv) {
    const std::pair<const char*, void (*)(options&)> all[] = {
        {"reductions", reductions}, {"transforms", transforms}, {"scans", scans},  {"sorts", sorts},
        {"searches", searches},     {"picks", picks},           {"merges", merges}};
    CLI::App app("The algorithms beside others, measured");
    options o;
    std::string json;
    std::vector<std::string> names, known;
    for (const auto& [name, measure] : all) known.emplace_back(name);
    app.add_option("--pairs", o.pairs, "interleaved pairs")->check(CLI::Range(5, 1000));
    app.add_option("--elements", o.elements, "how many")->check(CLI::Range(1, 1'000'000'000));
    app.add_option("--workers", o.workers, "beside one")->check(CLI::Range(1, 256));
    app.add_option("--json", json, "file for JSON lines");
    app.add_option("NAME", names, "which")->check(CLI::IsMember(known));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!json.empty()) {
        o.file.open(json);
        if (!o.file) {
            fmt::print(stderr, "algorithm-costs: cannot write {}\n", json);
            return 2;
        }
    }
    fmt::print(
        "{} elements, {} pairs, {}, {}, commit {}\n"
        "medians of time ratios with 95% intervals, and the first one's time\n",
        o.elements, o.pairs, parley_cli::machine_summary(), PARLEY_COMPILER, PARLEY_COMMIT);
    for (const auto& [name, measure] : all)
        if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) measure(o);
}
