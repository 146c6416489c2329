#include <parley/options.hpp>

#include <parley/detail/base/environment.hpp>
#include <parley/detail/policy/settled_options.hpp>
#include <parley/detail/policy/tuning.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/trace/recording.hpp>
#include <parley/errors.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace parley::inline v0 {

namespace {

std::optional<std::string> variable(const char* name) {
    const char* value = base::environment_variable(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

unsigned number(const char* name, const std::string& value, const char* what, unsigned least, unsigned most) {
    unsigned n = 0;
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, n);
    if (error != std::errc{} || stop != end || n < least || n > most)
        throw environment_error(name, value,
                                what + std::string(" from ") + std::to_string(least) + " to " + std::to_string(most));
    return n;
}

bool yes_or_no(const char* name, const std::string& value) {
    if (value != "0" && value != "1") throw environment_error(name, value, "0 or 1");
    return value == "1";
}

std::string to_string(threading::stealing s) {
    return s == threading::stealing::one ? "one" : s == threading::stealing::half ? "half" : "adaptive";
}

std::string to_string(threading::splitting s) {
    return s == threading::splitting::half ? "half" : s == threading::splitting::guided ? "guided" : "adaptive";
}

std::string to_string(threading::victims v) {
    switch (v) {
        case threading::victims::last: return "last";
        case threading::victims::last_thief: return "last-thief";
        case threading::victims::richest: return "richest";
        case threading::victims::nearest: return "nearest";
        case threading::victims::random: break;
    }
    return "random";
}

template <class Enum, std::size_t N>
Enum one_of(const char* name, const std::string& value, const Enum (&all)[N]) {
    std::string allowed;
    for (const Enum e : all) {
        if (to_string(e) == value) return e;
        allowed += (allowed.empty() ? "" : ", ") + to_string(e);
    }
    throw environment_error(name, value, "one of " + allowed);
}

// All members, because a structured binding must name each.
auto members_of(options& o) {
    auto& [workers, serial, watchdog, bind, broker, profile, trace, trace_events, complain_after, idle, queue_bound,
           stack_size, seed] = o;
    return std::tie(workers, serial, watchdog, bind, broker, profile, trace, trace_events, complain_after, idle, queue_bound,
                    stack_size, seed);
}

template <class T>
void take_if_chosen(T& into, const T& chosen, const T& by_default) {
    if (chosen != by_default) into = chosen;
}

}  // namespace

std::string to_string(watchdogs w) { return w == watchdogs::on ? "on" : "off"; }

std::string to_string(binding b) {
    switch (b) {
        case binding::cores: return "cores";
        case binding::threads: return "threads";
        case binding::none: break;
    }
    return "none";
}

unsigned workers_from_environment(const char* name) {
    const auto v = variable(name);
    return v ? number(name, *v, "a number of workers", 1, max_workers) : 0;
}

namespace {

// Reads the variables that show what a program does, and change nothing else.
void read_tools(options& o) {
    if (const auto v = variable("PARLEY_PROFILE")) o.profile = yes_or_no("PARLEY_PROFILE", *v);
    if (const auto v = variable("PARLEY_TRACE")) {
        if (const std::string wrong = trace::why_not_written(*v); !wrong.empty())
            throw environment_error("PARLEY_TRACE", *v, wrong);
        o.trace = *v;
    }
    if (const auto v = variable("PARLEY_TRACE_EVENTS"))
        o.trace_events = number("PARLEY_TRACE_EVENTS", *v, "a number of events", 1, most_trace_events);
    if (const auto v = variable("PARLEY_COMPLAIN_AFTER"))
        o.complain_after = std::chrono::seconds(number("PARLEY_COMPLAIN_AFTER", *v, "a number of seconds", 0,
                                                       static_cast<unsigned>(max_complain_after.count())));
}

// A misspelt variable would change nothing, and nobody would notice. An empty variable counts as unset.
void refuse_unknown_variables() {
    constexpr std::string_view names[] = {"PARLEY_BIND",         "PARLEY_BROKER", "PARLEY_COMPLAIN_AFTER", "PARLEY_PROFILE",
                                          "PARLEY_SERIAL",       "PARLEY_SPLIT",  "PARLEY_STEAL",          "PARLEY_TRACE",
                                          "PARLEY_TRACE_EVENTS", "PARLEY_VICTIM", "PARLEY_WATCHDOG",       "PARLEY_WORKERS"};
    constexpr std::string_view of_cmake = "PARLEY_ROOT";  // where find_package() looks
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (!text.starts_with("PARLEY_")) continue;
        const std::string name(text.substr(0, text.find('=')));
        const auto value = variable(name.c_str());
        if (!value || name == of_cmake || std::find(std::begin(names), std::end(names), name) != std::end(names)) continue;
        std::string known;
        for (const std::string_view n : names) known += (known.empty() ? "" : ", ") + std::string(n);
        throw environment_error(name, *value, "there is no such variable; there are " + known);
    }
}

}  // namespace

void threading::heed_tools(options& chosen) {
    options said;
    read_tools(said);
    if (chosen.trace.empty() && !said.trace.empty() && trace::can_be_written_to(said.trace)) {
        chosen.trace = said.trace;
        chosen.trace_events = said.trace_events;
    }
    chosen.profile = chosen.profile || said.profile;
    if (chosen.complain_after.count() == 0) chosen.complain_after = said.complain_after;
}

bool threading::profile_is_in_environment() {
    options said;
    read_tools(said);
    return said.profile;
}

threading::tuning threading::tuning_from_environment() {
    tuning t;
    if (const auto v = variable("PARLEY_STEAL"))
        t.steal = one_of("PARLEY_STEAL", *v, {stealing::one, stealing::half, stealing::adaptive});
    if (const auto v = variable("PARLEY_SPLIT"))
        t.split = one_of("PARLEY_SPLIT", *v, {splitting::half, splitting::guided, splitting::adaptive});
    if (const auto v = variable("PARLEY_VICTIM"))
        t.victim = one_of("PARLEY_VICTIM", *v,
                          {victims::random, victims::last, victims::last_thief, victims::richest, victims::nearest});
    return t;
}

options options::from_environment() {
    refuse_unknown_variables();
    options o;
    o.workers = workers_from_environment("PARLEY_WORKERS");
    if (const auto v = variable("PARLEY_SERIAL")) o.serial = yes_or_no("PARLEY_SERIAL", *v);
    if (const auto v = variable("PARLEY_WATCHDOG"))
        o.watchdog = one_of("PARLEY_WATCHDOG", *v, {watchdogs::on, watchdogs::off});
    if (const auto v = variable("PARLEY_BIND"))
        o.bind = one_of("PARLEY_BIND", *v, {binding::none, binding::cores, binding::threads});
    read_tools(o);
    const char* const broker = base::environment_variable("PARLEY_BROKER");
    if (const auto* const client = threading::linked_broker_client()) o.broker = client->socket(broker);
    else if (broker != nullptr && broker != std::string_view("off")) o.broker = broker;
    return o;
}

options options::from_environment(const options& chosen) {
    options result = from_environment(), said = chosen, by_default;
    const auto take = [into = members_of(result), from = members_of(said),
                       untouched = members_of(by_default)]<std::size_t... I>(std::index_sequence<I...>) {
        (take_if_chosen(std::get<I>(into), std::get<I>(from), std::get<I>(untouched)), ...);
    };
    take(std::make_index_sequence<std::tuple_size_v<decltype(members_of(result))>>());
    return result;
}

}  // namespace parley::inline v0
