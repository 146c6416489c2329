// Seats that threads outside keep between two words.
//
// To come in and go costs some read-modify-writes, and what is left must be handed on. That is many times the cost of a
// word such as spawn(). So a thread outside keeps the seat of the default runtime on which it sat down first. That
// runtime lives as long as the process. The tasks that the thread's words have made lie in that seat's deque until it
// comes back. Between two words it is nobody's victim: its mailbox is closed, and it has no request out.
//
// Other workers can get the tasks that lie in a kept seat. A worker that is about to sleep collects them (collect()):
// it takes the seat, as long as the keeper is not there (sync/biased_lock.hpp). No worker sleeps over such tasks for
// longer than a moment:
//   1. A keeper that leaves tasks behind says so (leaves_tasks), then leaves, then looks whether any worker wants them.
//   2. A sleeper first says that it wants them, by a request in the lobby or, if it has none out, in `wanting_`. Then
//      it looks at `leaves_tasks`.
//   3. `leaves_tasks` is set by a seq_cst store, and all these looks are seq_cst. So the keeper sees what is wanted, or
//      the sleeper sees `leaves_tasks`.
//   4. A keeper that finds `leaves_tasks` set already does not set it again. Then the sleeper sees it.
//   5. A sleeper that sees `leaves_tasks` takes the seat, or finds the keeper there. In the second case the keeper's
//      look of step 1 is yet to come.
//
// Two kinds of workers leave these tasks where they are for a while. A thief that pauses, since what it got did not
// pay, sleeps for a moment only. A worker that gets work from elsewhere each time that it asks does not sleep. Both
// come for the tasks when they get work, every 10 ms (wanting.hpp). They have no request out that a keeper would see
// when it leaves. So they first say that the keeper must hand its tasks on (must_hand_on), and then try to take the
// seat. If the keeper is there, the barrier of its lock orders what they have said before the look of step 1.
//
// A suspended worker wants nothing as long as others may come by. It counts itself in `sitting_out_` instead. A keeper
// that sets `leaves_tasks` tells it, and it collects after a while (lending.hpp).
//
// A barrier may not end while tasks lie in a kept seat, and a keeper that is away does not say that it is idle. So the
// worker that scans looks into the seats (is_left_with_nothing()).
#include <parley/detail/runtime/kept_seats.hpp>

#include <parley/detail/base/contract.hpp>
#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/handing_on.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/seats.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cstddef>
#include <cstdint>

namespace parley::inline v0::threading {

constinit thread_local worker* seat_kept = nullptr;

namespace {

constinit thread_local bool thread_ends = false;  // after that, destructors of other variables must not keep a seat again

// A thread stops keeping its seat when it ends. If exit() is called inside a word it does not: what has begun there
// never ends.
struct at_end_of_thread {
    ~at_end_of_thread() {
        thread_ends = true;
        worker* const mine = seat_kept;
        if (mine == nullptr || current != nullptr || !mine->home().is_of_this_process()) return;
        if (!mine->seat_part().lock.try_enter()) mine->seat_part().lock.enter();
        current = innermost = mine;
        mine->home().kept().stop_keeping(*mine);
        mine->home().seats().leave(*mine);
    }
};

// All other threads come in and go with each word, so that there are seats for all.
constexpr std::uint32_t most_keepers = seats::most_visitors / 4;

}  // namespace

bool kept_seats::begin_keeping(worker& self) noexcept {
    if (thread_ends) return false;
    if (keepers_.add() >= most_keepers) {
        keepers_.take_off();
        return false;
    }
    static thread_local const at_end_of_thread ends;
    (void)&ends;
    thread_medium medium(self);
    (void)machine_of(self).leave(medium);  // the thread has just come in, so nothing is on its way
    if (!self.seat_part().lock.try_enter()) self.seat_part().lock.enter();
    self.own_part().must_tidy = false;
    self.seat_part().is_kept.set(true);
    self.watched_part().takes_no_jobs.set(true);  // between its words the keeper may be anywhere
    seat_kept = &self;
    return true;
}

// Called while the keeper sits there. From then on nobody else takes the seat.
void kept_seats::stop_keeping(worker& self) noexcept {
    seat_kept = nullptr;
    keepers_.take_off();
    self.seat_part().is_kept.set(false);
    self.seat_part().leaves_tasks.set(false);
    self.seat_part().lock.leave();
}

namespace {

// Ends what the worker has begun besides its tasks. The tasks may stay, as after a word that has not waited, except in
// two cases:
//   1. An answer is on its way.
//   2. Some tasks may not run on top of others. Such tasks are held. But if a suspended wait has ended here just now,
//      they may not be held any more.
void tidy(worker& kept) noexcept {
    kept.turn_away();
    const bool had_suspended = kept.own_part().suspended.any();
    finish_suspended(kept);
    const bool has_left = [&] {
        thread_medium medium(kept);
        return machine_of(kept).leave(medium);
    }();
    const bool has_plain_tasks_alone = !had_suspended && kept.own_part().high.empty() && kept.own_part().tasks.held() == 0 &&
                                       kept.own_part().in_hand.job == nullptr &&
                                       kept.own_part().in_hand.isolated_message == nullptr;
    if (!has_left || !has_plain_tasks_alone) hand_on_all(kept);
    kept.turn_away();
    kept.watched_part().takes_no_jobs.set(true);
    kept.own_part().must_tidy = false;
}

void begin_kept_visit(worker& kept) noexcept {
    begin_visit(*current);
    if (!kept.seat_part().lock.try_enter()) kept.seat_part().lock.enter();
    begin_as(kept);
}

void end_kept_visit(worker& kept) noexcept {
    give_all_away(kept);
    kept.watched_part().takes_no_jobs.set(true);
    kept.own_part().must_tidy = false;
    end_as(kept);
    kept.own_part().limits.may_take = kept.home().is_visitor(kept.id()) ? takes::jobs : takes::everything;
    to_people(kept).whose.set(seat_of::outside);
    kept.seat_part().leaves_tasks.set(false);  // all has been given away, and nobody says here that tasks are left
    kept.seat_part().lock.leave();
    kept.home().kept().tell_who_scans();
    end_visit(*current);
}

}  // namespace

void worker::say_that_tasks_are_left() noexcept {
    seat_.leaves_tasks.set(true);
    if (!home_.kept().any_sit_out()) return;
    for (protocol::worker_id other = 0; other < home_.seats().count(); ++other)
        if (home_.at(other).is_to_go()) home_.at(other).raise_and_wake_if(protocol::bits::wants_jobs, protocol::bits::jobs);
}

// A worker that comes while this one serves is seen by the look after leaving again.
void worker::pause_in_time() noexcept {
    while (seat_.leaves_tasks.own() && is_asked_for_what_is_left()) {
        if (!seat_.lock.try_enter()) seat_.lock.enter();
        current = innermost = this;
        const std::size_t before = queued();
        if (before != 0) serve_others();
        const bool must = seat_.must_hand_on.get();
        // A worker that comes from now on finds this one here, and the next look sees it.
        if (must) seat_.must_hand_on.set(false);
        if (must || home_.kept().are_wanted()) give_up_tasks(*this);
        // Without memory for jobs the worker runs the tasks.
        if (before != 0 && queued() == before && (must || is_asked_for_what_is_left())) hand_on_tasks(*this);
        if (own_.must_tidy) tidy(*this);
        const bool leaves_nothing = queued() == 0 && own_.in_hand.job == nullptr;
        if (leaves_nothing) seat_.leaves_tasks.set(false);
        current = innermost = nullptr;
        seat_.lock.leave();
        if (leaves_nothing) home_.kept().tell_who_scans();
    }
}

void kept_seats::tell_who_scans() noexcept {
    if (home_.exchange().barrier_open.get()) home_.at(home_.exchange().manager.get()).raise_and_wake(protocol::bits::scan);
}

bool kept_seats::leave_any_tasks() const noexcept {
    for (protocol::worker_id id = 0; id < home_.seats().count(); ++id)
        if (home_.at(id).seat_part().leaves_tasks.get()) return true;
    return false;
}

bool kept_seats::collect_from(worker& kept) noexcept {
    bool has_got_all = true;
    (void)kept.seat_part().lock.use_if_left([&] {
        kept.seat_part().must_hand_on.set(false);  // the worker that has said so gets the tasks now, or comes again
        if (!kept.seat_part().is_kept.get()) return;
        give_up_tasks(kept);
        if (kept.queued() == 0 && kept.own_part().in_hand.job == nullptr) {
            kept.seat_part().leaves_tasks.set(false);
            // A barrier may have set leaves_tasks, and the keeper, which would tell, does not see that any more.
            tell_who_scans();
        } else {
            has_got_all = false;
        }
    });
    return has_got_all;
}

bool kept_seats::collect(const worker& sleeper) noexcept {
    bool has_got_all = true;
    for (protocol::worker_id id = 0; id < home_.seats().count(); ++id) {
        worker& w = home_.at(id);
        if (&w != &sleeper && w.seat_part().leaves_tasks.get() && w.seat_part().is_kept.get())
            has_got_all &= collect_from(w);
    }
    return has_got_all;
}

void kept_seats::collect_beside_work(const worker& self) noexcept {
    for (protocol::worker_id id = 0; id < home_.seats().count(); ++id) {
        worker& w = home_.at(id);
        if (&w == &self || !w.seat_part().leaves_tasks.get() || !w.seat_part().is_kept.get()) continue;
        if (w.seat_part().must_hand_on.get()) continue;  // another worker has just come, or the keeper has not left since
        w.seat_part().must_hand_on.set(true);
        (void)collect_from(w);
    }
}

bool kept_seats::is_left_with_nothing(worker& kept) noexcept {
    kept.say_that_tasks_are_left();  // if a keeper is there, it looks after leaving
    bool is_so = false;
    (void)kept.seat_part().lock.use_if_left([&] {
        if (!kept.seat_part().is_kept.get()) return kept.seat_part().leaves_tasks.set(false);
        give_up_tasks(kept);
        is_so = kept.queued() == 0 && kept.own_part().in_hand.job == nullptr;
        if (is_so) kept.seat_part().leaves_tasks.set(false);
    });
    return is_so;
}

void in_kept_seat::tidy_and_pause(worker& self) noexcept {
    tidy(self);
    self.pause();
}

worker* seated::keeper_in(pool& home) noexcept {
    if (innermost != nullptr) return nullptr;
    const seated here(home);
    return here.at_.by == how::keeps ? &here.self() : nullptr;
}

seated::place seated::come_in(pool& home) noexcept {
    if (worker* const inside = worker_in(home)) {
        for (worker* w = innermost; w != inside; w = w->outer()) begin_visit(*w);
        current = inside;
        return {inside, how::is_in};
    }
    if (worker* const mine = seat_kept; mine != nullptr && &mine->home() == &home) {
        if (current != nullptr) {
            begin_kept_visit(*mine);
            return {mine, how::keeps_and_visits};
        }
        mine->seat_part().lock.enter();
        current = innermost = mine;
        return {mine, how::keeps};
    }
    const bool may_keep = home.kept().are_allowed() && current == nullptr && seat_kept == nullptr;
    worker& self = home.seats().enter();
    return {&self, may_keep && home.kept().begin_keeping(self) ? how::keeps : how::comes_in};
}

void seated::go(place at, worker* before) noexcept {
    switch (at.by) {
        case how::is_in:
            current = before;
            for (worker* w = innermost; w != at.self; w = w->outer()) end_visit(*w);
            break;
        case how::keeps_and_visits: end_kept_visit(*at.self); break;
        case how::keeps: in_kept_seat::tidy_and_pause(*at.self); break;
        case how::comes_in: at.self->home().seats().leave(*at.self); break;
    }
}

}  // namespace parley::inline v0::threading
