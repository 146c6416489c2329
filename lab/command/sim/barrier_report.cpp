#include "lab/command/sim/barrier_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "lab/command/sim/words.hpp"

namespace parley_cli {
namespace {

namespace timed = parley::sim::timed;

// The parts of a barrier, sorted by length.
class barrier_times {
public:
    template <class Part>
    barrier_times(const std::vector<timed::barrier_report>& all, const Part& part) {
        for (const timed::barrier_report& b : all) {
            sorted_.push_back(part(b));
        }
        std::sort(sorted_.begin(), sorted_.end());
    }
    [[nodiscard]] timed::duration at(std::size_t percent) const { return sorted_[percent * (sorted_.size() - 1) / 100]; }
    [[nodiscard]] parley_programs::json line() const {
        return {{"min", seconds(at(0))},
                {"p10", seconds(at(10))},
                {"median", seconds(at(50))},
                {"p90", seconds(at(90))},
                {"max", seconds(at(100))}};
    }

private:
    std::vector<timed::duration> sorted_;
};

// Until it is known that no task is left, and until worker 0, which has heard of it, goes on.
barrier_times detecting(const std::vector<timed::barrier_report>& all) {
    return {all, [](const timed::barrier_report& b) { return b.announced - b.last_task; }};
}
barrier_times going_on(const std::vector<timed::barrier_report>& all) {
    return {all, [](const timed::barrier_report& b) { return b.left - b.heard; }};
}

}  // namespace

std::string barriers_text(const std::vector<timed::barrier_report>& all) {
    return fmt::format(
        "  barriers    {}: announced {} after the last task, worker 0 goes on {} after it has heard of it (medians)\n",
        all.size(), time_text(detecting(all).at(50)), time_text(going_on(all).at(50)));
}

parley_programs::json barriers_json(const std::vector<timed::barrier_report>& all) {
    const double took = seconds(all.back().left - all.front().opened);
    return {{"number", all.size()},
            {"first_to_last", took},
            {"first_detected_after", seconds(all.front().announced - all.front().last_task)},
            {"detected_after", detecting(all).line()},
            {"worker_0_goes_on_after", going_on(all).line()}};
}

}  // namespace parley_cli
