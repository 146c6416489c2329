#include "lab/command/bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "command/statistics.hpp"

namespace parley_cli {
namespace {

// Whom the others with as many workers are compared with.
const contestant& standard_for(const contest& c, unsigned workers) {
    const contestant* first = nullptr;
    for (const contestant& one : c.contestants()) {
        if (one.workers == workers) {
            if (one.scheduler == "parley") {
                return one;
            }
            first = first == nullptr ? &one : first;
        }
    }
    return *first;
}

interval ratio(const contestant& c, const contestant& standard) {
    std::vector<double> ratios;
    const std::size_t rounds = std::min(c.seconds.size(), standard.seconds.size());
    for (std::size_t i = 0; i < rounds; ++i) {
        ratios.push_back(c.seconds[i] / standard.seconds[i]);
    }
    return median_interval(ratios);
}

std::string comparison(const contestant& c, const contestant& standard) {
    if (&c == &standard) {
        return "1";
    }
    const interval r = ratio(c, standard);
    const char* verdict = r.low > 1.0 ? "slower" : r.high < 1.0 ? "faster" : "open";
    return fmt::format("{:.2f} [{:.2f}, {:.2f}] {}", r.middle, r.low, r.high, verdict);
}

std::string parameters_in_words(const parley_programs::json& parameters) {
    std::string text;
    for (const auto& [key, value] : parameters.items()) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key,
                            value.is_string() ? value.get<std::string>() : value.dump());
    }
    return text;
}

}  // namespace

std::string table_of(const contest& c, const terminal& t) {
    const std::uint64_t loops = c.what().loops != nullptr ? c.what().loops(c.parameters()) : 0;
    const auto of_a_loop = [loops](double seconds) {
        return loops == 0 ? "" : fmt::format("{:>11.4g}", 1e6 * seconds / static_cast<double>(loops));
    };
    const std::size_t rounds = c.serial().seconds.size();
    const double serial = median_of(c.serial().seconds);
    std::string text = fmt::format("{}  {}\n", t.bold(c.what().name),
                                   t.dim(fmt::format("{}; {} rounds", parameters_in_words(c.parameters()), rounds)));
    std::size_t width = 10;
    for (const contestant& one : c.contestants()) {
        width = std::max(width, one.scheduler.size() + 1);
    }
    text += fmt::format("  {:<{}}{:>8}{:>12}{}{:>10}   {}\n", "scheduler", width, "workers", "seconds",
                        loops == 0 ? "" : "  us a loop", "speedup", "time relative to the first, 95% interval");
    text += fmt::format("  {:<{}}{:>8}{:>12.4g}{}{:>10}\n", "serial", width, 1, serial, of_a_loop(serial), "1.00");
    if (!c.inlined_seconds().empty()) {
        const double inlined = median_of(c.inlined_seconds());
        text += fmt::format("  {:<{}}{:>8}{:>12.4g}{:>10.2f}   inlined by the compiler\n", "serial", width, 1, inlined,
                            serial / inlined);
    }
    for (const contestant& one : c.contestants()) {
        if (one.seconds.empty()) {
            continue;
        }
        const double median = median_of(one.seconds);
        const std::string tuning = one.tuning.empty() ? "" : t.dim("  " + parameters_in_words(one.tuning));
        text += fmt::format("  {:<{}}{:>8}{:>12.4g}{}{:>10.2f}   {}{}{}\n", one.scheduler, width, one.workers, median,
                            of_a_loop(median), serial / median, comparison(one, standard_for(c, one.workers)), tuning,
                            one.problem.empty() ? "" : "  WRONG: " + one.problem);
    }
    return text;
}

}  // namespace parley_cli
