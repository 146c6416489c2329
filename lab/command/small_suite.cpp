#include "lab/command/small_suite.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <parley/parley.hpp>
#include <string>
#include <string_view>
#include <vector>

#ifdef PARLEY_WITH_TBB
#include <tbb/global_control.h>
#endif
#ifdef PARLEY_WITH_OPENMP
#include <omp.h>
#endif

#include "command/build.hpp"
#include "command/json_lines.hpp"
#include "command/machine.hpp"
#include "command/signals.hpp"
#include "command/statistics.hpp"
#include "command/usage.hpp"
#include "lab/command/parse_words.hpp"
#include "lab/command/result_line.hpp"
#include "lab/command/worker_sums.hpp"
#include "lab/peers/parley.hpp"
#include "lab/programs/small/rows.hpp"

namespace parley_cli {
namespace {

using parley_programs::json;
namespace small = parley_programs::small;

struct small_options {
    unsigned workers = 0;
    unsigned repeat = 100;
    unsigned beside = 0;
    double apart = 0;
    std::int64_t idle = -1;
    bool brief = false;
    std::string json_file;
};

// Processes that do nothing but compute. They end with this one.
class busy_processes {
public:
    explicit busy_processes(unsigned n) {
        for (unsigned i = 0; i < n; ++i) {
            const pid_t child = fork();
            if (child == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (;;) {
                    small::compute_for(1e6);
                }
            }
            if (child > 0) {
                all_.push_back(child);
            }
        }
    }
    ~busy_processes() {
        for (const pid_t p : all_) {
            kill(p, SIGKILL);
            waitpid(p, nullptr, 0);
        }
    }
    busy_processes(const busy_processes&) = delete;
    busy_processes& operator=(const busy_processes&) = delete;

private:
    std::vector<pid_t> all_;
};

struct measured_way {
    std::vector<double> seconds;
    std::vector<std::vector<parley_peers::worker_counts>> counts;  // of each call, Parley's only
    bool is_right = true;
};

class suite_run {
public:
    explicit suite_run(const small_options& o)
        : options_(o), rt_({.workers = o.workers, .idle = std::chrono::microseconds(o.idle)}) {
        if (!o.json_file.empty()) {
            file_.emplace(o.json_file);
        }
    }

    int run() {
        say_where();
        for (const small::row& r : small::all_rows()) {
            for (const std::size_t n : r.sizes) {
                measure(r, n);
                if (was_interrupted_.load()) {
                    return exit_status::was_interrupted;
                }
            }
        }
        if (speaks()) {
            fmt::print("the worst median of parley's, of 1 us and more: {:.2f}\n", worst_);
        }
        if (file_) {
            file_->finish();
        }
        return all_right_ ? exit_status::succeeded : exit_status::failed;
    }

    void interrupt() { was_interrupted_.store(true); }

private:
    [[nodiscard]] bool speaks() const { return options_.json_file != "-"; }

    void say_where() const {
        if (!speaks()) {
            return;
        }
        const build b = this_build();
        fmt::print("{}; {} {}; commit {}\n{} workers, {} rounds, calls {} us apart, {} busy processes beside\n\n",
                   machine_summary(), b.compiler, b.flags, b.commit, options_.workers, options_.repeat, options_.apart,
                   options_.beside);
        if (options_.brief) {
            fmt::print("{:<12}{:>8}{:>11}  medians relative to serial\n", "", "n", "serial us");
        } else {
            fmt::print("{:<12}{:>8}{:>11}  {:<8}{:>8}{:>8}\n", "", "n", "serial us", "", "median", "p90");
        }
    }

    // Serial program and ways take turns. A result is compared once, of the same data.
    void measure(const small::row& r, std::size_t n) {
        std::vector<double> serial;
        std::vector<measured_way> ways(r.ways.size());
        rt_.run([&] {
            r.prepare(n, 0);
            r.serial(n);
            const std::uint64_t right = r.result(n);
            for (std::size_t k = 0; k < ways.size(); ++k) {
                r.prepare(n, 0);
                inside(r.ways[k], [&] { r.ways[k].run(n); });
                ways[k].is_right = r.result(n) == right;
            }
            while (serial.size() < options_.repeat && !was_interrupted_.load()) {
                const std::size_t calls = std::min<std::size_t>(options_.repeat - serial.size(), calls_in_a_row());
                warm_up(r, n, r.serial);
                for (std::size_t i = 0; i < calls; ++i) {
                    serial.push_back(seconds_of(r, n, r.serial));
                }
                for (std::size_t k = 0; k < ways.size(); ++k) {
                    inside(r.ways[k], [&] { measure_some(r, n, k, calls, ways[k]); });
                }
            }
        });
        if (speaks() && options_.brief) {
            fmt::print("{:<12}{:>8}{:>11.1f}", r.name, n, serial.empty() ? 0.0 : 1e6 * median_of(serial));
        }
        for (std::size_t k = 0; k < ways.size(); ++k) {
            report(r, n, r.ways[k].scheduler, serial, ways[k]);
        }
        if (speaks() && options_.brief) {
            fmt::print("\n");
        }
    }

    void inside(const small::way& w, const std::function<void()>& what) const {
        if (w.enter) {
            w.enter(options_.workers, what);
        } else {
            what();
        }
    }

    void measure_some(const small::row& r, std::size_t n, std::size_t k, std::size_t calls, measured_way& found) {
        warm_up(r, n, r.ways[k].run);
        for (std::size_t i = 0; i < calls; ++i) {
            const auto before = parley_peers::counts_of(rt_);
            found.seconds.push_back(seconds_of(r, n, r.ways[k].run));
            if (k == 0) {
                found.counts.push_back(difference(parley_peers::counts_of(rt_), before));
            }
        }
    }

    // If calls follow each other closely, some of one way do. Else the threads of the way before would still look for work,
    // on a processor that this way needs.
    [[nodiscard]] std::size_t calls_in_a_row() const { return options_.apart > 0 ? 1 : 10; }
    void warm_up(const small::row& r, std::size_t n, const small::work& what) {
        if (options_.apart > 0) {
            return;
        }
        constexpr double others_fall_asleep_us = 1000;
        constexpr auto own_threads_come = std::chrono::milliseconds(5);
        small::compute_for(others_fall_asleep_us);
        for (const auto begin = std::chrono::steady_clock::now();
             std::chrono::steady_clock::now() - begin < own_threads_come;) {
            (void)seconds_of(r, n, what);
        }
    }

    double seconds_of(const small::row& r, std::size_t n, const small::work& what) {
        small::compute_for(options_.apart);
        r.prepare(n, ++round_);
        const auto begin = std::chrono::steady_clock::now();
        what(n);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    void report(const small::row& r, std::size_t n, const char* scheduler, const std::vector<double>& serial,
                const measured_way& way) {
        const std::string name = fmt::format("small {}", r.name);
        outcome o;
        o.program = name;
        o.parameters = {{"n", n}, {"apart_us", options_.apart}, {"beside", options_.beside}, {"idle_us", options_.idle}};
        o.scheduler = scheduler;
        o.workers = options_.workers;
        o.seconds = &way.seconds;
        o.serial_seconds = &serial;
        o.counts = &way.counts;
        o.verified = way.is_right && !was_interrupted_.load();
        if (file_) {
            file_->append(result_line(o).dump());
        }
        if (!way.is_right) {
            all_right_ = false;
            fmt::print(stderr, "parley: wrong result: {} of {} by {}\n", name, n, scheduler);
        }
        if (way.seconds.empty()) {
            return;
        }
        const double alone = median_of(serial), median = median_of(way.seconds) / alone;
        const bool is_ours = std::string_view(scheduler) == "parley";
        if (is_ours && alone >= 1e-6) {
            worst_ = std::max(worst_, median);
        }
        if (speaks() && options_.brief) {
            fmt::print("  {:>7}{:>9.2f}", scheduler, median);
        } else if (speaks()) {
            fmt::print("{:<12}{:>8}{:>11.1f}  {:<8}{:>8.2f}{:>8.2f}\n", is_ours ? r.name : "", n, 1e6 * alone, scheduler,
                       median, summarise(way.seconds).p90 / summarise(serial).p90);
            std::fflush(stdout);
        }
    }

    const small_options& options_;
    parley::runtime rt_;
    std::optional<json_lines> file_;
    std::uint64_t round_ = 0;
    double worst_ = 0;
    bool all_right_ = true;
    std::atomic<bool> was_interrupted_{false};
};

std::optional<small_options> read(arguments words) {
    small_options o;
    const parley::options environment = parley::options::from_environment();
    o.workers = environment.workers != 0 ? environment.workers : parley::default_workers();
    CLI::App app(
        "Words of the library on work of 0.3 us to 1 ms, beside the serial program, oneTBB, OpenMP, rayon and chili in "
        "turns.",
        "parley bench --suite small");
    std::string suite;
    app.add_option("--suite", suite)->option_text("small");
    app.add_option("--workers", o.workers, "how many workers")->check(CLI::Range(1U, parley::max_workers));
    app.add_option("--repeat", o.repeat, "rounds; in each, everything is called once")->check(CLI::Range(1U, 1'000'000U));
    app.add_option("--apart", o.apart,
                   "microseconds between two calls, in which the caller computes; from some 200 on workers sleep")
        ->check(CLI::Range(0.0, 1e6));
    app.add_option("--beside", o.beside, "processes that keep as many cores busy meanwhile")->check(CLI::Range(0U, 1024U));
    app.add_option("--idle", o.idle, "options::idle in microseconds; -1: the library's choice")
        ->check(CLI::Range(std::int64_t{-1}, std::int64_t{std::numeric_limits<std::int32_t>::max()}));
    app.add_flag("--brief", o.brief, "one line for each row and length, with medians alone");
    app.add_option("--json", o.json_file, "one line of JSON for each row, length and scheduler; - is standard output");
    if (!parse_words(app, words)) {
        return std::nullopt;
    }
    return o;
}

}  // namespace

int small_suite(arguments words) {
    const std::optional<small_options> options = read(words);
    if (!options) {
        return exit_status::succeeded;
    }
    const busy_processes others(options->beside);
    block_watched_signals();
#ifdef PARLEY_WITH_TBB
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, options->workers);
#endif
#ifdef PARLEY_WITH_OPENMP
    omp_set_num_threads(static_cast<int>(options->workers));
#endif
    suite_run all(*options);
    signal_watcher::actions a;
    a.interrupt = [&all] { all.interrupt(); };
    a.give_up = [] { std::_Exit(exit_status::was_interrupted); };
    a.dump = [] {};
    const signal_watcher watcher(a);
    return all.run();
}

}  // namespace parley_cli
