#include <parley/detail/policy/settled_options.hpp>

#include <parley/detail/protocol/machine.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/errors.hpp>

#include <chrono>
#include <string>

namespace parley::inline v0::threading {

namespace {

void settle(options& chosen) {
    heed_tools(chosen);
    if (chosen.workers == 0) chosen.workers = default_workers();
    if (chosen.workers > max_workers)
        throw usage_error("parley: " + std::to_string(chosen.workers) + " workers; at most " + std::to_string(max_workers) +
                          " are allowed");
    if (!chosen.trace.empty() && (chosen.trace_events < 1 || chosen.trace_events > most_trace_events))
        throw usage_error("parley: trace_events = " + std::to_string(chosen.trace_events) + "; 1 to " +
                          std::to_string(most_trace_events) + " are allowed");
    if (chosen.complain_after.count() < 0 || chosen.complain_after > max_complain_after)
        throw usage_error("parley: complain_after = " + std::to_string(chosen.complain_after.count()) + " ms; 0 to " +
                          std::to_string(std::chrono::milliseconds(max_complain_after).count()) + " are allowed");
    if (chosen.idle.count() < -1)
        throw usage_error("parley: idle = " + std::to_string(chosen.idle.count()) + " us; -1 and more are allowed");
    if (chosen.serial) chosen.workers = 1;
}

void require_allowed(const tuning& how) {
    if (how.requests < 1 || how.requests > protocol::most_requests)
        throw usage_error("parley: " + std::to_string(how.requests) + " requests per worker; 1 or 2 are allowed");
    if (how.patience > max_patience)
        throw usage_error("parley: a patience of " + std::to_string(how.patience) + " us; at most " +
                          std::to_string(max_patience) + " are allowed");
}

}  // namespace

setting settled(setting s) {
    settle(s.chosen);
    require_allowed(s.how);
    if (s.how.interrupts_for_every_request && s.chosen.watchdog == watchdogs::off)
        throw usage_error("parley: a signal for every request, but watchdog = off; allowed: on");
    // A single worker needs no machine.
    if (s.chosen.serial) s.how.machine = {};
    protocol::settle_machine(s);
    // Workers have distances only if they have places.
    if (s.how.victim == victims::nearest && s.chosen.bind == binding::none) s.chosen.bind = binding::cores;
    return s;
}

}  // namespace parley::inline v0::threading
