#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

namespace {

// Without threads the tasks stay where they are until there are some; the next fork says why there are none.
void start_threads_for(worker& self) noexcept {
    if ((self.shown.attention.get() & protocol::bits::start) == 0) return;
    if (self.queued() == 0 && self.loops.to_split() == nullptr) return;
    try {
        self.home.start_threads();
    } catch (const std::exception&) {}
}

// A worker that takes no jobs could wait for ever for a task of its own that it has made a job: others may
// do the same. So the tasks that its wait would run, those that are not held, are put aside meanwhile. Not
// more than the deque has memory for when they come back.
class put_aside {
public:
    static constexpr std::size_t most = block::capacity;

    explicit put_aside(deque& tasks) : tasks_(tasks) {
        const std::size_t own = tasks_.size() - tasks_.held();
        if (own > most) throw std::bad_alloc();
        newest_first_.reserve(own);
        while (task* const t = tasks_.pop()) newest_first_.push_back(t);
    }
    ~put_aside() {
        for (std::size_t i = newest_first_.size(); i > 0; --i) tasks_.push(newest_first_[i - 1]);
    }
    put_aside(const put_aside&) = delete;
    put_aside& operator=(const put_aside&) = delete;

private:
    deque& tasks_;
    std::vector<task*> newest_first_;
};

// Regions that are shorter than this, as the worker's last one was, are not worth a thread's waking up.
constexpr auto worth_lending = std::chrono::microseconds(100);

void lend(worker& self) noexcept {
    if (!self.may_lend) return;
    const auto now = gain::clock::now();
    // Whoever rests in the lobby would take what there is; and there may be nobody for whom it could be.
    self.lends = !self.blocks_briefly && self.home.lobby.empty() && !self.is_to_go() &&
                 (self.shown.attention.get() & protocol::bits::start) == 0;
    self.blocked_since = now;
    if (self.lends) self.home.lend_place();
}

void take_back(worker& self) noexcept {
    if (!self.may_lend) return;
    self.blocks_briefly = gain::clock::now() - self.blocked_since < worth_lending;
    if (std::exchange(self.lends, false)) self.home.take_back_place();
}

void leave(worker& self) noexcept {
    lend(self);
    thread_medium medium(self);
    self.watched.takes_no_jobs.set(true);
    self.now_does(doing::parked);  // as far as the broker is concerned
    start_threads_for(self);
    // Whoever asks now gets tasks without a detour, and many at a time.
    self.serve_others();
    machine_of(self).withdraw(medium);
    if (!self.isolated && !self.draining) {
        self.home.hand_on_tasks(self);
        self.home.hand_on_loops(self);
        self.home.hand_on_all(self);
        return;
    }
    try {
        const put_aside own(self.tasks), own_high(self.high);
        self.home.hand_on_all(self);
    } catch (const std::bad_alloc&) {
        // The mailbox stays open. Who asks in vain goes elsewhere after a while (patience.hpp).
    }
}

void come_back(worker& self) noexcept {
    take_back(self);
    self.must_tidy = true;
    thread_medium medium(self);
    self.watched.takes_no_jobs.set(self.draining || self.may_take == takes::nothing);
    self.now_does(doing::useful);
    machine_of(self).enter(medium);
    // What was made meanwhile nobody has been offered.
    if (self.shown.attention.any()) ask_to_be_watched(self);
}

// With one worker there is nobody to take anything.
void begin(worker& self, bool may_lend) noexcept {
    if (self.blocking++ != 0 || self.home.size() == 1) return;
    self.may_lend = may_lend && !self.is_visiting();
    leave(self);
}

}  // namespace

void end_blocking(worker& self) noexcept {
    if (--self.blocking == 0 && self.home.size() > 1) come_back(self);
}

void begin_blocking(worker& self) noexcept { begin(self, true); }
void begin_visit(worker& self) noexcept { begin(self, false); }
void end_visit(worker& self) noexcept { end_blocking(self); }

void blocking_paused::pause() noexcept {
    self_.blocking = 0;
    if (self_.home.size() > 1) come_back(self_);
}

void blocking_paused::go_on() noexcept {
    self_.blocking = regions_;
    self_.may_lend = may_lend_;
    if (self_.home.size() > 1) leave(self_);
}

}  // namespace parley::inline v0::threading
