#include <parley/detail/policy/settled_options.hpp>

#include <parley/errors.hpp>
#include <parley/detail/protocol/request.hpp>

#include <chrono>
#include <string>

namespace parley::inline v0::threading {

namespace {

// What of the other choices has no meaning where requests circulate.
void require_papers_way(options& chosen) {
    const std::string named = "parley: with termination = " + to_string(chosen.termination) + ", ";
    if (chosen.requests != 1) throw usage_error(named + "a worker has 1 request");
    if (chosen.dry != dry_mailbox::open) throw usage_error(named + "mailboxes are open while workers have no tasks");
    if (chosen.termination == termination_by::dedicated_manager && chosen.workers < 3)
        throw usage_error(named + "there must be 3 workers at least: one of them never has a task");
    if (chosen.termination == termination_by::counter && chosen.revoke != revoked_request::any)
        throw usage_error(named + "no request is revoked");
    chosen.failed = failed_requests::backoff;
    chosen.watchdog = watchdogs::off;  // whoever waits does not sleep, and asks nobody to look
}

}  // namespace

options settled(options chosen) {
    heed_tools(chosen);
    if (chosen.workers == 0) chosen.workers = default_workers();
    if (chosen.workers > max_workers)
        throw usage_error("parley: " + std::to_string(chosen.workers) + " workers; at most " +
                          std::to_string(max_workers) + " are allowed");
    if (!chosen.trace.empty() && (chosen.trace_events < 1 || chosen.trace_events > most_trace_events))
        throw usage_error("parley: trace_events = " + std::to_string(chosen.trace_events) + "; 1 to " +
                          std::to_string(most_trace_events) + " are allowed");
    if (chosen.serial) chosen.workers = 1;
    if (chosen.requests < 1 || chosen.requests > protocol::most_requests)
        throw usage_error("parley: " + std::to_string(chosen.requests) + " requests per worker; 1 or 2 are allowed");
    if (chosen.patience > max_patience)
        throw usage_error("parley: a patience of " + std::to_string(chosen.patience) + " us; at most " +
                          std::to_string(max_patience) + " are allowed");
    if (chosen.complain_after.count() < 0 || chosen.complain_after > max_complain_after)
        throw usage_error("parley: complain_after = " + std::to_string(chosen.complain_after.count()) + " ms; 0 to " +
                          std::to_string(std::chrono::milliseconds(max_complain_after).count()) + " are allowed");
    if (chosen.serial) chosen.termination = termination_by::scan;
    if (chosen.termination != termination_by::scan) require_papers_way(chosen);
    else if (!chosen.serial && (chosen.revoke != revoked_request::any || chosen.refuse != refusal::forward ||
                                chosen.continue_requests || chosen.hijack))
        throw usage_error("parley: revoke, refuse, continue and hijack are choices of the protocol of the papers: with "
                          "termination = manager, dedicated or counter");
    // Nobody is near anybody before he has a place.
    if (chosen.victim == victims::nearest && chosen.bind == binding::none) chosen.bind = binding::cores;
    return chosen;
}

}  // namespace parley::inline v0::threading
