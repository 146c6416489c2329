// Threads that work in the place of workers that block.
//
// A worker in a blocking region lends its place: as many workers as before run, so no core is idle because its worker
// reads a file. A stand-in is a visitor (seats.cpp) with a thread of the pool's own and everything that a worker may do.
// It is suspended (suspension.hpp) unless a place is lent. So it also takes jobs that nobody else would take: where a
// runtime has one worker, whose seat is empty, a task of another runtime may wait for such a job.
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/suspension.hpp>
#include <parley/detail/runtime/thread.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>

namespace parley::inline v0::threading {

namespace bits = protocol::bits;

bool pool::must_go(const worker& self) const noexcept {
    if (!is_visitor(self.id)) return true;
    return self.stands_in.get() && self.place.get() >= lent_.get();
}

// Under visitors_mutex_.
void pool::start_stand_in() {
    stand_ins_.reserve(stand_ins_.size() + 1);
    standing_in_.reserve(stand_ins_.size() + 1);
    worker* self = nullptr;
    if (free_visitors_.empty()) {
        self = make_visitor(most_visitors);
        if (self == nullptr) return;
    } else {
        self = &at(free_visitors_.back());
        free_visitors_.pop_back();
    }
    self->place.set(static_cast<std::uint32_t>(stand_ins_.size()));
    self->stands_in.set(true);
    self->to_people.whose.set(seat_of::stand_in);
    self->may_take = takes::everything;
    self->watched.takes_no_jobs.set(false);
    try {
        stand_ins_.push_back(start_thread(settings_.stack_size, self, [](void* s) -> void* {
            auto& me = *static_cast<worker*>(s);
            me.home.thread_main(me);
            return nullptr;
        }));
    } catch (...) {
        self->stands_in.set(false);
        free_visitors_.push_back(self->id);
        throw;
    }
    standing_in_.push_back(self);
    has_takers_.set(true);
}

// Not where requests circulate: whose request circulates cannot be suspended.
void pool::lend_place() noexcept {
    const std::uint64_t places = lent_.add() + 1;
    if (circulates()) return;
    try {
        const std::scoped_lock guard(visitors_mutex_);
        if (stand_ins_.size() < std::min<std::uint64_t>(places, size())) start_stand_in();
        for (worker* const w : standing_in_)
            if (w->place.get() < places) w->raise_and_wake(bits::news);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): nobody stands in
    }
}

// A stand-in that works sees it at its next look; nobody is woken for this.
void pool::take_back_place() noexcept {
    lent_.take_off();
    const std::scoped_lock guard(visitors_mutex_);
    for (worker* const w : standing_in_)
        if (!w->shown.attention.is_asleep()) w->shown.attention.raise(bits::news);
}

// It lets the others take them first, with patience. Whoever sends a job tells it, as everybody.
void pool::require_takers() noexcept {
    if (circulates() || has_takers()) return;
    try {
        const std::scoped_lock guard(visitors_mutex_);
        if (stand_ins_.empty()) start_stand_in();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): whoever comes in next takes them
    }
    if (has_takers()) tell_of_jobs();
}

}  // namespace parley::inline v0::threading
