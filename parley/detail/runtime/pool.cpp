#include <parley/detail/runtime/pool.hpp>

#include <parley/detail/base/contract.hpp>
#include <parley/detail/policy/nearest.hpp>
#include <parley/detail/policy/settled_options.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/jobs.hpp>
#include <parley/detail/runtime/barrier.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/crew.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/process_fork.hpp>
#include <parley/detail/runtime/stay_loaded.hpp>
#include <parley/detail/runtime/topology.hpp>
#include <parley/detail/trace/recording.hpp>
#include <parley/errors.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

namespace {

std::unique_ptr<trace::recording> recording_for(const options& chosen) {
    if (!chosen.profile && chosen.trace.empty()) return nullptr;
    return std::make_unique<trace::recording>(chosen.workers, chosen.trace, chosen.trace_events);
}

}  // namespace

pool::pool(const options& chosen, const tuning& how) : pool(settled(setting{chosen, how})) {}

pool::pool(setting&& resolved)
    : settings_(std::move(resolved.chosen)),
      tuning_(resolved.how),
      shows_times_(profile_is_in_environment()),
      forks_(forks_so_far()),
      depot_(new depot),
      recording_(recording_for(settings_)),
      nearest_(tuning_.victim == victims::nearest
                   ? std::make_unique<const nearest_map>(settings_.workers, distances(settings_.bind, settings_.workers))
                   : nullptr),
      exchange_(settings_.workers + threading::seats::most_visitors, settings_.workers),
      roots_(*this),
      resizing_(*this, settings_.workers),
      kept_(*this),
      seats_(*this, settings_.workers),
      crew_(std::make_unique<threading::crew>(*this)) {
    stay_loaded();
    count_forks();
    seats_.begin();
    if (settings_.complain_after.count() > 0) complainer_ = std::make_unique<complainer>(*this, settings_.complain_after);
    exchange_.manager.set(protocol::manager_of(size()));
    if (size() > 1) at(0).shared_part().attention.raise(bits::start);
    in_dumps_.emplace(*this);
}

bool pool::is_of_this_process() const noexcept { return forks_ == forks_so_far(); }

pool::~pool() {
    if (worker_in(*this) != nullptr)
        base::contract_failed("a runtime is destroyed by one of its own tasks", __FILE__, __LINE__);
    if (!is_of_this_process()) {
        in_dumps_.reset();
        seats_.forget();
        (void)depot_.release();
        (void)complainer_.release();
        return;
    }
    resizing_.let_go_of_broker();
    seats_.enter_at_the_end();
    // Threads that never started have nothing to end, and would never say that they are idle.
    if (crew_->has_started() || size() == 1) wait_for_all(at(0), awaited::end_of_runtime);
    seats_.leave(at(0));
    seats_.wait_for_those_that_leave();
    roots_.show_what_was_kept();
    for (protocol::worker_id id = 1; id < seats_.count(); ++id) at(id).raise_and_wake(bits::stop);
    crew_->join();
    show_times();
    complainer_.reset();
    resizing_.forget_broker();
    in_dumps_.reset();
}

// Threads keep no seats where visits are recorded. Nor do they where requests circulate, since a closed mailbox keeps
// requests from coming.
void pool::be_default() noexcept {
    seats_.wait_with_main_from_now_on();
    if (!serial() && !circulates() && recording_ == nullptr && sync::have_barrier_in_all_threads()) kept_.allow();
}

void pool::throw_other_process() {
    throw usage_error(
        "parley: this runtime was made before fork(), and its threads are not in the "
        "child; make one in the child, or use exec");
}

void pool::start_threads() {
    require_this_process();
    if (size() > 1) crew_->start();
}

void pool::submit(job* j) noexcept {
    exchange_.jobs_sent.add();  // before it is sent: a task in a channel is always counted (I4)
    exchange_.jobs.send(j);
    tell_of_jobs();
}

void pool::tell_of_jobs() noexcept {
    outside_medium medium(*this);
    protocol::relay_jobs(medium);
}

void pool::notify(std::uint32_t waiter) noexcept {
    if (waiter >= waiter_number(0)) {
        at(waiter - waiter_number(0)).raise_and_wake(bits::news);
        return;
    }
    for (protocol::worker_id id = 0; id < seats_.count(); ++id) at(id).raise_and_wake(bits::news);
}

void pool::notify(sync::completion::woken waiters) noexcept {
    if (waiters.nobody()) return;
    if (!waiters.several()) return notify(waiters.the_one());
    for (protocol::worker_id id = 0; id < seats_.count(); ++id)
        if (waiters.has(waiter_number(id))) at(id).raise_and_wake(bits::news);
}

}  // namespace parley::inline v0::threading
