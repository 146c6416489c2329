// `parley sim`.
#include <fmt/format.h>

#include <parley/sim/timed/pool.hpp>

#include <atomic>
#include <cstdlib>
#include <optional>

#include "cli/json_lines.hpp"
#include "cli/signals.hpp"
#include "cli/sim/calibrate.hpp"
#include "cli/sim/options.hpp"
#include "cli/sim/report.hpp"
#include "cli/sim/studies.hpp"
#include "cli/usage.hpp"
#include "cli/verbs.hpp"
#include "programs/shapes/shapes.hpp"

namespace parley_cli {
namespace {

namespace timed = parley::sim::timed;

class session {
public:
    explicit session(const sim_options& o) : options_(o) {
        if (!o.json_file.empty()) lines_.emplace(o.json_file);
    }

    int run() {
        const signal_watcher watcher(actions());
        try {
            if (speaks() && !options_.swept.empty()) say(sweep_head(options_));
            for (std::size_t i = 0; i < options_.runs.size(); ++i) run(i);
        } catch (const timed::stopped&) {
            return exit_status::was_interrupted;
        }
        if (lines_) lines_->finish();
        return status_;
    }

private:
    signal_watcher::actions actions() {
        signal_watcher::actions a;
        a.interrupt = [this] { is_interrupted_ = true; };
        a.give_up = [] {
            std::fflush(stdout);
            std::_Exit(exit_status::was_interrupted);
        };
        a.dump = [] {};
        return a;
    }

    // Standard output is either for people or for JSON.
    [[nodiscard]] bool speaks() const { return options_.json_file != "-"; }
    static void say(const std::string& text) {
        fmt::print("{}", text);
        std::fflush(stdout);
    }

    void run(std::size_t i) {
        const sim_run& one = options_.runs[i];
        timed::setup s = one.setup;
        s.stops = [this] { return is_interrupted_.load(); };
        const auto shape = parley_programs::shapes::shape_of(options_.what->name, one.parameters, s.machine);
        simulated found;
        found.report = timed::pool(s, *shape).run();
        found.result = shape->result();
        found.problem = problem_with(one, found.result);
        if (lines_) lines_->append(json_line(options_, one, found));
        if (speaks()) {
            say(options_.swept.empty() ? report_of(options_, one, found) : sweep_row(options_, i, found));
            if (options_.profile) say(profile_of(found));
        }
        if (!found.problem.empty()) {
            fmt::print(stderr, "parley sim: wrong result: {}\n", found.problem);
            status_ = exit_status::failed;
        }
    }

    [[nodiscard]] std::string problem_with(const sim_run& one, const parley_programs::json& result) const {
        const auto known = options_.what->known(one.parameters);
        for (const auto& [key, value] : known.items()) {
            if (result.contains(key) && !parley_programs::agrees(result.at(key), value)) {
                return fmt::format("{} is {}, not {}", key, result.at(key).dump(), value.dump());
            }
        }
        return {};
    }

    const sim_options& options_;
    std::optional<json_lines> lines_;
    std::atomic<bool> is_interrupted_ = false;
    int status_ = exit_status::succeeded;
};

}  // namespace

int sim_verb(arguments args) {
    if (const std::optional<int> status = run_study(args)) return *status;
    const std::optional<sim_options> options = parse_sim(args);
    if (!options) return exit_status::succeeded;
    block_watched_signals();
    if (options->calibrate) return calibrate(*options->calibrate);
    return session(*options).run();
}

}  // namespace parley_cli
