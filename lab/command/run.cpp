#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <lab/papers/from_outside.hpp>
#include <optional>
#include <parley/detail/trace/recording.hpp>
#include <parley/parley.hpp>
#include <string>
#include <utility>

#include "command/json_lines.hpp"
#include "command/output_file.hpp"
#include "command/progress.hpp"
#include "command/signals.hpp"
#include "command/statistics.hpp"
#include "command/usage.hpp"
#include "command/verbs.hpp"
#include "lab/command/deep_stack.hpp"
#include "lab/command/measurement.hpp"
#include "lab/command/profile.hpp"
#include "lab/command/report.hpp"
#include "lab/command/result_line.hpp"

namespace parley_cli {
namespace {

// One run of the command, from the first repetition to the last word.
class session {
public:
    session(const run_options& options, unsigned workers) : options_(options), measurement_(options, workers) {
        // Before the run makes anything, a timeline among it.
        if (!options.json_file.empty()) {
            lines_.emplace(options.json_file);
        }
    }

    int run() {
        bool complete = true;
        try {
            const signal_watcher watcher(actions());
            measurement_.run();
        } catch (const parley_programs::interrupted&) {
            complete = false;
        }
        progress_.clear();
        return complete ? finish() : interrupted();
    }

private:
    signal_watcher::actions actions() {
        signal_watcher::actions a;
        a.interrupt = [this] { measurement_.interrupt(); };
        a.give_up = [this] {
            progress_.clear();
            const int status = interrupted();
            std::fflush(stdout);
            parley::trace::write_timelines();
            parley::papers::trace::write_timelines(false);
            std::_Exit(status);  // the run goes on in other threads: nothing can be destroyed
        };
        a.dump = [this] {
            fmt::print(stderr, "{}\n", progress_line(options_, measurement_.look()));
            measurement_.dump(stderr);
        };
        a.tick = [this] { progress_.show(progress_line(options_, measurement_.look())); };
        a.tick_every = progress_.interval();
        return a;
    }

    // Standard output is either for people or for JSON.
    [[nodiscard]] bool speaks() const { return options_.json_file != "-"; }

    int finish() {
        const measured found = measurement_.look();
        if (lines_) {
            lines_->append(result_line(options_, measurement_, found, true).dump());
            lines_->finish();
        }
        if (speaks()) {
            fmt::print("{}", report(options_, measurement_, found, terminal::of(stdout)));
        }
        if (!options_.profile_file.empty()) {
            write_whole_file(options_.profile_file, profile_picture(found.times[index_of_median(found.seconds)],
                                                                    title(options_, measurement_.parameters())));
        }
        if (!found.problem.empty()) {
            fmt::print(stderr, "parley: wrong result: {}\n", found.problem);
            return exit_status::failed;
        }
        return exit_status::succeeded;
    }

    int interrupted() {
        const measured found = measurement_.look();
        if (lines_) {
            lines_->append(result_line(options_, measurement_, found, false).dump());
        }
        if (speaks()) {
            fmt::print("{}", interrupted_report(options_, found));
        }
        return exit_status::was_interrupted;
    }

    const run_options& options_;
    progress progress_;
    measurement measurement_;
    std::optional<json_lines> lines_;
};

void expect_different_files(const run_options& o) {
    const std::array<std::pair<const char*, const std::string&>, 3> files{
        {{"--json", o.json_file}, {"--trace", o.trace_file}, {"--profile-svg", o.profile_file}}};
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (is_same_file(files[i].second, files[j].second)) {
                throw usage_error(fmt::format("parley run: {} {}: is {}'s, too; wants another file", files[i].first,
                                              files[i].second, files[j].first));
            }
        }
    }
}

}  // namespace

int run_verb(arguments args) {
    std::optional<run_options> options = parse_run(args);
    if (!options) {
        return exit_status::succeeded;
    }
    // Read even where --workers wins: a bad value must not wait for the day it matters.
    const parley::options environment = parley::options::from_environment();
    const unsigned in_environment = environment.workers;
    const unsigned automatic = in_environment != 0 ? in_environment : parley::default_workers();
    expect_different_files(*options);
    // The report says it; the library would say it once more.
    options->profile = options->profile || environment.profile;
    unsetenv("PARLEY_PROFILE");  // no thread has been started yet
    if (!options->trace_file.empty()) {
        require_writable("parley run: --trace", options->trace_file);
        setenv("PARLEY_TRACE", options->trace_file.c_str(), 1);
    }
    if (!options->profile_file.empty()) {
        require_writable("parley run: --profile-svg", options->profile_file);
    }
    if (!options->watchdog.empty()) {
        setenv("PARLEY_WATCHDOG", options->watchdog.c_str(), 1);  // no thread has been started yet
    }
    // The broker shows it: several runs are to be told apart.
    static std::string name = fmt::format("parley {}", options->what->name);
    program_invocation_short_name = name.data();
    block_watched_signals();
    return on_deep_stack([&] {
        session s(*options, options->workers.value_or(automatic));
        return s.run();
    });
}

}  // namespace parley_cli
