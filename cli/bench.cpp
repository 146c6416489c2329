// `parley bench`: programs on several schedulers, in turn.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "cli/bench_options.hpp"
#include "cli/bench_report.hpp"
#include "cli/build.hpp"
#include "cli/contest.hpp"
#include "cli/deep_stack.hpp"
#include "cli/json_lines.hpp"
#include "cli/machine.hpp"
#include "cli/plot.hpp"
#include "cli/progress.hpp"
#include "cli/result_line.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "cli/verbs.hpp"

namespace parley_cli {
namespace {

class benchmark {
public:
    explicit benchmark(const bench_options& options) : options_(options) {
        if (!options.plot_folder.empty()) {
            require_plotting("parley bench", options.plot_folder);
        }
        if (!options.json_file.empty()) {
            file_.emplace(options.json_file);
        }
    }

    int run() {
        if (speaks()) {
            const build b = this_build();
            fmt::print("{}; {} {}; commit {}\n", machine_summary(), b.compiler, b.flags, b.commit);
        }
        for (const bench_entry& e : options_.entries) {
            if (!measure(e)) {
                return exit_status::was_interrupted;
            }
        }
        if (file_) {
            file_->finish();
        }
        if (!options_.plot_folder.empty()) {
            plot(speedups(), lines_, options_.plot_folder);
        }
        return all_right_ ? exit_status::succeeded : exit_status::failed;
    }

private:
    [[nodiscard]] std::vector<std::string> schedulers_for(
        const parley_programs::program& p) const {
        return options_.schedulers.empty() ? parley_programs::schedulers_of(p)
                                           : options_.schedulers;
    }

    // False if it was interrupted.
    bool measure(const bench_entry& e) {
        parley_programs::request wanted = options_.wanted;
        wanted.given = e.given;
        contest c(*e.program, wanted, schedulers_for(*e.program), options_.workers);
        bool complete = true;
        try {
            const signal_watcher watcher(actions(c));
            c.run(options_.repeat);
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
        if (lists_serial()) {
            add_line(c, c.serial(), complete);
        }
        for (const contestant& one : c.contestants()) {
            add_line(c, one, complete);
        }
        if (speaks()) {
            fmt::print("\n{}", table_of(c, terminal::of(stdout)));
            std::fflush(stdout);
        }
        if (!c.serial().problem.empty()) {
            fmt::print(stderr, "parley: wrong result: {}\n", c.serial().problem);
            all_right_ = false;
        }
    }

    [[nodiscard]] bool lists_serial() const {
        const std::vector<std::string>& named = options_.schedulers;
        return named.empty() || std::find(named.begin(), named.end(), "serial") != named.end();
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
        lines_.push_back(result_line(o).dump());
        if (file_) {
            file_->append(lines_.back());
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
            if (const auto held = c.hold()) {
                report(c, false);
            }
            say_interrupted(c, in);
            std::_Exit(exit_status::was_interrupted);  // the run goes on: nothing can be destroyed
        };
        a.dump = [&c] { c.dump(stderr); };
        a.tick = [this, &c] { progress_.show(fmt::format("{}: {}", c.what().name, c.now())); };
        a.tick_every = progress_.interval();
        return a;
    }

    // Standard output is either for people or for JSON.
    [[nodiscard]] bool speaks() const { return options_.json_file != "-"; }

    const bench_options& options_;
    progress progress_;
    std::optional<json_lines> file_;
    std::vector<std::string> lines_;
    bool all_right_ = true;
};

}  // namespace

int bench_verb(arguments args) {
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
