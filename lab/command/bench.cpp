// `parley bench`: programs on several schedulers, in turn.
#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string_view>

#include "command/build.hpp"
#include "command/json_lines.hpp"
#include "command/machine.hpp"
#include "command/progress.hpp"
#include "command/signals.hpp"
#include "command/terminal.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"
#include "lab/command/bench_options.hpp"
#include "lab/command/bench_report.hpp"
#include "lab/command/contest.hpp"
#include "lab/command/deep_stack.hpp"
#include "lab/command/finished.hpp"
#include "lab/command/plot.hpp"
#include "lab/command/result_line.hpp"
#include "lab/command/small_suite.hpp"
#include "lab/command/std_suite.hpp"
#include "lab/command/suite_table.hpp"

namespace parley_cli {
namespace {

std::vector<std::string> texts_of(const std::vector<parley_programs::json>& lines) {
    std::vector<std::string> texts;
    for (const parley_programs::json& line : lines) {
        texts.push_back(line.dump());
    }
    return texts;
}

class benchmark {
public:
    explicit benchmark(const bench_options& options) : options_(options) {
        if (!options.plot_folder.empty()) {
            require_plotting("parley bench", options.plot_folder);
        }
        if (!options.json_file.empty()) {
            if (!options.suite.empty()) {
                finished_ = finished_programs(options);
            }
            file_.emplace(options.json_file, texts_of(finished_.all_lines()));
        }
    }

    int run() {
        if (speaks()) {
            const build b = this_build();
            fmt::print("{}; {} {}; commit {}\n{}{}", machine_summary(), b.compiler, b.flags, b.commit,
                       list_of_workloads(options_), resumption());
        }
        const bool complete = measure_all();
        say_standings();
        if (!complete) {
            return exit_status::was_interrupted;
        }
        if (file_) {
            file_->finish();
        }
        if (!options_.plot_folder.empty()) {
            plot_all();
        }
        return all_right_ ? exit_status::succeeded : exit_status::failed;
    }

private:
    // False if it was interrupted.
    bool measure_all() {
        for (std::size_t i = 0; i < options_.entries.size(); ++i) {
            const auto& known = finished_.lines_of(i);
            if (!known.empty()) {
                lines_.insert(lines_.end(), known.begin(), known.end());
            } else if (!measure(options_.entries[i])) {
                return false;
            }
        }
        return true;
    }

    // False if it was interrupted.
    bool measure(const bench_entry& e) {
        const std::vector<std::string> schedulers = options_.schedulers_of(e);
        if (schedulers.empty()) {
            return true;  // a program of the suite that none of them runs
        }
        workload_ = e.workload;
        contest c(*e.program, options_.request_of(e), schedulers, options_.workers, options_.tuning);
        bool complete = true;
        try {
            const signal_watcher watcher(actions(c));
            c.run(options_.repeat, options_.seconds);
        } catch (const parley_programs::interrupted&) {
            complete = false;
        }
        progress_.clear();
        report(c, complete);
        if (!complete) {
            say_interrupted(c, c.now());
        }
        return complete;
    }

    void say_interrupted(const contest& c, const std::string& in) const {
        if (speaks()) {
            fmt::print("\n{}: interrupted in {}\n", c.what().name, in);
            std::fflush(stdout);
        }
    }

    void report(const contest& c, bool complete) {
        if (c.serial().seconds.empty()) {
            return;  // no round is done
        }
        if (options_.lists_serial()) {
            add_line(c, c.serial(), complete);
        }
        for (const contestant& one : c.contestants()) {
            add_line(c, one, complete);
        }
        if (speaks()) {
            fmt::print("\n{}{}", workload_.empty() ? "" : workload_ + ": ", table_of(c, terminal::of(stdout)));
            std::fflush(stdout);
        }
        if (!c.serial().problem.empty()) {
            fmt::print(stderr, "parley: wrong result: {}\n", c.serial().problem);
            all_right_ = false;
        }
    }

    void add_line(const contest& c, const contestant& one, bool complete) {
        outcome o;
        o.program = c.what().name;
        o.parameters = c.parameters();
        o.tuning = one.tuning;
        o.scheduler = one.scheduler;
        o.workers = one.workers;
        o.seconds = &one.seconds;
        o.serial_seconds = &c.serial().seconds;
        o.inlined_seconds = c.what().make_inlined != nullptr ? &c.inlined_seconds() : nullptr;
        o.counts = &one.counts;
        o.result = one.result;
        o.verified = complete && one.problem.empty();
        lines_.push_back(result_line(o));
        if (file_) {
            file_->append(lines_.back().dump());
        }
        if (!one.problem.empty()) {
            fmt::print(stderr, "parley: wrong result: {}\n", one.problem);
            all_right_ = false;
        }
    }

    signal_watcher::actions actions(contest& c) {
        signal_watcher::actions a;
        a.interrupt = [&c] { c.interrupt(); };
        a.give_up = [this, &c] {
            progress_.clear();
            const std::string in = c.now();
            const auto held = c.hold();
            if (held) {
                report(c, false);
            }
            say_interrupted(c, in);
            if (held) {
                say_standings();
            }
            std::_Exit(exit_status::was_interrupted);  // the run goes on: nothing can be destroyed
        };
        const auto line = [this, &c] {
            return fmt::format("{}: {}", workload_.empty() ? c.what().name : workload_, c.now());
        };
        a.dump = [line, &c] {
            fmt::print(stderr, "{}\n", line());
            c.dump(stderr);
        };
        a.tick = [this, line] { progress_.show(line()); };
        a.tick_every = progress_.interval();
        return a;
    }

    [[nodiscard]] std::string resumption() const {
        if (finished_.finished() + finished_.measured_anew() == 0) {
            return {};
        }
        std::string text = fmt::format("\n{}.partial has the results of {} of {} programs\n", options_.json_file,
                                       finished_.finished(), options_.entries.size());
        if (finished_.measured_anew() > 0) {
            text += fmt::format("measured anew: {}, not from this build or machine, or not complete\n",
                                finished_.measured_anew());
        }
        return text;
    }

    // Of what the suite has measured so far.
    void say_standings() const {
        const std::vector<suite_table> tables = suite_tables(options_, lines_);
        if (!speaks() || tables.empty()) {
            return;
        }
        for (const suite_table& t : tables) {
            fmt::print("\n{} {}", options_.suite, t.text(terminal::of(stdout)));
        }
        fmt::print("{}", remarks_on_empty_places(options_, tables));
        std::fflush(stdout);
    }

    void plot_all() const {
        const auto of_suite = lines_with_deviations(options_, lines_);
        const auto others = lines_without_workload(options_, lines_);
        if (!of_suite.empty()) {
            plot(deviations(options_.suite), texts_of(of_suite), options_.plot_folder);
        }
        if (!others.empty()) {
            plot(speedups(), texts_of(others), options_.plot_folder);
        }
    }

    // Standard output is either for people or for JSON.
    [[nodiscard]] bool speaks() const { return options_.json_file != "-"; }

    const bench_options& options_;
    progress progress_;
    finished_programs finished_;
    std::optional<json_lines> file_;
    std::vector<parley_programs::json> lines_;
    std::string workload_;  // what is being measured, if the suite has a name for it
    bool all_right_ = true;
};

// Two suites have options of their own. Are these the words of a call of that one?
bool names_suite(arguments words, std::string_view suite) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == fmt::format("--suite={}", suite) ||
            (word == "--suite" && i + 1 < words.size() && words[i + 1] == suite)) {
            return true;
        }
    }
    return false;
}

}  // namespace

int bench_verb(arguments args) {
    if (names_suite(args, "small")) {
        return small_suite(args);
    }
    if (names_suite(args, "std")) {
        return std_suite(args);
    }
    const std::optional<bench_options> options = parse_bench(args);
    if (!options) {
        return exit_status::succeeded;
    }
    block_watched_signals();
    return on_deep_stack([&] {
        benchmark b(*options);
        return b.run();
    });
}

}  // namespace parley_cli
