#include <parley/detail/policy/nearest.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <parley/detail/base/contract.hpp>
#include <parley/detail/policy/settled_options.hpp>
#include <parley/detail/protocol/jobs.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/stay_loaded.hpp>
#include <parley/detail/runtime/thread.hpp>
#include <parley/detail/runtime/topology.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/wait_loop.hpp>
#include <parley/detail/stacks/fiber.hpp>
#include <parley/detail/sync/compiler_fence.hpp>
#include <parley/detail/trace/crash.hpp>
#include <parley/errors.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

pool::owned_worker pool::make_worker(protocol::worker_id id) {
    owned_worker made(new worker_and_machine(
        *this, id,
        is_visitor(id) ? visitor_with(settings_, tuning_, id) : worker_with(settings_, tuning_, id, nearest_.get())));
    worker& self = *made;
    self.early = ahead_of_time(tuning_.early);
    self.looks_between_tasks = self.always_looks = self.early.is_on();
    if (id != 0) self.now_does(doing::parked);
    if (recording_ && !is_visitor(id)) self.be_recorded(recording_->of(id));
    if (id == 0 || is_visitor(id)) self.shown.letters.close();  // nobody's victim while nobody sits there (I11)
    if (watches()) self.shown.attention.raise(bits::refill);
    return made;
}

void pool::deletes_worker::operator()(worker* w) const noexcept { delete static_cast<worker_and_machine*>(w); }

namespace {

std::unique_ptr<trace::recording> recording_for(const options& chosen) {
    if (!chosen.profile && chosen.trace.empty()) return nullptr;
    return std::make_unique<trace::recording>(chosen.workers, chosen.trace, chosen.trace_events);
}

}  // namespace

pool::pool(const options& chosen, const tuning& how) : pool(settled(setting{chosen, how})) {}

pool::pool(setting&& resolved)
    : lobby((resolved.chosen.workers + most_visitors) * protocol::most_requests,
            resolved.chosen.workers * protocol::most_requests),
      settings_(std::move(resolved.chosen)),
      tuning_(resolved.how),
      shows_times_(profile_is_in_environment()),
      recording_(recording_for(settings_)),
      nearest_(tuning_.victim == victims::nearest
                   ? std::make_unique<const nearest_map>(settings_.workers, distances(settings_.bind, settings_.workers))
                   : nullptr) {
    stay_loaded();
    count_forks();
    visitor_seats_ = std::make_unique<owned_worker[]>(most_visitors);
    workers_.reserve(settings_.workers);
    for (protocol::worker_id id = 0; id < settings_.workers; ++id) workers_.push_back(make_worker(id));
    if (settings_.complain_after.count() > 0) complainer_ = std::make_unique<complainer>(*this, settings_.complain_after);
    active_.set(size());
    manager.set(protocol::manager_of(size()));
    if (size() > 1) at(0).shown.attention.raise(bits::start);
    in_dumps_.emplace(*this);
}

pool::~pool() {
    if (worker_in(*this) != nullptr)
        base::contract_failed("a runtime is destroyed by one of its own tasks", __FILE__, __LINE__);
    if (!is_of_this_process()) {
        in_dumps_.reset();
        // Tasks and requests are where they were when the parent forked; nobody will ever take them up.
        for (owned_worker& w : workers_) (void)w.release();
        for (std::uint32_t i = 0; i < most_visitors; ++i) (void)visitor_seats_[i].release();
        (void)depot_.release();
        (void)complainer_.release();
        return;
    }
    let_go_of_broker();
    enter_at_the_end();
    // Threads that never started have nothing to end, and would never say that they are idle.
    if (running_ || size() == 1) wait_for_all(at(0), awaited::end_of_runtime);
    leave(at(0));
    show_what_was_kept();
    for (protocol::worker_id id = 1; id < seats(); ++id) at(id).raise_and_wake(bits::stop);
    for (const pthread_t t : threads_) pthread_join(t, nullptr);
    for (const pthread_t t : stand_ins_) pthread_join(t, nullptr);
    show_times();
    complainer_.reset();
    own_broker_.reset();
    in_dumps_.reset();
}

// All of them work again, for the end. They tell what they do until they are gone.
void pool::let_go_of_broker() {
    if (own_broker_ == nullptr) return;
    own_broker_->let_go();
    resize(size());
}

// Seats are not kept where visits are shown, nor where a closed mailbox keeps requests from coming.
void pool::be_default() noexcept {
    is_default_ = true;
    lets_keep_ = !serial() && !circulates() && recording_ == nullptr && sync::have_barrier_in_all_threads();
}

void pool::throw_other_process() {
    throw usage_error(
        "parley: this runtime was made before fork(), and its threads are not in the "
        "child; make one in the child, or use exec");
}

namespace {
// Once, however many runtimes there are.
void say_that_nobody_knows_brokers(const std::string& socket) {
    [[maybe_unused]] static const int said =
        std::fprintf(stderr, "parley: this program is not linked with parley::broker: it works without the broker at %s\n",
                     socket.c_str());
}
}  // namespace

void pool::start_threads() {
    require_this_process();
    if (size() == 1) return;
    std::call_once(started_, [this] {
        if (watches()) install_watchdog();
        threads_.reserve(size() - 1);
        // After a failure (std::call_once lets the next caller try again) those that run stay.
        for (auto id = static_cast<protocol::worker_id>(1 + threads_.size()); id < size(); ++id) {
            threads_.push_back(start_thread(settings_.stack_size, &at(id), [](void* w) -> void* {
                auto& self = *static_cast<worker*>(w);
                self.home.thread_main(self);
                return nullptr;
            }));
        }
        running_ = true;
        if (!settings_.broker.empty() && !circulates()) {
            const broker_client* const client = linked_broker_client();
            if (client == nullptr) {
                say_that_nobody_knows_brokers(settings_.broker);
            } else {
                try {
                    own_broker_ = client->join(*this, settings_.broker);
                    (void)broker_.install(own_broker_.get());
                } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): as without a broker
                }
            }
        }
        at(0).shown.attention.lower(bits::start);
    });
}

namespace {
// The condition of wait_loop: one of these bits is up.
struct raised {
    const worker* self;
    bits::word which;
    awaited awaits;
    bool operator()() const noexcept { return (self->shown.attention.get() & which) != 0; }
    bool may_hold() const noexcept { return false; }  // it comes by the attention word
};
}  // namespace

void pool::thread_main(worker& self) noexcept {
    if (settings_.bind != binding::none && !self.stands_in.get()) bind_this_thread(settings_.bind, self.id, size());
    if (watches()) accept_interruptions();
    self.exceptions = &exceptions_in_flight();
    current = innermost = &self;
    sync::compiler_fence();  // a signal finds the worker that it is for
    self.watched.thread.set(this_thread());
    self.to_people.thread.set(this_thread());
    self.runs_on_this_stack();
    if (recording_ && recording_->has_timeline()) trace::prepare_to_crash();
    if (self.stands_in.get()) {
        thread_medium medium(self);
        machine_of(self).come_back(medium);
    }
    raised stopped{&self, bits::stop, awaited::nothing};
    wait_loop(self, protocol::standing::between_tasks, stopped);
    self.now_does(doing::parked);
    self.watched.thread.set(0);
    self.to_people.thread.set(0);
    sync::compiler_fence();
    current = innermost = nullptr;
    thread_medium medium(self);
    while (!machine_of(self).leave(medium)) wait_a_moment();
    PARLEY_REQUIRE(self.queued() == 0);
}

// A circulating request may be with somebody who waits for this very core.
void pool::wait_a_moment() const noexcept {
    if (circulates()) give_way();
    else relax();
}

// First the number, then the news: who falls asleep looks at the number after it has marked itself asleep, or the news
// wakes it (I8).
void pool::resize(std::uint32_t workers) {
    require_this_process();
    if (workers < 1 || workers > size())
        throw usage_error("parley: resize(" + std::to_string(workers) + "): 1 to " + std::to_string(size()) +
                          " workers are allowed");
    if (circulates())
        throw usage_error("parley: resize() is not for the papers' protocol: a worker whose request circulates cannot go");
    const std::scoped_lock guard(resize_mutex_);
    const std::uint32_t before = active_.own();
    active_.set(workers);
    for (protocol::worker_id id = std::min(before, workers); id < std::max(before, workers); ++id)
        at(id).raise_and_wake(bits::news);
}

void pool::submit(job* j) noexcept {
    jobs_sent.add();  // before it is sent: a task in a channel is always counted (I4)
    jobs.send(j);
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
    for (protocol::worker_id id = 0; id < seats(); ++id) at(id).raise_and_wake(bits::news);
}

void pool::notify(sync::completion::woken waiters) noexcept {
    if (waiters.nobody()) return;
    if (!waiters.several()) return notify(waiters.the_one());
    for (protocol::worker_id id = 0; id < seats(); ++id)
        if (waiters.has(waiter_number(id))) at(id).raise_and_wake(bits::news);
}

void pool::barrier(worker& self) {
    if (!self.at_root())
        throw usage_error(
            "parley: barrier() was called by a child task, or where another thread has worker 0's place; "
            "only the root task of run(), on the thread that called it, may wait for all others");
    if (self.isolated)
        throw usage_error(
            "parley: barrier() was called inside isolated(); what was made outside it can not be waited for "
            "there");
    wait_for_all(self, awaited::barrier);
    if (self.cancelling()) throw cancelled{};
    throw_what_was_kept();
}

void pool::wait_for_all(worker& self, awaited what) {
    // All has been done where it was called, unless threads outside have sent something.
    if (serial() && jobs_sent.get() == 0) return;
    start_threads();  // the manager among them
    thread_medium medium(self);
    protocol_worker& machine = machine_of(self);
    wanting.add();
    machine.open_barrier(medium);
    raised released{&self, bits::released, what};
    wait_loop(self, protocol::standing::between_tasks, released);
    while (!machine.close_barrier(medium)) wait_a_moment();
    wanting.take_off();
}

// Another task may fail meanwhile, whose thread outside has spawned it.
void pool::keep_failure(std::exception_ptr failure) noexcept {
    const std::scoped_lock guard(failure_mutex_);
    if (failure_ == nullptr) failure_ = std::move(failure);
    failed_.put_up();
}

void pool::throw_what_was_kept() {
    // A task that is done has put it up before; that it is done is known by messages.
    if (!failed_.is_up()) return;
    std::exception_ptr first;
    {
        const std::scoped_lock guard(failure_mutex_);
        first = std::exchange(failure_, nullptr);
        failed_.take_down();
    }
    if (first != nullptr) std::rethrow_exception(std::move(first));
}

void pool::show_what_was_kept() noexcept {
    try {
        throw_what_was_kept();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "parley: a task failed and no barrier() followed: %s\n", e.what());
    } catch (...) {
        std::fputs("parley: a task failed and no barrier() followed\n", stderr);
    }
}

}  // namespace parley::inline v0::threading
