// Threads that work in the place of workers that block.
//
// A worker in a blocking region lends its place. So as many workers run as before, and no core is idle because its
// worker reads a file. A stand-in is a visitor (seats.cpp) with a thread of the pool's, and may do all that a worker
// may. It is suspended (driver/resizing.hpp) unless a place is lent. So it also takes jobs that nobody else would take.
// If a runtime has one worker, whose seat is empty, a task of another runtime may wait for such a job.
#include <parley/detail/runtime/crew.hpp>

#include <parley/detail/runtime/lending.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/whole_worker.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

bool crew::must_go(const worker& self) const noexcept {
    if (!home_.is_visitor(self.id())) return true;
    return self.shown_part().stands_in.get() && self.shown_part().place.get() >= lent_.get();
}

// Called with mutex_ held.
void crew::start_stand_in() {
    stand_ins_.reserve(stand_ins_.size() + 1);
    standing_in_.reserve(stand_ins_.size() + 1);
    worker* const self = home_.seats().seat_for_stand_in();
    if (self == nullptr) return;
    self->shown_part().place.set(static_cast<std::uint32_t>(stand_ins_.size()));
    self->shown_part().stands_in.set(true);
    to_people(*self).whose.set(seat_of::stand_in);
    self->own_part().limits.may_take = takes::everything;
    self->watched_part().takes_no_jobs.set(false);
    try {
        stand_ins_.push_back(start_thread_of(*self));
    } catch (...) {
        self->shown_part().stands_in.set(false);
        home_.seats().give_back(self->id());
        throw;
    }
    standing_in_.push_back(self);
    has_takers_.set(true);
}

// Where requests circulate no thread stands in, since a worker whose request circulates cannot be suspended.
void crew::lend_place() noexcept {
    const std::uint64_t places = lent_.add() + 1;
    if (pool::circulates()) return;
    try {
        const std::scoped_lock guard(mutex_);
        if (stand_ins_.size() < std::min<std::uint64_t>(places, home_.size())) start_stand_in();
        for (worker* const w : standing_in_)
            if (w->shown_part().place.get() < places) w->raise_and_wake(bits::news);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): nobody stands in
    }
}

// A stand-in that works sees at its next look that the place is taken back. No thread is woken for this.
void crew::take_back_place() noexcept {
    lent_.take_off();
    const std::scoped_lock guard(mutex_);
    for (worker* const w : standing_in_)
        if (!w->shared_part().attention.is_asleep()) w->shared_part().attention.raise(bits::news);
}

// The stand-in lets other workers take the jobs first, and waits for a while. A thread that sends a job tells it, as it
// tells all.
void crew::require_takers() noexcept {
    if (pool::circulates() || has_takers()) return;
    try {
        const std::scoped_lock guard(mutex_);
        if (stand_ins_.empty()) start_stand_in();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the thread that comes in next takes them
    }
    if (has_takers()) home_.tell_of_jobs();
}

}  // namespace parley::inline v0::threading
