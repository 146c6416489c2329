#include <parley/detail/runtime/blocking.hpp>

#include <parley/detail/runtime/crew.hpp>
#include <parley/detail/runtime/handing_on.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/whole_worker.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <utility>

namespace parley::inline v0::threading {

namespace {

// Without threads the tasks stay where they are until threads start. The next fork throws the reason why they do not.
void start_threads_for(worker& self) noexcept {
    if ((self.shared_part().attention.get() & protocol::bits::start) == 0) return;
    if (self.queued() == 0 && self.own_part().loops.to_split() == nullptr) return;
    try {
        self.home().start_threads();
    } catch (const std::exception&) {}
}

// If the worker's last region was shorter than this, its next one is not worth waking up a thread.
constexpr auto worth_lending = std::chrono::microseconds(100);

void lend(worker& self) noexcept {
    if (!self.own_part().blocked.may_lend) return;
    const auto now = gain::clock::now();
    // No place is lent while a thief rests in the lobby, because that thief would take what there is. Nor is one lent
    // before the threads have started, since there may be nobody to use it.
    self.own_part().blocked.lends = !self.own_part().blocked.briefly && self.home().exchange().lobby.empty() &&
                                    !self.is_to_go() && (self.shared_part().attention.get() & protocol::bits::start) == 0;
    self.own_part().blocked.since = now;
    if (self.own_part().blocked.lends) self.home().crew().lend_place();
}

void take_back(worker& self) noexcept {
    if (!self.own_part().blocked.may_lend) return;
    self.own_part().blocked.briefly = gain::clock::now() - self.own_part().blocked.since < worth_lending;
    if (std::exchange(self.own_part().blocked.lends, false)) self.home().crew().take_back_place();
}

void leave(worker& self) noexcept {
    lend(self);
    thread_medium medium(self);
    self.watched_part().takes_no_jobs.set(true);
    self.now_does(doing::parked);  // this is what the broker is told
    start_threads_for(self);
    // Thieves that ask now get tasks at once, and many at a time.
    self.serve_others();
    machine_of(self).withdraw(medium);
    // What was made inside an isolated region stays. The region takes no jobs, and the others may block on what it keeps.
    if (self.own_part().limits.isolated) {
        hand_on_outside(self);
        become_nobodys_victim(self);
    } else if (self.own_part().limits.draining) {
        hand_on_held(self);  // the worker takes no jobs, so its own tasks stay for it
        become_nobodys_victim(self);
    } else {
        hand_on_tasks(self);
        hand_on_loops(self);
        hand_on_all(self);
    }
}

void come_back(worker& self) noexcept {
    take_back(self);
    self.own_part().must_tidy = true;
    thread_medium medium(self);
    self.watched_part().takes_no_jobs.set(self.own_part().limits.draining ||
                                          self.own_part().limits.may_take == takes::nothing);
    self.now_does(doing::useful);
    machine_of(self).enter(medium);
    // No worker has been offered the tasks that were made meanwhile.
    if (self.is_wanted()) ask_to_be_watched(self);
}

// If there is only one worker, nobody takes anything.
void begin(worker& self, bool may_lend) noexcept {
    self.own_part().weighs.look.at_once();  // it does not keep what it makes from now on
    if (self.own_part().blocked.regions++ != 0 || self.home().size() == 1) return;
    self.own_part().blocked.may_lend = may_lend && !self.is_visiting();
    leave(self);
}

}  // namespace

void end_blocking(worker& self) noexcept {
    if (--self.own_part().blocked.regions == 0 && self.home().size() > 1) come_back(self);
}

void begin_blocking(worker& self) noexcept { begin(self, true); }
void begin_visit(worker& self) noexcept { begin(self, false); }
void end_visit(worker& self) noexcept { end_blocking(self); }

void blocking_paused::pause() noexcept {
    self_.own_part().blocked.regions = 0;
    if (self_.home().size() > 1) come_back(self_);
}

void blocking_paused::go_on() noexcept {
    self_.own_part().blocked.regions = regions_;
    self_.own_part().blocked.may_lend = may_lend_;
    if (self_.home().size() > 1) leave(self_);
}

}  // namespace parley::inline v0::threading
