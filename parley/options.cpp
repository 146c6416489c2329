#include <parley/options.hpp>

#include <parley/detail/base/environment.hpp>
#include <parley/errors.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/policy/settled_options.hpp>
#include <parley/detail/trace/recording.hpp>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
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
                                what + std::string(" from ") + std::to_string(least) + " to " +
                                    std::to_string(most));
    return n;
}

bool yes_or_no(const char* name, const std::string& value) {
    if (value != "0" && value != "1") throw environment_error(name, value, "0 or 1");
    return value == "1";
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

// All of them: a structured binding must name each.
auto members_of(options& o) {
    auto& [workers, serial, steal, split, victim, requests, early, failed, patience, answers, dry, termination, revoke, refuse,
           continue_requests, hijack, watchdog, bind, broker, profile, trace, trace_events, complain_after, queue_bound,
           stack_size, seed] = o;
    return std::tie(workers, serial, steal, split, victim, requests, early, failed, patience, answers, dry, termination,
                    revoke, refuse, continue_requests, hijack, watchdog, bind, broker, profile, trace, trace_events,
                    complain_after, queue_bound, stack_size, seed);
}

template <class T>
void take_if_chosen(T& into, const T& chosen, const T& by_default) {
    if (chosen != by_default) into = chosen;
}

}  // namespace

std::string to_string(stealing s) {
    switch (s) {
        case stealing::one: return "one";
        case stealing::half: return "half";
        case stealing::adaptive: break;
    }
    return "adaptive";
}

std::string to_string(splitting s) {
    switch (s) {
        case splitting::half: return "half";
        case splitting::guided: return "guided";
        case splitting::adaptive: break;
    }
    return "adaptive";
}

std::string to_string(victims v) {
    switch (v) {
        case victims::last: return "last";
        case victims::last_thief: return "last-thief";
        case victims::richest: return "richest";
        case victims::nearest: return "nearest";
        case victims::random: break;
    }
    return "random";
}

std::string to_string(failed_requests f) { return f == failed_requests::rest ? "rest" : "backoff"; }

std::string to_string(answering a) { return a == answering::paced ? "paced" : "at-once"; }

std::string to_string(dry_mailbox d) { return d == dry_mailbox::open ? "open" : "closed"; }

std::string to_string(termination_by t) {
    switch (t) {
        case termination_by::manager: return "manager";
        case termination_by::dedicated_manager: return "dedicated";
        case termination_by::counter: return "counter";
        case termination_by::scan: break;
    }
    return "scan";
}

std::string to_string(revoked_request r) { return r == revoked_request::any ? "any" : "own"; }

std::string to_string(refusal r) { return r == refusal::forward ? "forward" : "acknowledge"; }

std::string to_string(watchdogs w) {
    switch (w) {
        case watchdogs::off: return "off";
        case watchdogs::every_request: return "every-request";
        case watchdogs::on: break;
    }
    return "on";
}

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

// The variables that show what any program does, and change nothing else of it.
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

options options::from_environment() {
    options o;
    o.workers = workers_from_environment("PARLEY_WORKERS");
    if (const auto v = variable("PARLEY_SERIAL")) o.serial = yes_or_no("PARLEY_SERIAL", *v);
    if (const auto v = variable("PARLEY_STEAL"))
        o.steal = one_of("PARLEY_STEAL", *v,
                         {stealing::one, stealing::half, stealing::adaptive});
    if (const auto v = variable("PARLEY_SPLIT"))
        o.split = one_of("PARLEY_SPLIT", *v,
                         {splitting::half, splitting::guided, splitting::adaptive});
    if (const auto v = variable("PARLEY_VICTIM"))
        o.victim = one_of("PARLEY_VICTIM", *v,
                          {victims::random, victims::last, victims::last_thief, victims::richest,
                           victims::nearest});
    if (const auto v = variable("PARLEY_REQUESTS"))
        o.requests = number("PARLEY_REQUESTS", *v, "a number of requests", 1, 2);
    if (const auto v = variable("PARLEY_EARLY"))
        o.early = number("PARLEY_EARLY", *v, "a number of tasks", 0, 1000);
    if (const auto v = variable("PARLEY_PATIENCE"))
        o.patience = number("PARLEY_PATIENCE", *v, "a number of microseconds", 1, max_patience);
    if (const auto v = variable("PARLEY_ANSWERS"))
        o.answers = one_of("PARLEY_ANSWERS", *v, {answering::paced, answering::at_once});
    if (const auto v = variable("PARLEY_FAILED"))
        o.failed = one_of("PARLEY_FAILED", *v, {failed_requests::rest, failed_requests::backoff});
    if (const auto v = variable("PARLEY_DRY"))
        o.dry = one_of("PARLEY_DRY", *v, {dry_mailbox::open, dry_mailbox::closed});
    if (const auto v = variable("PARLEY_TERMINATION"))
        o.termination = one_of("PARLEY_TERMINATION", *v,
                               {termination_by::scan, termination_by::manager, termination_by::dedicated_manager,
                                termination_by::counter});
    if (const auto v = variable("PARLEY_REVOKE"))
        o.revoke = one_of("PARLEY_REVOKE", *v, {revoked_request::any, revoked_request::own});
    if (const auto v = variable("PARLEY_REFUSE"))
        o.refuse = one_of("PARLEY_REFUSE", *v, {refusal::forward, refusal::acknowledge});
    if (const auto v = variable("PARLEY_CONTINUE")) o.continue_requests = yes_or_no("PARLEY_CONTINUE", *v);
    if (const auto v = variable("PARLEY_HIJACK")) o.hijack = yes_or_no("PARLEY_HIJACK", *v);
    if (const auto v = variable("PARLEY_WATCHDOG"))
        o.watchdog = one_of("PARLEY_WATCHDOG", *v, {watchdogs::on, watchdogs::off, watchdogs::every_request});
    if (const auto v = variable("PARLEY_BIND"))
        o.bind = one_of("PARLEY_BIND", *v, {binding::none, binding::cores, binding::threads});
    read_tools(o);
    const char* const broker = base::environment_variable("PARLEY_BROKER");
    if (parley_broker_client != nullptr) o.broker = parley_broker_client()->socket(broker);
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
