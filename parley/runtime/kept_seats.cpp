// Seats that threads outside keep between two words.
//
// Coming in and going costs some read-modify-writes and hands on what is left, which is many times what a word like
// spawn() costs inside. So in the default runtime, which lives as long as the process, a thread outside keeps the seat on
// which it sat down first, and what its words have made lies in that seat's deque until it comes back. Between two words
// it is nobody's victim: its mailbox is closed, and it has no request out.
//
// What is left in a kept seat is not lost to others. Whoever is about to sleep collects it (collect()), by taking the
// seat as long as its keeper is not there (channel/biased_lock.hpp). Nobody sleeps over it:
//   1. A keeper that leaves tasks behind says so (leaves_tasks), then leaves, then looks at its attention word.
//   2. A sleeper rings first: it deposits its request, or raises `collects` here, then looks at `leaves_tasks`.
//   3. `leaves_tasks` is set by a seq_cst store and both looks are seq_cst; so the keeper sees the bell, or the sleeper sees
//      `leaves_tasks`. A keeper that finds `leaves_tasks` set already does not set it again: then the sleeper sees it.
//   4. A sleeper that sees `leaves_tasks` takes the seat, or finds its keeper there; then the keeper's look in 1 is yet to come.
#include <parley/base/contract.hpp>
#include <parley/runtime/medium.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/seated.hpp>
#include <parley/runtime/worker.hpp>

namespace parley::inline v0::threading {

constinit thread_local worker* seat_kept = nullptr;

namespace {

// Keepers stop at the end of their thread. Not where exit() is called inside a word: what has begun there never ends.
struct at_end_of_thread {
    ~at_end_of_thread() {
        worker* const mine = seat_kept;
        if (mine == nullptr || current != nullptr || !mine->home.is_of_this_process()) return;
        if (!mine->seat.try_enter()) mine->seat.enter();
        current = innermost = mine;
        mine->home.stop_keeping(*mine);
        mine->home.leave(*mine);
    }
};

}  // namespace

bool pool::begin_keeping(worker& self) noexcept {
    if (keepers_.add() >= most_keepers) {
        keepers_.take_off();
        return false;
    }
    static thread_local const at_end_of_thread ends;
    (void)&ends;
    thread_medium medium(self);
    (void)protocol_of(self.id).leave(medium);  // it has just come: nothing is on its way
    if (!self.seat.try_enter()) self.seat.enter();
    self.must_tidy = false;
    self.keeps.set(true);
    self.watched.takes_no_jobs.set(true);  // it may be anywhere
    seat_kept = &self;
    return true;
}

// Then nobody else takes the seat.
void pool::stop_keeping(worker& self) noexcept {
    seat_kept = nullptr;
    keepers_.take_off();
    self.keeps.set(false);
    self.leaves_tasks.set(false);
    self.seat.leave();
}

// There is somebody who would take what is left, or waits for it. Whoever comes while this one serves is seen by the look
// after it has left again.
void worker::pause_in_time() noexcept {
    bool leaves_some = true;
    while (leaves_some && is_asked_for_what_is_left()) {
        if (!seat.try_enter()) seat.enter();
        current = innermost = this;
        serve_others();
        if ((shown.attention.get() & protocol::bits::collects) != 0) {
            shown.attention.lower(protocol::bits::collects);
            home.give_up_tasks(*this);
        }
        leaves_some = queued() != 0 || job != nullptr;
        if (!leaves_some) leaves_tasks.set(false);
        current = innermost = nullptr;
        seat.leave();
    }
}

void pool::collect(const worker& sleeper) noexcept {
    for (protocol::worker_id id = 0; id < seats(); ++id) {
        worker& w = at(id);
        if (&w == &sleeper || !w.keeps.get()) continue;
        if (!sleeper.takes_work()) w.shown.attention.raise(protocol::bits::collects);
        if (!w.leaves_tasks.get()) continue;
        (void)w.seat.use_if_left([&] {
            if (!w.keeps.get()) return;
            give_up_tasks(w);
            if (w.queued() == 0 && w.job == nullptr) w.leaves_tasks.set(false);
        });
    }
}

void in_kept_seat::tidy_and_pause(worker& self) noexcept {
    self.home.give_all_away(self);
    self.must_tidy = false;
    self.pause();
}

worker* seated::keeper_in(pool& home) noexcept {
    if (innermost != nullptr) return nullptr;
    const seated here(home);
    return here.at_.by == how::keeps ? &here.self() : nullptr;
}

seated::place seated::come_in(pool& home) noexcept {
    if (worker* const mine = seat_kept; innermost == nullptr && mine != nullptr && &mine->home == &home) {
        mine->seat.enter();
        current = innermost = mine;
        return {mine, how::keeps};
    }
    if (worker* const inside = worker_in(home)) {
        for (worker* w = innermost; w != inside; w = w->outer) begin_visit(*w);
        current = inside;
        return {inside, how::is_in};
    }
    const bool may_keep = home.lets_keep() && current == nullptr && seat_kept == nullptr;
    worker& self = home.enter();
    return {&self, may_keep && home.begin_keeping(self) ? how::keeps : how::comes_in};
}

void seated::go(place at, worker* before) noexcept {
    switch (at.by) {
        case how::is_in:
            current = before;
            for (worker* w = innermost; w != at.self; w = w->outer) end_visit(*w);
            break;
        case how::keeps: in_kept_seat::tidy_and_pause(*at.self); break;
        case how::comes_in: at.self->home.leave(*at.self); break;
    }
}

}  // namespace parley::inline v0::threading
