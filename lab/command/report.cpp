#include "lab/command/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <parley/parley.hpp>

#include "command/statistics.hpp"
#include "lab/command/profile.hpp"
#include "lab/command/result_line.hpp"
#include "lab/command/worker_sums.hpp"

namespace parley_cli {
namespace {

using parley_peers::worker_counts;
using parley_programs::json;

constexpr unsigned bar_width = 30;

std::string facts(const json& object, const char* form, const char* between) {
    std::string text;
    for (const auto& [key, value] : object.items()) {
        const std::string text_of = value.is_string() ? value.get<std::string>() : value.dump();
        text += text.empty() ? "" : between;
        text += fmt::format(fmt::runtime(form), key, text_of);
    }
    return text;
}

std::string plural(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string verdict(const measurement& m, const measured& found, const terminal& t) {
    if (!found.problem.empty()) {
        return t.bold("NO: " + found.problem);
    }
    return t.bold("yes") +
           (m.has_known_facts() ? ", against known facts and the serial program" : ", against the serial program");
}

std::string figures_of(const run_options& options, const measurement& m, const measured& found, const terminal& t) {
    const summary s = summarise(found.seconds);
    const double serial = median_of(found.serial_seconds);
    std::string text = fmt::format(
        "  seconds   {:.4g}  {}\n  serial    {:.4g}  {}\n  speedup   {}\n", s.median,
        t.dim(s.min == s.max ? "(one run)"
                             : fmt::format("(median of {}, {:.4g} to {:.4g})", found.seconds.size(), s.min, s.max)),
        serial, t.dim("(median, measured in turn with it)"),
        t.bold(fmt::format("{:.2f}", serial / s.median)) +
            fmt::format(" over serial, on {}", plural(m.workers(), "worker")) +
            (parley::options::from_environment().serial && options.scheduler == "parley"
                 ? " that does everything inline (PARLEY_SERIAL=1)"
                 : ""));
    if (!found.tuning.empty()) {
        text += fmt::format("  tuned     {}\n", facts(found.tuning, "{} {}", ", "));
    }
    if (const std::uint64_t loops = options.what->loops != nullptr ? options.what->loops(m.parameters()) : 0; loops > 0) {
        const double us = 1e6 / static_cast<double>(loops);
        text += fmt::format("  a loop    {:.4g} us  {}\n", us * s.median,
                            t.dim(fmt::format("(of {}; serially {:.4g} us)", loops, us * serial)));
    }
    if (options.what->remarks != nullptr) {
        parley_programs::figures f{m.workers(), s.median, serial, {}};
        if (!found.inlined_seconds.empty()) {
            f.serial_inlined_seconds = median_of(found.inlined_seconds);
        }
        for (const std::string& line : options.what->remarks(m.parameters(), f)) {
            text += "  " + line + "\n";
        }
    }
    return text;
}

std::string chart(const std::vector<worker_counts>& workers, const terminal& t) {
    const worker_counts sum = sum_of(workers);
    std::uint64_t most = 1;
    for (const worker_counts& w : workers) {
        most = std::max(most, w.tasks);
    }
    std::string text = fmt::format("  steals    {}  {}\n\n", sum.steals,
                                   t.dim(fmt::format("({} failed, {}, {})", plural(sum.failed, "request"),
                                                     plural(sum.messages, "message"), plural(sum.sleeps, "sleep"))));
    for (std::size_t i = 0; i < workers.size(); ++i) {
        const double part = static_cast<double>(workers[i].tasks) / static_cast<double>(most);
        const std::string bar = t.bar(part, bar_width);
        // Each column of a bar is one character, whatever its length in bytes.
        const std::size_t columns = t.utf8 ? bar.size() / 3 : bar.size();
        text += fmt::format("  worker {:>3}  {}{} {:>12}, {}\n", i, bar, std::string(bar_width - columns, ' '),
                            plural(workers[i].tasks, "task"), plural(workers[i].steals, "steal"));
    }
    return text;
}

std::string how_to_go_on(const run_options& options) {
    struct hint {
        std::string_view command;
        std::string_view why;
    };
    constexpr std::array<hint, 3> hints{{
        {"parley run uts --tree T3", "a tree of another kind, 1572 deep"},
        {"parley run fib --workers 1", "what a fork costs"},
        {"parley run nqueens --n 13", "queens on a chess board, 4.7 million tasks"},
    }};
    std::string text = "How to go on\n";
    for (const hint& h : hints) {
        text += fmt::format("  {:<34}{}\n", h.command, h.why);
    }
    return text + fmt::format("  {:<34}its sizes and options\n", fmt::format("parley run {} --help", options.what->name));
}

}  // namespace

std::string title(const run_options& options, const json& parameters) {
    return fmt::format("{}  {}", options.what->name, facts(parameters, "{} {}", ", "));
}

std::string report(const run_options& options, const measurement& m, const measured& found, const terminal& t) {
    std::string text = fmt::format("{}\n\n{}\n  verified  {}\n\n", title(options, m.parameters()),
                                   facts(found.result, "  {:<9} {}", "\n"), verdict(m, found, t));
    text += figures_of(options, m, found, t);
    const auto& workers = found.counts[index_of_median(found.seconds)];
    if (!workers.empty()) {
        text += chart(workers, t);
    }
    if (const std::string times = profile_chart(found.times[index_of_median(found.seconds)], t); !times.empty()) {
        text += "\n" + times;
    }
    return text + "\n" + how_to_go_on(options);
}

std::string interrupted_report(const run_options& options, const measured& found) {
    std::string text =
        fmt::format("\n{}: interrupted in {}\n", options.what->name, found.running.empty() ? "no run" : found.running);
    if (!found.so_far.is_null()) {
        text += fmt::format("  counted until then: {}\n", facts(found.so_far, "{} {}", ", "));
    }
    text += fmt::format("  complete before: {}, {} of the serial program\n", plural(found.seconds.size(), "run"),
                        found.serial_seconds.size());
    if (!found.seconds.empty()) {
        text +=
            fmt::format("  median of those: {:.4g} s, {}\n", median_of(found.seconds), facts(found.result, "{} {}", ", "));
    }
    return text;
}

std::string progress_line(const run_options& options, const measured& now) {
    std::string line = fmt::format("{}: {}", options.what->name,
                                   !now.running.empty()  ? now.running
                                   : now.seconds.empty() ? "data are being made"
                                                         : "between two runs");
    if (now.so_far.is_object()) {
        line += ": " + facts(now.so_far, "{} {}", ", ");
    }
    return line;
}

}  // namespace parley_cli
