// Seats that threads outside keep between two words.
//
// Coming in and going costs some read-modify-writes and hands on what is left, which is many times what a word like
// spawn() costs inside. So in the default runtime, which lives as long as the process, a thread outside keeps the seat on
// which it sat down first, and what its words have made lies in that seat's deque until it comes back. Between two words
// it is nobody's victim: its mailbox is closed, and it has no request out.
//
// What is left in a kept seat is not lost to others. Whoever is about to sleep collects it (collect()), by taking the
// seat as long as its keeper is not there (sync/biased_lock.hpp). Nobody sleeps over it for longer than a moment:
//   1. A keeper that leaves tasks behind says so (leaves_tasks), then leaves, then looks whether anybody wants them.
//   2. A sleeper says first that it wants them, by a request in the lobby or, if it has none out, in `wanting`, and then
//      looks at `leaves_tasks`.
//   3. `leaves_tasks` is set by a seq_cst store and all looks are seq_cst; so the keeper sees what is wanted, or the sleeper
//      sees `leaves_tasks`. A keeper that finds `leaves_tasks` set already does not set it again: then the sleeper sees it.
//   4. A sleeper that sees `leaves_tasks` takes the seat, or finds its keeper there; then the keeper's look in 1 is yet to
//   come.
// A thief that pauses, since what it got did not pay, leaves these tasks, too, where they are: its sleep ends by itself. And
// one that gets work from elsewhere each time that it asks does not sleep for want of it. Both come for them with what they
// get, every 10 ms (wanting.hpp). They have no request out that a keeper would see when it leaves, so they say first that it
// must hand its tasks on (must_hand_on), and then try to take the seat. If the keeper is there, the barrier of its lock
// orders what they have said before its look in 1.
// Who is suspended wants nothing as long as others may come by. It counts itself in `sitting_out` instead; a keeper that
// sets `leaves_tasks` tells it, and it collects after a while (suspension.hpp).
// A barrier may not end while tasks lie there, and a keeper that is away does not say that it is idle: who scans looks into
// the seats (is_left_with_nothing()).
#include <parley/detail/base/contract.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <cstddef>

namespace parley::inline v0::threading {

constinit thread_local worker* seat_kept = nullptr;

namespace {

constinit thread_local bool thread_ends = false;  // what is destroyed later keeps no seat again

// Keepers stop at the end of their thread. Not where exit() is called inside a word: what has begun there never ends.
struct at_end_of_thread {
    ~at_end_of_thread() {
        thread_ends = true;
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
    if (thread_ends) return false;
    if (keepers_.add() >= most_keepers) {
        keepers_.take_off();
        return false;
    }
    static thread_local const at_end_of_thread ends;
    (void)&ends;
    thread_medium medium(self);
    (void)machine_of(self).leave(medium);  // it has just come: nothing is on its way
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

void worker::say_that_tasks_are_left() noexcept {
    leaves_tasks.set(true);
    if (home.sitting_out.get() == 0) return;
    for (protocol::worker_id other = 0; other < home.seats(); ++other)
        if (home.at(other).is_to_go()) home.at(other).raise_and_wake_if(protocol::bits::wants_jobs, protocol::bits::jobs);
}

// Whoever comes while this one serves is seen by the look after it has left again.
void worker::pause_in_time() noexcept {
    while (leaves_tasks.own() && is_asked_for_what_is_left()) {
        if (!seat.try_enter()) seat.enter();
        current = innermost = this;
        const std::size_t before = queued();
        if (before != 0) serve_others();
        const bool must = must_hand_on.get();
        if (must) must_hand_on.set(false);  // who comes from now on finds this one here, and is seen by the next look
        if (must || home.wanting.get() != 0) home.give_up_tasks(*this);
        // Without memory for jobs it runs them.
        if (before != 0 && queued() == before && (must || is_asked_for_what_is_left())) home.hand_on_tasks(*this);
        if (must_tidy) home.tidy(*this);
        const bool leaves_nothing = queued() == 0 && job == nullptr;
        if (leaves_nothing) leaves_tasks.set(false);
        current = innermost = nullptr;
        seat.leave();
        if (leaves_nothing) home.tell_who_scans();
    }
}

void pool::tell_who_scans() noexcept {
    if (barrier_open.get()) at(manager.get()).raise_and_wake(protocol::bits::scan);
}

bool pool::leaves_any_tasks() const noexcept {
    for (protocol::worker_id id = 0; id < seats(); ++id)
        if (at(id).leaves_tasks.get()) return true;
    return false;
}

bool pool::collect_from(worker& kept) noexcept {
    bool has_got_all = true;
    (void)kept.seat.use_if_left([&] {
        kept.must_hand_on.set(false);  // who has said so has its tasks taken here, or comes again
        if (!kept.keeps.get()) return;
        give_up_tasks(kept);
        if (kept.queued() == 0 && kept.job == nullptr) {
            kept.leaves_tasks.set(false);
            tell_who_scans();  // the keeper, which would, does not see any more that a barrier has set it
        } else {
            has_got_all = false;
        }
    });
    return has_got_all;
}

bool pool::collect(const worker& sleeper) noexcept {
    bool has_got_all = true;
    for (protocol::worker_id id = 0; id < seats(); ++id) {
        worker& w = at(id);
        if (&w != &sleeper && w.leaves_tasks.get() && w.keeps.get()) has_got_all &= collect_from(w);
    }
    return has_got_all;
}

void pool::collect_beside_work(const worker& self) noexcept {
    for (protocol::worker_id id = 0; id < seats(); ++id) {
        worker& w = at(id);
        if (&w == &self || !w.leaves_tasks.get() || !w.keeps.get()) continue;
        if (w.must_hand_on.get()) continue;  // somebody else has just come, or its keeper has not left since
        w.must_hand_on.set(true);
        (void)collect_from(w);
    }
}

bool pool::is_left_with_nothing(worker& kept) noexcept {
    kept.say_that_tasks_are_left();  // whoever is there looks, after leaving
    bool is_so = false;
    (void)kept.seat.use_if_left([&] {
        if (!kept.keeps.get()) return kept.leaves_tasks.set(false);
        give_up_tasks(kept);
        is_so = kept.queued() == 0 && kept.job == nullptr;
        if (is_so) kept.leaves_tasks.set(false);
    });
    return is_so;
}

void in_kept_seat::tidy_and_pause(worker& self) noexcept {
    self.home.tidy(self);
    self.pause();
}

// Tasks may stay, as after a word that has not waited, unless an answer is on its way, or some may not run on top of
// others: those are held, but where a suspended wait has ended here just now nobody holds them any more.
void pool::tidy(worker& kept) noexcept {
    kept.turn_away();
    const bool had_suspended = kept.suspended.any();
    finish_suspended(kept);
    const bool has_left = [&] {
        thread_medium medium(kept);
        return machine_of(kept).leave(medium);
    }();
    const bool has_plain_tasks_alone = !had_suspended && kept.high.empty() && kept.tasks.held() == 0 &&
                                       kept.job == nullptr && kept.isolated_message == nullptr;
    if (!has_left || !has_plain_tasks_alone) hand_on_all(kept);
    kept.turn_away();
    kept.watched.takes_no_jobs.set(true);
    kept.must_tidy = false;
}

void pool::begin_kept_visit(worker& kept) noexcept {
    begin_visit(*current);
    if (!kept.seat.try_enter()) kept.seat.enter();
    begin_as(kept);
}

void pool::end_kept_visit(worker& kept) noexcept {
    give_all_away(kept);
    kept.watched.takes_no_jobs.set(true);
    kept.must_tidy = false;
    end_as(kept);
    kept.may_take = is_visitor(kept.id) ? takes::jobs : takes::everything;
    kept.to_people.whose.set(seat_of::outside);
    kept.leaves_tasks.set(false);  // all has been given away: nobody says here that there is any
    kept.seat.leave();
    tell_who_scans();
    end_visit(*current);
}

worker* seated::keeper_in(pool& home) noexcept {
    if (innermost != nullptr) return nullptr;
    const seated here(home);
    return here.at_.by == how::keeps ? &here.self() : nullptr;
}

seated::place seated::come_in(pool& home) noexcept {
    if (worker* const inside = worker_in(home)) {
        for (worker* w = innermost; w != inside; w = w->outer) begin_visit(*w);
        current = inside;
        return {inside, how::is_in};
    }
    if (worker* const mine = seat_kept; mine != nullptr && &mine->home == &home) {
        if (current != nullptr) {
            home.begin_kept_visit(*mine);
            return {mine, how::keeps_and_visits};
        }
        mine->seat.enter();
        current = innermost = mine;
        return {mine, how::keeps};
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
        case how::keeps_and_visits: at.self->home.end_kept_visit(*at.self); break;
        case how::keeps: in_kept_seat::tidy_and_pause(*at.self); break;
        case how::comes_in: at.self->home.leave(*at.self); break;
    }
}

}  // namespace parley::inline v0::threading
