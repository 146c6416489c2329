#include <parley/detail/runtime/crew.hpp>

#include <parley/detail/base/compiler_fence.hpp>
#include <parley/detail/base/contract.hpp>
#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/raised.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/thread.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/topology.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/stacks/fiber.hpp>
#include <parley/detail/trace/crash.hpp>
#include <parley/detail/trace/recording.hpp>

#include <mutex>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

// Threads that run stay after a failure. std::call_once lets the next caller start the others.
void crew::start() {
    std::call_once(started_, [this] {
        if (home_.watches()) install_watchdog();
        threads_.reserve(home_.size() - 1);
        for (auto id = static_cast<protocol::worker_id>(1 + threads_.size()); id < home_.size(); ++id)
            threads_.push_back(start_thread_of(home_.at(id)));
        running_ = true;
        home_.resizing().join_broker();
        home_.at(0).shared_part().attention.lower(bits::start);
    });
}

void crew::join() noexcept {
    for (const pthread_t t : threads_) pthread_join(t, nullptr);
    for (const pthread_t t : stand_ins_) pthread_join(t, nullptr);
}

pthread_t crew::start_thread_of(worker& self) {
    return start_thread(home_.settings().stack_size, &self, [](void* w) -> void* {
        work_as(*static_cast<worker*>(w));
        return nullptr;
    });
}

void crew::work_as(worker& self) noexcept {
    pool& home = self.home();
    if (home.settings().bind != binding::none && !self.shown_part().stands_in.get())
        bind_this_thread(home.settings().bind, self.id(), home.size());
    if (home.watches()) accept_interruptions();
    self.own_part().sits.exceptions = &exceptions_in_flight();
    current = innermost = &self;
    base::compiler_fence();  // a signal that comes from here on finds the worker that it is for
    self.watched_part().thread.set(this_thread());
    to_people(self).thread.set(this_thread());
    runs_on_this_stack(self);
    if (trace::recording* const all = home.recording(); all != nullptr && all->has_timeline()) trace::prepare_to_crash();
    if (self.shown_part().stands_in.get()) {
        thread_medium medium(self);
        machine_of(self).come_back(medium);
    }
    begin_at_rest(thread_host(self));
    raised stopped{&self, bits::stop, awaited::nothing};
    wait_loop(thread_host(self), protocol::standing::between_tasks, stopped);
    self.now_does(doing::parked);
    self.watched_part().thread.set(0);
    to_people(self).thread.set(0);
    base::compiler_fence();
    current = innermost = nullptr;
    thread_medium medium(self);
    while (!machine_of(self).leave(medium)) wait_a_moment();
    PARLEY_REQUIRE(self.queued() == 0);
}

}  // namespace parley::inline v0::threading
