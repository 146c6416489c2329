// Threads that come into a pool and go: as worker 0, or as visitors.
//
// The first thread that comes in is worker 0. It does everything that a worker does. A thread that finds worker 0's seat
// taken becomes a visitor: a worker with a number behind those of the pool's own. It does its own work itself and gives
// of it to whoever asks through the lobby, but it is nobody's victim and asks for nothing, so the protocol's worker count
// stays as it was. So nobody who comes in depends on a worker that may be blocked, and what a thread gives to run() runs
// on that thread.
//
// A thread that is a worker already, in another runtime, comes in the same way, further up its stack (worker::outer).
// Meanwhile it counts as blocked there. It takes nothing that is not its own, neither tasks nor jobs: what began on top
// of its wait might need the frames below. Where it waits, it does what its first runtime has to do (visiting.hpp).
#include <parley/detail/base/contract.hpp>
#include <parley/detail/protocol/jobs.hpp>
#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>
#include <parley/detail/stacks/fiber.hpp>
#include <parley/detail/sync/compiler_fence.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

// Under visitors_mutex_. Null: there are as many as there may be.
worker* pool::make_visitor(std::uint32_t most) {
    const std::uint32_t made = visitors_.own();
    if (made >= most) return nullptr;
    free_visitors_.reserve(made + 1);  // it is given back without a need for memory
    visitor_seats_[made] = make_worker(size() + made);
    worker& self = *visitor_seats_[made];
    {
        thread_medium medium(self);
        machine_of(self).stay_away(medium);
    }
    visitors_.set(made + 1);
    hear_of_cancellation(self);
    return &self;
}

// Null: there are as many as there may be, or no memory for another one.
worker* pool::free_visitor() noexcept {
    try {
        const std::scoped_lock guard(visitors_mutex_);
        if (free_visitors_.empty()) return make_visitor(most_visitors - kept_for_stand_ins);
        const protocol::worker_id id = free_visitors_.back();
        free_visitors_.pop_back();
        return &at(id);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

// Its threads are needed for what a visitor gives. If they do not start, the next fork says why.
void start_threads_if_possible(pool& home) noexcept {
    try {
        home.start_threads();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    }
}

// What comes next on this stack is done as this worker.
void pool::begin_as(worker& self) noexcept {
    self.watched.has_looked.set(false);
    // What a task inside an isolation makes here is made inside it, too.
    self.isolated = current != nullptr && current->isolated;
    if (self.isolated) {
        self.tasks.begin_inside();
        self.high.begin_inside();
    }
    self.exceptions = &exceptions_in_flight();
    self.outer = innermost;
    // Where requests circulate nobody stands in to take jobs.
    self.may_take = innermost != nullptr  ? circulates() ? takes::jobs : takes::nothing
                    : is_visitor(self.id) ? takes::jobs
                                          : takes::everything;
    sync::compiler_fence();  // a signal handler follows `outer` from `innermost` on
    innermost = &self;
    self.came_from = std::exchange(current, &self);
    sync::compiler_fence();
    self.watched.thread.set(this_thread());
    self.to_people.thread.set(this_thread());
    self.to_people.whose.set(self.is_visiting() ? seat_of::other_worker : seat_of::outside);
    self.runs_on_this_stack();
    self.watched.takes_no_jobs.set(self.may_take == takes::nothing);
    self.watched.called.take_down();  // what was on its way has come to whoever sat here before
    self.now_does(doing::useful);
}

void pool::end_as(worker& self) noexcept {
    self.isolated = false;
    sync::compiler_fence();
    innermost = self.outer;
    sync::compiler_fence();
    self.outer = nullptr;
    current = std::exchange(self.came_from, nullptr);
}

void pool::sit_down(worker& self) noexcept {
    begin_as(self);
    thread_medium medium(self);
    if (is_visitor(self.id)) machine_of(self).come_back(medium);
    else machine_of(self).enter(medium);
    record_visit(self, true);
}

// Nothing of its own is left.
void pool::get_up(worker& self) noexcept {
    self.now_does(doing::useful);
    record_visit(self, false);
    self.watched.thread.set(0);
    self.to_people.thread.set(0);
    end_as(self);
}

worker* pool::free_seat() noexcept { return seat_.try_lock() ? &at(0) : free_visitor(); }

// There is no memory for one.
bool pool::could_be_more_visitors() const noexcept { return visitors_.get() < most_visitors - kept_for_stand_ins; }

// A worker of another runtime waits there: those who have the seats may need it to go on.
worker* pool::wait_for_seat() noexcept {
    worker* seat = nullptr;
    if (worker* const self = current) {
        try {
            const std::scoped_lock guard(visitors_mutex_);
            seat_wanted_.push_back(self);
        } catch (const std::bad_alloc&) {
            base::contract_failed("no memory to wait for a runtime", __FILE__, __LINE__);
        }
        wait_until(*self, [this, &seat] { return seat != nullptr || (seat = free_seat()) != nullptr; });
        const std::scoped_lock guard(visitors_mutex_);
        seat_wanted_.erase(std::find(seat_wanted_.begin(), seat_wanted_.end(), self));
        return seat;
    }
    while (seat == nullptr) {
        const std::uint32_t ticket = outside.prepare();
        seat = free_seat();
        if (seat != nullptr) outside.cancel();
        else if (could_be_more_visitors()) outside.wait_for(ticket, std::chrono::milliseconds(10));
        else outside.wait(ticket);
    }
    return seat;
}

// Under the mutex, so that none of them goes before it has been told.
void pool::tell_of_seat() noexcept {
    {
        const std::scoped_lock guard(visitors_mutex_);
        for (worker* const w : seat_wanted_) w->raise_and_wake(bits::news);
    }
    outside.notify();
}

worker& pool::enter() noexcept {
    if (!is_of_this_process())
        base::contract_failed("a child of fork() waits for what only its parent's threads could do", __FILE__, __LINE__);
    if (is_default_) wait_with_main();
    inside_.add();
    if (current != nullptr) begin_visit(*current);
    worker* seat = free_seat();
    if (seat == nullptr) [[unlikely]]
        seat = wait_for_seat();
    if (is_visitor(seat->id)) start_threads_if_possible(*this);
    sit_down(*seat);
    return *seat;
}

void pool::give_all_away(worker& self) noexcept {
    self.turn_away();
    finish_suspended(self);
    hand_on_all(self);
    self.turn_away();
}

void pool::leave(worker& self) noexcept {
    give_all_away(self);
    if (is_visitor(self.id)) {
        {
            thread_medium medium(self);
            machine_of(self).stay_away(medium);
        }
        get_up(self);
        {
            const std::scoped_lock guard(visitors_mutex_);
            free_visitors_.push_back(self.id);
        }
    } else {
        get_up(self);
        seat_.unlock();
    }
    tell_of_seat();  // after giving it back: who is woken tries to take it
    if (!jobs.empty()) tell_of_jobs();
    inside_.take_off();  // the last access to the runtime
    if (current != nullptr) end_visit(*current);
}

// What this thread has begun it must end: no other may go on with it. What it has not begun is for others.
void pool::finish_suspended(worker& self) noexcept {
    if (!self.suspended.any()) return;
    self.draining = size() > 1;
    self.watched.takes_no_jobs.set(self.draining);
    if (self.draining) hand_on_tasks(self);
    wait(
        self, protocol::standing::between_tasks, awaited::own_suspended_waits,
        [](const void* w) { return !static_cast<const worker*>(w)->suspended.any(); }, &self);
    self.draining = false;
    self.watched.takes_no_jobs.set(self.blocking != 0);
}

// Nobody may come in any more. Whoever is in it is waited for: its thread goes by what would be destroyed here. It tells
// nobody that it has left, for then it would go by that once more.
void pool::enter_at_the_end() noexcept {
    if (current != nullptr) begin_visit(*current);
    inside_.add();
    const auto alone = [this] { return inside_.get() == 1 && cancellation_.is_left_alone(); };
    for (int turn = 0; turn < 100 && !alone(); ++turn) give_way();
    if (!alone()) {
        if (complainer_ != nullptr) complainer_->end_has_to_wait();
        while (!alone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (complainer_ != nullptr) complainer_->end_goes_on();
    }
    while (!seat_.try_lock()) give_way();  // it is free, but try_lock() may fail all the same
    sit_down(at(0));
}

}  // namespace parley::inline v0::threading
