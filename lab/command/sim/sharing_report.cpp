#include "lab/command/sim/sharing_report.hpp"

#include <fmt/format.h>

#include "command/statistics.hpp"

namespace parley_cli {
namespace {

using namespace parley::sim;
using nlohmann::ordered_json;

std::string with_spread(const series& x, int digits) {
    const summary s = summarise(x);
    return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", s.median, digits, s.p10, digits, s.p90, digits);
}

ordered_json spread(const series& x) {
    const summary s = summarise(x);
    return {{"median", s.median}, {"p10", s.p10}, {"p90", s.p90}, {"min", s.min}, {"max", s.max}};
}

}  // namespace

std::string sharing_head() {
    return fmt::format("{:<16} {:<29} {:<20} {:<19} {:<19} {:<19} {:>6} {:>6} {:>6} {:>7}\n", "mix", "way", "makespan s",
                       "mean flow s", "makespan, ratio", "mean flow, ratio", "worst", "wasted", "moves", "sent");
}

std::string sharing_row(const program_mix& m, const sharing_series& x, const sharing_series& base) {
    return fmt::format("{:<16} {:<29} {:<20} {:<19} {:<19} {:<19} {:>6.2f} {:>6.0f} {:>6.0f} {:>7.0f}\n", m.name, x.name,
                       with_spread(x.makespan, 1), with_spread(x.flow, 1), with_spread(ratios(x.makespan, base.makespan), 2),
                       with_spread(ratios(x.flow, base.flow), 2), median_of(x.slowdown), median_of(x.wasted),
                       median_of(x.moves), median_of(x.messages));
}

ordered_json sharing_line(const program_mix& m, const sharing_series& x, const sharing_series& base,
                          const virtual_machine& machine) {
    return {{"mix", m.name},
            {"way", x.name},
            {"cores", machine.cores},
            {"sections", machine.sections},
            {"sharing_loss", machine.sharing_loss},
            {"seeds", x.makespan.size()},
            {"makespan_s", spread(x.makespan)},
            {"mean_flow_s", spread(x.flow)},
            {"makespan_by_default", spread(ratios(x.makespan, base.makespan))},
            {"mean_flow_by_default", spread(ratios(x.flow, base.flow))},
            {"worst_slowdown", spread(x.slowdown)},
            {"wasted_core_s", spread(x.wasted)},
            {"moves", spread(x.moves)},
            {"messages", spread(x.messages)}};
}

}  // namespace parley_cli
