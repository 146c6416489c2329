#include "lab/command/sim/option_table.hpp"

#include <fmt/format.h>
#include <parley/detail/policy/tuning.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

constexpr std::size_t most_values = 10'000;
constexpr double most_microseconds = 1e6;
constexpr std::int64_t most_lanes = 1'000;
constexpr const char* speeds_form = "speeds from 0.001 to 1000, as 1,1,0.5 or 1x12,0.5x8, of 1000 lanes at most";

std::string allowed(const sim_option& o) {
    if (!o.words.empty()) {
        return join(o.words);
    }
    if (o.is_time) {
        return "a time from 0 to 1s, as 10, 10us, 500ns or 1.5ms; without a unit in microseconds";
    }
    if (!o.form.empty()) {
        return o.form;
    }
    return o.high != 0 ? fmt::format("a whole number from {} to {}", o.low, o.high)
                       : "a file name, or - for standard output";
}

// Collects rows of the table.
class option_rows {
public:
    // The program's own.
    void own(const parley_programs::program& p, const std::vector<std::string_view>& times) {
        const auto defaults = p.parameters({});
        for (const parley_programs::option_spec& spec : p.options) {
            const bool is_time = std::find(times.begin(), times.end(), spec.name) != times.end();
            const auto& value = defaults.at(std::string(spec.name));
            rows_.push_back({.name = std::string(spec.name),
                             .help = std::string(spec.help),
                             .low = spec.low,
                             .high = spec.high,
                             .words = spec.words,
                             .placeholder = is_time ? "TIME" : "N",
                             .initial = value.is_string() ? value.get<std::string>() : value.dump(),
                             .is_time = is_time});
        }
    }
    void word(const char* name, const char* help, std::vector<std::string> words) {
        rows_.push_back({.name = name, .help = help, .words = words, .placeholder = "WORD", .initial = words.front()});
    }
    void number(const char* name, const char* help, std::int64_t low, std::int64_t high, const char* initial) {
        rows_.push_back({.name = name, .help = help, .low = low, .high = high, .initial = initial});
    }
    void timeline(const std::string& of_whom, const char* usual_events) {
        row({.name = "trace",
             .help = fmt::format("a timeline of what each {} did, for ui.perfetto.dev: the latest events of each", of_whom),
             .placeholder = "FILE",
             .initial = "none",
             .form = "a file name"});
        row({.name = "trace-events",
             .help = fmt::format("of each {} that a timeline shows", of_whom),
             .low = 1,
             .high = 10'000'000,
             .initial = usual_events});
    }
    void row(sim_option o) { rows_.push_back(std::move(o)); }

    // Those that every simulation ends with.
    std::vector<sim_option> finished(bool has_workers) {
        row({.name = "costs",
             .help = "what things cost: a machine that is known, or a file",
             .placeholder = "NAME|FILE",
             .initial = "opteron-6172"});
        if (has_workers) {
            word("faults",
                 "what goes wrong, by the seed: workers that stall, messages that are late, slow cores, workers that go and "
                 "come back",
                 {"none", "stalls", "late", "slow", "resizes", "all"});
        } else {
            word("faults", "what goes wrong, by the seed: lanes that stall, an emitter that is held up, slow cores",
                 {"none", "stalls", "late", "slow", "all"});
        }
        word("size", "sizes as in the 2014 paper (ch) or the thesis", {"small", "ch", "thesis", "ch6"});
        number("seed", "of all random choices", 0, std::numeric_limits<std::uint32_t>::max(), "1");
        row({.name = "sweep",
             .help = "one run for each value of a number, as workers=1..48, t=1,10,100, or for each word, as "
                     "steal=one,half; several: all combinations",
             .placeholder = "NAME=VALUES",
             .initial = "none"});
        row({.name = "plot",
             .help = "draw speedup and efficiency of a sweep there, as SVG and PNG (wants python3-matplotlib)",
             .placeholder = "DIR",
             .initial = "none",
             .form = "a folder"});
        row({.name = "json",
             .help = "a line of JSON for each run; - is standard output",
             .placeholder = "FILE",
             .initial = "none"});
        return std::move(rows_);
    }

private:
    std::vector<sim_option> rows_;
};

}  // namespace

std::vector<sim_option> options_of_sim(const parley_programs::program& p) {
    option_rows all;
    all.own(p, {"t", "poll"});
    all.number("workers", "virtual workers", 1, 20'000, "the machine's places");
    all.word("steal", "how much a thief asks for", {"adaptive", "one", "half"});
    all.word("split", "how much of a running loop a thief gets", {"adaptive", "half", "guided"});
    all.word("victim", "whom a thief asks first", {"random", "last", "last-thief", "richest", "nearest"});
    all.word("termination", "parley's own protocol (scan), or the papers', by what finds the end",
             {"scan", "manager", "dedicated", "counter"});
    all.word("refuse", "the papers': a request that is refused goes on, or home", {"forward", "acknowledge"});
    all.word("revoke", "the papers': whose request worker 0 takes back after a barrier", {"any", "own"});
    all.number("continue", "the papers': a request that was answered goes on once", 0, 1, "0");
    all.number("hijack", "the papers': a starving worker takes what another asked for", 0, 1, "0");
    all.number("requests", "that a worker without tasks has out", 1, 2, "1");
    all.number("early", "a worker with fewer tasks left asks ahead of time", 0, 1000, "0");
    all.word("failed", "a request that nobody could answer", {"rest", "backoff"});
    all.number("patience", "microseconds until a request that nobody answers rests", 1, parley::threading::max_patience,
               "10, and more with many workers");
    all.word("answers", "a producer that all the others ask takes its time", {"paced", "at-once"});
    all.word("dry", "the mailbox of a worker without tasks", {"open", "closed"});
    all.word("watchdog", "interrupts workers that do not look up", {"on", "off", "every-request"});
    all.word("channels", "the request channels: lock-free as the runtime's, or the thesis', where one sends at a time",
             {"lock-free", "locked"});
    all.word("weigh", "work is given, and others are woken for it, where that pays; as with threads", {"on", "off"});
    all.row(
        {.name = "asleep", .help = "the others sleep when the root task begins; else they look for work", .is_flag = true});
    all.number("cores", "that the workers share, in turn", 1, 20'000, "one for each worker");
    all.number("beside", "programs that do nothing but compute, on the same cores", 0, 1024, "0");
    all.row({.name = "slice",
             .help = "after which a thread leaves a core that it shares to the next one",
             .placeholder = "TIME",
             .initial = "4ms",
             .is_time = true});
    all.number("task-lines",
               "cache lines of a task that come from whoever made it to whoever runs it; the thesis' tasks have 3", 0, 64,
               "0");
    all.number("iteration-lines",
               "cache lines of an iteration, in each loop; they come from the worker that ran that iteration last", 0, 1024,
               "0");
    all.word("ends",
             "how the root task waits for what it has spawned; auto: by a barrier where the protocol is the papers'; "
             "barriers: by one after each phase, too",
             {"auto", "wait", "barrier", "barriers"});
    all.number("barriers", "in a row, at the end", 1, 100'000, "1");
    all.row({.name = "profile", .help = "where each worker's time went", .is_flag = true});
    all.row({.name = "profile-svg",
             .help = "--profile, and the same as a picture in that file",
             .placeholder = "FILE",
             .initial = "none",
             .form = "a file name"});
    all.timeline("worker", "100000, or a million shared by all");
    return all.finished(true);
}

std::vector<sim_option> options_of_farm_sim(const parley_programs::program& p, bool lanes_compute) {
    option_rows all;
    all.own(p, {});
    if (lanes_compute) {
        all.row({.name = "item",
                 .help = "what an item takes on a lane of speed 1 that is like the first one",
                 .placeholder = "TIME",
                 .initial = "as the paper's",
                 .is_time = true});
        all.number("cores", "that the lanes share, in turn", 1, most_lanes, "one for each lane");
        all.row({.name = "slice",
                 .help = "after which a lane leaves a core that it shares to the next one",
                 .placeholder = "TIME",
                 .initial = "4ms",
                 .is_time = true});
    }
    all.row({.name = "speeds",
             .help = "of the lanes, for --lanes, beside what the program says of the last one",
             .placeholder = "SPEED[xCOUNT],...",
             .initial = "1 each",
             .form = speeds_form});
    all.number("tokens", "items under way", 1, 1 << 24, "as the runtime's");
    all.number("bound", "of what a lane has; 0: none", 0, 1 << 24, "0");
    all.number("spread", "percent that an item's length is off at most, by the seed", 0, 99, "0");
    all.timeline("part of the farm", "200000 shared by all");
    return all.finished(false);
}

std::vector<std::uint64_t> speeds_in(std::string_view text) {
    std::vector<std::uint64_t> all;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view one = text.substr(0, comma);
        const std::size_t sign = std::min(one.find('x'), one.size());
        double speed = 0.0;
        const auto [rest, trouble] = std::from_chars(one.data(), one.data() + sign, speed, std::chars_format::fixed);
        const auto count = sign == one.size() ? std::optional<std::int64_t>(1) : whole_number(one.substr(sign + 1));
        if (trouble != std::errc{} || rest != one.data() + sign || !(speed >= 0.001 && speed <= 1000) || !count ||
            *count < 1 || *count > most_lanes - static_cast<std::int64_t>(all.size())) {
            return {};
        }
        all.insert(all.end(), static_cast<std::size_t>(*count), static_cast<std::uint64_t>(std::llround(speed * 1000)));
        if (comma == text.size()) return all;
        text.remove_prefix(comma + 1);
    }
}

std::optional<double> microseconds_in(std::string_view text) {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [rest, trouble] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    if (trouble != std::errc{}) {
        return std::nullopt;
    }
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    const double factor = unit.empty() || unit == "us" ? 1.0
                          : unit == "ns"               ? 1e-3
                          : unit == "ms"               ? 1e3
                          : unit == "s"                ? 1e6
                                                       : -1.0;
    const double us = value * factor;
    return factor > 0 && us >= 0 && us <= most_microseconds ? std::optional(us) : std::nullopt;
}

std::string complaint_about(const sim_option& o, std::string_view value) {
    bool is_good = !value.empty();
    if (!o.words.empty()) {
        is_good = std::find(o.words.begin(), o.words.end(), value) != o.words.end();
    } else if (o.is_time) {
        is_good = microseconds_in(value).has_value();
    } else if (o.high != 0) {
        const auto number = whole_number(value);
        is_good = number && o.low <= *number && *number <= o.high;
    } else if (o.form == speeds_form) {
        is_good = !speeds_in(value).empty();
    }
    return is_good ? ""
                   : fmt::format("{} is not allowed; allowed: {}{}", shown(value), allowed(o), suggestion(value, o.words));
}

std::vector<std::string> values_in(std::string_view text) {
    std::vector<std::string> values;
    if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
        const std::string_view rest = text.substr(dots + 2);
        const std::size_t more = rest.find("..");
        const auto first = whole_number(text.substr(0, dots));
        const auto last = whole_number(rest.substr(0, more));
        const auto step =
            more == std::string_view::npos ? std::optional<std::int64_t>(1) : whole_number(rest.substr(more + 2));
        if (!first || !last || !step || *step < 1 || *first < 0 || *last < *first) {
            return {};
        }
        for (std::int64_t v = *first; v <= *last && values.size() <= most_values; v += *step) {
            values.push_back(std::to_string(v));
        }
    } else {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t comma = std::min(text.find(',', begin), text.size());
            values.emplace_back(text.substr(begin, comma - begin));
            begin = comma + 1;
        }
    }
    const bool is_good = values.size() <= most_values &&
                         std::none_of(values.begin(), values.end(), [](const std::string& v) { return v.empty(); });
    return is_good ? values : std::vector<std::string>{};
}

}  // namespace parley_cli
