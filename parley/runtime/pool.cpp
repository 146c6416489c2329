#include <parley/runtime/pool.hpp>

#include <parley/base/contract.hpp>
#include <parley/base/errors.hpp>
#include <parley/protocol/jobs.hpp>
#include <parley/runtime/medium.hpp>
#include <parley/runtime/relax.hpp>
#include <parley/runtime/thread.hpp>
#include <parley/runtime/topology.hpp>
#include <parley/runtime/wait.hpp>

#include <new>
#include <string>

namespace parley::inline v0::threading {

namespace {

namespace bits = protocol::bits;

chosen_stealing strategy_of(const options& chosen) {
    switch (chosen.steal) {
        case stealing::one: return {protocol::steal_one{}};
        case stealing::half: return {protocol::steal_half{}};
        case stealing::adaptive: break;
    }
    return {protocol::steal_adaptive{}};
}

options with_defaults(options chosen) {
    if (chosen.workers == 0) chosen.workers = default_workers();
    if (chosen.workers > max_workers)
        throw usage_error("parley: " + std::to_string(chosen.workers) + " workers; at most " +
                          std::to_string(max_workers) + " are allowed");
    return chosen;
}

// A task that its worker left behind, on its way to another.
struct handed_on : job {
    explicit handed_on(task* t) noexcept : inner(t) { run = &run_inner; }
    static void run_inner(task* self, worker& w) {
        task* inner = static_cast<handed_on*>(self)->inner;
        delete static_cast<handed_on*>(self);
        inner->run(inner, w);
    }
    task* inner;
};

}  // namespace

pool::member::member(pool& owner, protocol::worker_id id, const options& chosen)
    : self(owner, id), machine(id, chosen.workers, chosen.seed * 1'000'003 + id, strategy_of(chosen)) {
    if (id == 0) self.shown.letters.close();  // nobody's victim outside (I11)
}

pool::pool(const options& chosen)
    : lobby(with_defaults(chosen).workers), settings_(with_defaults(chosen)) {
    members_.reserve(settings_.workers);
    for (protocol::worker_id id = 0; id < settings_.workers; ++id)
        members_.push_back(std::make_unique<member>(*this, id, settings_));
    if (size() > 1) at(0).shown.attention.raise(bits::start);
}

pool::~pool() {
    if (current != nullptr && &current->home == this)
        base::contract_failed("a runtime is destroyed by one of its own tasks", __FILE__, __LINE__);
    {
        const std::scoped_lock guard(seat_);
        worker& self = enter();
        if (running_ || size() == 1) barrier(self);
        leave();
    }
    for (protocol::worker_id id = 1; id < size(); ++id)
        at(id).shown.attention.raise_and_wake(bits::stop);
    for (const pthread_t t : threads_) pthread_join(t, nullptr);
}

void pool::start_threads() {
    std::call_once(started_, [this] {
        threads_.reserve(size() - 1);
        for (protocol::worker_id id = 1; id < size(); ++id) {
            struct start { pool* home; protocol::worker_id id; };
            auto* argument = new start{this, id};
            try {
                threads_.push_back(start_thread(settings_.stack_size, argument, [](void* a) -> void* {
                    const start s = *static_cast<start*>(a);
                    delete static_cast<start*>(a);
                    s.home->thread_main(s.id);
                    return nullptr;
                }));
            } catch (...) {
                delete argument;
                throw;
            }
        }
        running_ = true;
        at(0).shown.attention.lower(bits::start);
    });
}

void pool::thread_main(protocol::worker_id id) noexcept {
    worker& self = at(id);
    if (settings_.bind != binding::none) bind_this_thread(settings_.bind, id, size());
    current = &self;
    wait(
        self, protocol::standing::between_tasks,
        [](const void* w) {
            return (static_cast<const worker*>(w)->shown.attention.get() & bits::stop) != 0;
        },
        &self);
    current = nullptr;
    thread_medium medium(self);
    while (!protocol_of(id).leave(medium)) relax();
    PARLEY_REQUIRE(self.tasks.empty());
}

worker& pool::enter() noexcept {
    worker& self = at(0);
    current = &self;
    thread_medium medium(self);
    protocol_of(0).enter(medium);
    return self;
}

void pool::leave() noexcept {
    worker& self = at(0);
    thread_medium medium(self);
    hand_on_tasks(self);
    while (!protocol_of(0).leave(medium)) relax();  // an answer is on its way: moments
    hand_on_tasks(self);
    current = nullptr;
}

void pool::hand_on_tasks(worker& self) {
    while (!self.tasks.empty()) {
        task* t = self.tasks.take_oldest();
        if (auto* j = new (std::nothrow) handed_on(t)) submit(j);
        else self.run(t);
    }
}

void pool::submit(job* j) {
    if (size() > 1) start_threads();
    jobs_sent.add();  // before it is sent: a task in a channel is always counted (I4)
    jobs.send(j);
    outside_medium medium(*this);
    protocol::relay_jobs(medium);
}

void pool::notify(std::uint32_t waiter) noexcept {
    if (waiter == waiter_outside) outside.notify();
    // A thread from outside may wait on the seat, as worker 0.
    const protocol::worker_id id = waiter == waiter_outside ? 0 : waiter - waiter_number(0);
    at(id).shown.attention.raise_and_wake(bits::news);
}

void pool::wait_outside(bool (*done)(const void*), const void* context) {
    worker* const before = current;  // of another runtime, if any
    while (!done(context)) {
        // With one worker nobody else could run what is waited for: wait for the seat itself.
        std::unique_lock seat(seat_, std::defer_lock);
        if (size() == 1) seat.lock();
        if (seat.owns_lock() || seat.try_lock()) {
            wait(enter(), protocol::standing::in_task, done, context);
            leave();
            current = before;
            continue;
        }
        const std::uint32_t ticket = outside.prepare();
        if (done(context)) outside.cancel();
        else outside.wait(ticket);
    }
}

void pool::barrier(worker& self) {
    if (!self.at_root())
        throw usage_error("parley: barrier() was called by a child task; only the root task of "
                          "run(), on the thread that called it, may wait for all others");
    thread_medium medium(self);
    protocol_worker& machine = protocol_of(self.id);
    machine.open_barrier(medium);
    wait(
        self, protocol::standing::between_tasks,
        [](const void* w) {
            return (static_cast<const worker*>(w)->shown.attention.get() & bits::released) != 0;
        },
        &self);
    machine.close_barrier(medium);
}

void pool::cancel() noexcept {
    if (roots_.get() == roots_ended_.get() || !cancelling_.put_up()) return;
    for (protocol::worker_id id = 0; id < size(); ++id) at(id).shown.attention.raise(bits::cancel);
}

void pool::root_ends() noexcept {
    roots_ended_.add();
    if (!cancelling_.is_up() || roots_.get() != roots_ended_.get()) return;
    for (protocol::worker_id id = 0; id < size(); ++id) at(id).shown.attention.lower(bits::cancel);
    cancelling_.take_down();
}

}  // namespace parley::inline v0::threading
