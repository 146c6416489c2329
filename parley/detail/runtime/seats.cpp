// Threads that come into a pool and go: as worker 0, or as visitors.
//
// The first thread that comes in is worker 0. It does all that a worker does. A thread that finds worker 0's seat taken
// becomes a visitor: a worker with a number behind those of the pool's own. A visitor does its own work, and gives of
// it to thieves in the lobby. It is nobody's victim and asks for nothing, so the protocol's number of workers stays as
// it was. So no thread that comes in depends on a worker that may be blocked. The task that a thread gives to run()
// runs on that thread.
//
// A thread that is a worker of another runtime comes in like any other, further up its stack (worker::outer). Meanwhile
// it counts as blocked in the other runtime. It takes only tasks of its own, and no jobs: a task that began on top of
// its wait might need the frames below. Where it waits, it does what its first runtime has to do (visiting.hpp).
#include <parley/detail/runtime/seats.hpp>

#include <parley/detail/base/compiler_fence.hpp>
#include <parley/detail/base/contract.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/end_of_process.hpp>
#include <parley/detail/runtime/handing_on.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/profile.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/stacks/fiber.hpp>
#include <parley/detail/trace/recorder.hpp>
#include <parley/detail/trace/recording.hpp>

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

seats::owned_worker seats::make_worker(protocol::worker_id id) {
    owned_worker made(new whole_worker(home_, id, home_.cells(),
                                       is_visitor(id) ? visitor_with(home_.settings(), home_.tuned(), id)
                                                      : worker_with(home_.settings(), home_.tuned(), id, home_.nearest())));
    worker& self = *made;
    self.own_part().looks.now = self.own_part().looks.always = policies_of(self).ahead_of_time.is_on();
    if (id != 0) self.now_does(doing::parked);
    if (trace::recording* const all = home_.recording(); all != nullptr && !is_visitor(id)) self.be_recorded(all->of(id));
    if (id == 0 || is_visitor(id)) self.shared_part().letters.close();  // I11: it is nobody's victim while nobody sits there
    if (home_.watches()) self.shared_part().attention.raise(bits::refill);
    return made;
}

void seats::deletes_worker::operator()(worker* w) const noexcept { delete static_cast<whole_worker*>(w); }

void seats::begin() {
    visitor_seats_ = std::make_unique<owned_worker[]>(most_visitors);
    workers_.reserve(own_);
    for (protocol::worker_id id = 0; id < own_; ++id) workers_.push_back(make_worker(id));
}

void seats::forget() noexcept {
    for (owned_worker& w : workers_) (void)w.release();
    for (std::uint32_t i = 0; i < most_visitors; ++i) (void)visitor_seats_[i].release();
}

// Called with visitors_mutex_ held. Null: there are as many visitors as there may be.
worker* seats::make_visitor(std::uint32_t most) {
    const std::uint32_t made = visitors_.own();
    if (made >= most) return nullptr;
    free_visitors_.reserve(made + 1);  // so its number can be given back without memory
    visitor_seats_[made] = make_worker(own_ + made);
    worker& self = *visitor_seats_[made];
    {
        thread_medium medium(self);
        machine_of(self).stay_away(medium);
    }
    visitors_.set(made + 1);
    home_.roots().hear_of_cancellation(self);
    return &self;
}

// Null: there are as many visitors as there may be, or no memory for another one.
worker* seats::free_visitor() noexcept {
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

worker* seats::seat_for_stand_in() {
    const std::scoped_lock guard(visitors_mutex_);
    if (free_visitors_.empty()) return make_visitor(most_visitors);
    worker& self = at(free_visitors_.back());
    free_visitors_.pop_back();
    return &self;
}

void seats::give_back(protocol::worker_id visitor) noexcept {
    const std::scoped_lock guard(visitors_mutex_);
    free_visitors_.push_back(visitor);
}

namespace {

// The threads are needed for tasks that a visitor gives. If they do not start, the next fork throws the reason.
void start_threads_if_possible(pool& home) noexcept {
    try {
        home.start_threads();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    }
}

}  // namespace

void begin_as(worker& self) noexcept {
    self.watched_part().has_looked.set(false);
    // If a task inside an isolation comes in, it makes its tasks here inside that isolation, too.
    self.own_part().limits.isolated = current != nullptr && current->own_part().limits.isolated;
    if (self.own_part().limits.isolated) {
        self.own_part().limits.region = self.new_group();
        self.own_part().tasks.begin_inside();
        self.own_part().high.begin_inside();
    }
    self.own_part().sits.exceptions = &exceptions_in_flight();
    self.own_part().sits.outer = innermost;
    // A thread that visits from another runtime takes no jobs, since stand-ins take them. Where requests circulate
    // there are no stand-ins, so it takes jobs.
    self.own_part().limits.may_take = innermost != nullptr                ? pool::circulates() ? takes::jobs : takes::nothing
                                      : self.home().is_visitor(self.id()) ? takes::jobs
                                                                          : takes::everything;
    base::compiler_fence();  // a signal handler follows `outer`, beginning at `innermost`
    innermost = &self;
    self.own_part().sits.came_from = std::exchange(current, &self);
    base::compiler_fence();
    self.watched_part().thread.set(this_thread());
    to_people(self).thread.set(this_thread());
    to_people(self).whose.set(self.is_visiting() ? seat_of::other_worker : seat_of::outside);
    runs_on_this_stack(self);
    self.watched_part().takes_no_jobs.set(self.own_part().limits.may_take == takes::nothing);
    self.watched_part().called.take_down();  // a signal that was on its way has reached the thread that sat here before
    self.now_does(doing::useful);
}

void end_as(worker& self) noexcept {
    self.own_part().limits.isolated = false;
    base::compiler_fence();
    innermost = self.outer();
    base::compiler_fence();
    self.own_part().sits.outer = nullptr;
    current = std::exchange(self.own_part().sits.came_from, nullptr);
}

void seats::sit_down(worker& self) noexcept {
    begin_as(self);
    thread_medium medium(self);
    if (is_visitor(self.id())) machine_of(self).come_back(medium);
    else machine_of(self).enter(medium);
    record_visit(self, true);
}

// Nothing may be left of the worker's own.
void seats::get_up(worker& self) noexcept {
    self.now_does(doing::useful);
    record_visit(self, false);
    self.watched_part().thread.set(0);
    to_people(self).thread.set(0);
    end_as(self);
}

worker* seats::free_seat() noexcept { return first_seat_.try_lock() ? &at(0) : free_visitor(); }

// A worker of another runtime waits in that runtime. The threads that have the seats may need it to go on.
worker* seats::wait_for_seat() noexcept {
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
        const std::uint32_t ticket = outside_.prepare();
        seat = free_seat();
        if (seat != nullptr) outside_.cancel();
        else if (could_be_more_visitors()) outside_.wait_for(ticket, std::chrono::milliseconds(10));
        else outside_.wait(ticket);
    }
    return seat;
}

// The mutex is held while the workers are told, so that none of them goes before that.
void seats::tell_of_seat() noexcept {
    {
        const std::scoped_lock guard(visitors_mutex_);
        for (worker* const w : seat_wanted_) w->raise_and_wake(bits::news);
    }
    outside_.notify();
}

worker& seats::enter() noexcept {
    if (!home_.is_of_this_process())
        base::contract_failed("a child of fork() waits for what only its parent's threads could do", __FILE__, __LINE__);
    if (waits_with_main_) wait_with_main(home_);
    inside_.add();
    if (current != nullptr) begin_visit(*current);
    worker* seat = free_seat();
    if (seat == nullptr) [[unlikely]]
        seat = wait_for_seat();
    if (is_visitor(seat->id())) start_threads_if_possible(home_);
    sit_down(*seat);
    return *seat;
}

void seats::leave(worker& self) noexcept {
    give_all_away(self);
    if (is_visitor(self.id())) {
        {
            thread_medium medium(self);
            machine_of(self).stay_away(medium);
        }
        get_up(self);
        give_back(self.id());
    } else {
        get_up(self);
        first_seat_.unlock();
    }
    tell_of_seat();  // after the seat is given back, because a thread that is woken tries to take it
    if (!home_.exchange().jobs.empty()) home_.tell_of_jobs();
    inside_.take_off();  // the last access to the runtime
    if (current != nullptr) end_visit(*current);
}

// A thread that is still in the pool goes by what would be destroyed here. So this waits for all of them. They do not
// tell it that they have left: to do that they would have to use the pool once more.
void seats::enter_at_the_end() noexcept {
    if (current != nullptr) begin_visit(*current);
    inside_.add();
    const auto alone = [this] { return inside_.get() == 1 && home_.roots().are_left_alone(); };
    for (int turn = 0; turn < 100 && !alone(); ++turn) give_way();
    if (!alone()) {
        complainer* const who = home_.who_complains();
        if (who != nullptr) who->end_has_to_wait();
        while (!alone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (who != nullptr) who->end_goes_on();
    }
    while (!first_seat_.try_lock()) give_way();  // the seat is free, but try_lock() may fail all the same
    sit_down(at(0));
}

// A thread that has completed what the last task waited for may still be on its way out.
void seats::wait_for_those_that_leave() const noexcept {
    while (inside_.get() != 0) give_way();
}

}  // namespace parley::inline v0::threading
