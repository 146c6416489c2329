#include "lab/command/std_suite.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <parley/parley.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifdef PARLEY_WITH_TBB
#include <tbb/global_control.h>
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
#include "lab/programs/std/rows.hpp"

namespace parley_cli {
namespace {

namespace std_rows = parley_programs::std_algorithms;

struct std_options {
    std::vector<unsigned> workers;
    std::vector<std::string> rows;
    std::size_t shortest = 1'000, longest = 10'000'000;
    unsigned repeat = 0;  // 0: as many as take some tenths of a second
    std::string json_file;
};

struct std_way {
    std::vector<double> seconds;
    std::vector<std::vector<parley_peers::worker_counts>> counts;  // of each call, Parley's only
    bool is_right = true;
};

class std_suite_run {
public:
    explicit std_suite_run(const std_options& o) : options_(o) {
        ways_.push_back({"parley", std_rows::calls_by_parley()});
        if (std::vector<std_rows::call> theirs = std_rows::calls_by_onetbb(); !theirs.empty()) {
            ways_.push_back({"tbb", std::move(theirs)});
        }
        if (!o.json_file.empty()) {
            file_.emplace(o.json_file);
        }
    }

    int run() {
        if (speaks()) {
            const build b = this_build();
            fmt::print("{}; {} {}; commit {}\n", machine_summary(), b.compiler, b.flags, b.commit);
        }
        for (const unsigned workers : options_.workers) {
            measure_all(workers);
            if (was_interrupted_.load()) {
                return exit_status::was_interrupted;
            }
        }
        if (file_) {
            file_->finish();
        }
        return all_right_ ? exit_status::succeeded : exit_status::failed;
    }

    void interrupt() { was_interrupted_.store(true); }

private:
    [[nodiscard]] bool speaks() const { return options_.json_file != "-"; }

    void measure_all(unsigned workers) {
#ifdef PARLEY_WITH_TBB
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
#endif
        parley::runtime rt({.workers = workers});
        if (speaks()) {
            fmt::print("\n{} workers\n{:<18}{:>10}{:>12}{:>10}{:>10}{:>16}\n", workers, "", "n", "serial us", "parley",
                       "tbb", "parley/tbb");
        }
        const std::vector<std_rows::row>& all = std_rows::rows();
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (!options_.rows.empty() &&
                std::find(options_.rows.begin(), options_.rows.end(), all[k].name) == options_.rows.end()) {
                continue;
            }
            for (std::size_t n = options_.shortest; n <= options_.longest; n *= 10) {
                rt.run([&] { measure(rt, k, n); });
                if (was_interrupted_.load()) {
                    return;
                }
            }
        }
    }

    // The serial program and the ways take turns. A result is compared once, of the same elements.
    void measure(parley::runtime& rt, std::size_t k, std::size_t n) {
        const std_rows::row& r = std_rows::rows()[k];
        const std_rows::call alone = serial_[k];
        std::vector<double> serial;
        std::vector<std_way> found(ways_.size());
        const double one = seconds_of(r, n, 0, alone);
        const std::uint64_t right = std_rows::result(data_, r);
        for (std::size_t w = 0; w < ways_.size(); ++w) {
            (void)seconds_of(r, n, 0, ways_[w].calls[k]);
            found[w].is_right = std_rows::result(data_, r) == right;
        }
        const std::size_t repeat = options_.repeat > 0 ? options_.repeat : enough_for(one);
        while (serial.size() < repeat && !was_interrupted_.load()) {
            const std::size_t calls = std::min<std::size_t>(repeat - serial.size(), calls_in_a_row);
            warm_up(r, n, one, alone);
            for (std::size_t i = 0; i < calls; ++i) {
                serial.push_back(seconds_of(r, n, ++round_, alone));
            }
            for (std::size_t w = 0; w < ways_.size(); ++w) {
                warm_up(r, n, one, ways_[w].calls[k]);
                for (std::size_t i = 0; i < calls; ++i) {
                    const auto before = parley_peers::counts_of(rt);
                    found[w].seconds.push_back(seconds_of(r, n, ++round_, ways_[w].calls[k]));
                    if (w == 0) {
                        found[w].counts.push_back(difference(parley_peers::counts_of(rt), before));
                    }
                }
            }
        }
        report(r, n, rt.workers(), serial, found);
    }

    // Enough of them for a median, and no more than some seconds.
    static std::size_t enough_for(double one) {
        return static_cast<std::size_t>(std::clamp(0.5 / std::max(one, 1e-9), 11.0, 200.0));
    }

    // Some calls of one way follow each other. Else the threads of the way before would still look for work, on a processor
    // that this way needs. A long call is its own warm-up.
    static constexpr std::size_t calls_in_a_row = 10;
    void warm_up(const std_rows::row& r, std::size_t n, double one, std_rows::call what) {
        constexpr double others_fall_asleep_us = 1000;
        constexpr auto own_threads_come = std::chrono::milliseconds(3);
        parley_programs::small::compute_for(others_fall_asleep_us);
        if (one > 3e-3) {
            return;
        }
        for (const auto begin = std::chrono::steady_clock::now();
             std::chrono::steady_clock::now() - begin < own_threads_come;) {
            (void)seconds_of(r, n, ++round_, what);
        }
    }

    double seconds_of(const std_rows::row& r, std::size_t n, std::uint64_t round, std_rows::call what) {
        std_rows::prepare(data_, r, n, round);
        const auto begin = std::chrono::steady_clock::now();
        what(data_);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    void report(const std_rows::row& r, std::size_t n, unsigned workers, const std::vector<double>& serial,
                const std::vector<std_way>& found) {
        for (std::size_t w = 0; w < ways_.size(); ++w) {
            const std::string name = fmt::format("std {}", r.name);
            outcome o;
            o.program = name;
            o.parameters = {{"n", n}};
            o.scheduler = ways_[w].scheduler;
            o.workers = workers;
            o.seconds = &found[w].seconds;
            o.serial_seconds = &serial;
            o.counts = &found[w].counts;
            o.verified = found[w].is_right && !was_interrupted_.load();
            if (file_) {
                file_->append(result_line(o).dump());
            }
            if (!found[w].is_right) {
                all_right_ = false;
                fmt::print(stderr, "parley: wrong result: {} of {} by {}\n", name, n, ways_[w].scheduler);
            }
        }
        if (!speaks() || serial.empty()) {
            return;
        }
        const double alone = median_of(serial), ours = median_of(found[0].seconds);
        fmt::print("{:<18}{:>10}{:>12.1f}{:>10.2f}", r.name, n, 1e6 * alone, ours / alone);
        if (found.size() > 1) {
            const double theirs = median_of(found[1].seconds);
            fmt::print("{:>10.2f}{:>16.2f}", theirs / alone, ours / theirs);
        }
        fmt::print("\n");
        std::fflush(stdout);
    }

    const std_options& options_;
    const std::vector<std_rows::call> serial_ = std_rows::serial_calls();
    std::vector<std_rows::way> ways_;
    std_rows::arrays data_;
    std::optional<json_lines> file_;
    std::uint64_t round_ = 0;
    bool all_right_ = true;
    std::atomic<bool> was_interrupted_{false};
};

std::optional<std_options> read_std_options(arguments words) {
    std_options o;
    CLI::App app(
        "The standard's algorithms with std::execution::par, on Parley and on oneTBB, beside the serial ones in turns.",
        "parley bench --suite std");
    std::string suite;
    app.add_option("--suite", suite)->option_text("std");
    app.add_option("--workers", o.workers, "how many workers, with commas (default: 1,2)")
        ->delimiter(',')
        ->check(CLI::Range(1U, parley::max_workers));
    std::vector<std::string> names;
    for (const std_rows::row& r : std_rows::rows()) {
        names.emplace_back(r.name);
    }
    app.add_option("--algorithm", o.rows, "which of them, with commas (default: all)")
        ->delimiter(',')
        ->check(CLI::IsMember(names));
    app.add_option("--shortest", o.shortest, "elements of the first length; each other one is ten times as long")
        ->check(CLI::Range(std::size_t{100}, std::size_t{100'000'000}));
    app.add_option("--longest", o.longest, "no length is longer")
        ->check(CLI::Range(std::size_t{100}, std::size_t{100'000'000}));
    app.add_option("--repeat", o.repeat, "rounds; in each, everything is called once (default: 11 to 200)")
        ->check(CLI::Range(1U, 1'000'000U));
    app.add_option("--json", o.json_file, "one line of JSON for each algorithm, length and scheduler; - is standard output");
    if (!parse_words(app, words)) {
        return std::nullopt;
    }
    if (o.workers.empty()) {
        o.workers = {1, 2};
    }
    if (o.longest < o.shortest) {
        throw usage_error("parley bench --suite std: --longest is less than --shortest");
    }
    return o;
}

}  // namespace

int std_suite(arguments words) {
    const std::optional<std_options> options = read_std_options(words);
    if (!options) {
        return exit_status::succeeded;
    }
    if (std_rows::calls_by_parley().empty()) {
        throw usage_error("parley bench --suite std: this build's standard library is not GCC's");
    }
    block_watched_signals();
    std_suite_run all(*options);
    signal_watcher::actions a;
    a.interrupt = [&all] { all.interrupt(); };
    a.give_up = [] { std::_Exit(exit_status::was_interrupted); };
    a.dump = [] {};
    const signal_watcher watcher(a);
    return all.run();
}

}  // namespace parley_cli
