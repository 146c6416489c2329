#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/runtime/handing_on.hpp>

#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

namespace {

namespace bits = protocol::bits;

// A task that its worker has given up, on its way to another one, or a task that is isolated (isolation.hpp).
struct handed_on : job {
    handed_on(task* t, std::uint64_t of_isolation) noexcept : inner(t), region(of_isolation) { run = &run_inner; }
    static void run_inner(task* self, worker& w) {
        const handed_on me = *static_cast<handed_on*>(self);
        delete static_cast<handed_on*>(self);
        if (me.region != 0) {
            const isolation here(w, me.region);
            me.inner->run(me.inner, w);
        } else {
            me.inner->run(me.inner, w);
        }
    }
    task* inner;
    std::uint64_t region;  // 0: it is not isolated
};

// All tasks of a worker's deque, which change owner by one message (BI §3, immediate suspension).
struct handed_on_deque : job {
    explicit handed_on_deque(std::size_t count) : tasks(count) { run = &unpack; }
    static void unpack(task* self, worker& w);
    std::vector<task*> tasks;  // newest first
};

// Puts a task into a message. If the task is such a message already, returns it as it is. Null: there is no memory for
// one.
[[nodiscard]] job* message_with(task* t, std::uint64_t region) noexcept {
    if (t->run == &handed_on::run_inner) {
        auto* const message = static_cast<handed_on*>(t);
        if (message->region == 0) message->region = region;
        return message;
    }
    if (t->run == &handed_on_deque::unpack && region == 0) return static_cast<job*>(t);
    return new (std::nothrow) handed_on(t, region);
}

void hand_on(task* t, std::uint64_t region, worker& self) noexcept {
    if (job* const j = message_with(t, region)) {
        self.home().submit(j);
        return;
    }
    const isolation here(self, region);  // the task may wait, and must not be suspended
    self.run(t);
}

void hand_on_oldest(deque& from, worker& self) noexcept {
    const std::uint64_t region = self.own_part().region_of(from);
    hand_on(from.take_oldest(), region, self);
}

void hand_on_what_is_in_hand(worker& self) noexcept {
    if (task* const t = std::exchange(self.own_part().in_hand.job, nullptr)) hand_on(t, 0, self);
    hand_on_message(self);
}

// Tasks in the receiver's deque may be newer than those of the message, and may wait for them. Neither may run on top
// of the other (suspended_waits.hpp). So each task of the message goes on alone then. A worker that only lends a hand
// takes one of them.
void handed_on_deque::unpack(task* self, worker& w) {
    std::unique_ptr<handed_on_deque> all(static_cast<handed_on_deque*>(self));
    if (!w.own_part().tasks.empty()) {
        for (; !all->tasks.empty(); all->tasks.pop_back()) hand_on(all->tasks.back(), 0, w);
    } else if (w.is_to_go()) {
        task* const oldest = all->tasks.back();
        all->tasks.pop_back();
        if (!all->tasks.empty()) w.home().submit(all.release());
        w.run(oldest);
    } else {
        for (; !all->tasks.empty(); all->tasks.pop_back()) {
            try {
                w.push(all->tasks.back());
            } catch (const std::bad_alloc&) {
                hand_on(all->tasks.back(), 0, w);
            }
        }
        w.hold_all();  // they come from elsewhere
        if (w.is_wanted()) ask_to_be_watched(w);
    }
}

// The medium of a worker that hands on the answers that come. They go past its deque, whose tasks may have to stay.
class passing_medium : public thread_medium {
public:
    explicit passing_medium(worker& self) noexcept : thread_medium(self) { goes_past_ = &come_; }

    // The answer that has come is handed on before the next one is received.
    bool has_tasks() const noexcept { return come_.tasks != nullptr; }
    void hand_on() {
        if (task* const message = std::exchange(come_.tasks, nullptr))
            self_.own_part().tasks.unpack(message, [this](task* t) { threading::hand_on(t, come_.region, self_); });
    }

private:
    parcel come_{};
};

// The tasks must be those of one stack, so that none is held. False: there is no memory for the message.
bool hand_on_whole(worker& self) noexcept {
    try {
        auto all = std::make_unique<handed_on_deque>(self.own_part().tasks.size());
        for (std::size_t i = all->tasks.size(); i > 0; --i) all->tasks[i - 1] = self.own_part().tasks.take_oldest();
        self.home().submit(all.release());
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void give_up_loops(worker& self) noexcept {
    try {
        for (splittable* s = nullptr;
             self.own_part().in_hand.job == nullptr && (s = self.own_part().loops.to_split()) != nullptr;) {
            task* const rest = s->split(self, s->all());
            if (job* const j = message_with(rest, s->region)) self.home().submit(j);
            else self.own_part().in_hand.job = rest;
        }
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it goes on with them itself
    }
}

}  // namespace

std::uint64_t isolation_of(const task* j) noexcept {
    return j->run == &handed_on::run_inner ? static_cast<const handed_on*>(j)->region : 0;
}

void keep_isolated(worker& self) noexcept {
    const auto isolated = [&self](task* t) noexcept {
        job* const j = message_with(t, self.own_part().limits.region);
        return j != nullptr ? j : t;
    };
    self.own_part().tasks.replace_inside(isolated);
    self.own_part().high.replace_inside(isolated);
}

void hand_on_message(worker& self) {
    if (task* const message = std::exchange(self.own_part().in_hand.isolated_message, nullptr))
        self.own_part().tasks.unpack(message,
                                     [&, in = self.own_part().in_hand.isolated_in](task* t) { hand_on(t, in, self); });
}

void hand_on_all(worker& self) {
    hand_on_tasks(self);
    become_nobodys_victim(self);
    hand_on_tasks(self);  // the worker had to run tasks if there was no memory to hand them on
}

void become_nobodys_victim(worker& self) {
    passing_medium medium(self);
    while (!machine_of(self).leave(medium)) {
        medium.hand_on();
        wait_a_moment();  // an answer is on its way
    }
    medium.hand_on();
}

void hand_on_answers(worker& self) {
    passing_medium medium(self);
    while (machine_of(self).receive(medium)) medium.hand_on();
}

void hand_on_tasks(worker& self) {
    const uninterrupted here(self.own_part().signals);
    while (!self.own_part().high.empty()) hand_on_oldest(self.own_part().high, self);
    hand_on_what_is_in_hand(self);
    while (!self.own_part().tasks.empty()) hand_on_oldest(self.own_part().tasks, self);
}

void hand_on_held(worker& self) {
    const uninterrupted here(self.own_part().signals);
    while (self.own_part().high.held() > 0) hand_on_oldest(self.own_part().high, self);
    hand_on_what_is_in_hand(self);
    while (self.own_part().tasks.held() > 0) hand_on_oldest(self.own_part().tasks, self);
}

void hand_on_outside(worker& self) {
    const uninterrupted here(self.own_part().signals);
    while (!self.own_part().high.empty() && !self.own_part().is_inside(self.own_part().high))
        hand_on_oldest(self.own_part().high, self);
    hand_on_what_is_in_hand(self);
    while (!self.own_part().tasks.empty() && !self.own_part().is_inside(self.own_part().tasks))
        hand_on_oldest(self.own_part().tasks, self);
    while (splittable* const s = self.own_part().loops.to_split_outside()) hand_on(s->split(self, s->all()), 0, self);
}

void hand_on_loops(worker& self) {
    while (splittable* const s = self.own_part().loops.to_split()) {
        self.own_part().in_hand.job = s->split(self, s->all());
        hand_on_tasks(self);
    }
}

// A look at the attention word may call this, while its caller holds a lock. So it gives up what it can, and runs
// nothing. Held tasks are those of other stacks, and go one by one. A worker that received them together would run them
// on top of each other.
void give_up_tasks(worker& self) noexcept {
    const uninterrupted here(self.own_part().signals);
    const auto hand_on_oldest = [&](deque& from) {
        job* const j = message_with(from.front(), self.own_part().region_of(from));
        if (j == nullptr) return false;
        (void)from.take_oldest();
        self.home().submit(j);
        return true;
    };
    while (!self.own_part().high.empty() && hand_on_oldest(self.own_part().high)) {}
    if (self.own_part().in_hand.job != nullptr) {
        if (job* const j = message_with(self.own_part().in_hand.job, 0)) {
            self.own_part().in_hand.job = nullptr;
            self.home().submit(j);
        }
    }
    while (!self.own_part().tasks.empty() && (self.own_part().tasks.held() > 0 || self.own_part().tasks.size() == 1) &&
           hand_on_oldest(self.own_part().tasks)) {}
    if (!self.own_part().tasks.empty() && self.own_part().tasks.held() == 0) (void)hand_on_whole(self);
    give_up_loops(self);
    // The worker's own jobs are no news to it. A worker that is to go looks at the queue before it sleeps.
    if (self.is_to_go()) self.shared_part().attention.lower(bits::jobs);
}

// No other thread can go on with what this one has begun. So it ends that, and gives others what it has not begun.
void finish_suspended(worker& self) noexcept {
    if (!self.own_part().suspended.any()) return;
    self.own_part().limits.draining = self.home().size() > 1;
    self.watched_part().takes_no_jobs.set(self.own_part().limits.draining);
    if (self.own_part().limits.draining) hand_on_tasks(self);
    wait(
        self, protocol::standing::between_tasks, awaited::own_suspended_waits,
        [](const void* w) { return !static_cast<const worker*>(w)->own_part().suspended.any(); }, &self);
    self.own_part().limits.draining = false;
    self.watched_part().takes_no_jobs.set(self.own_part().blocked.regions != 0);
}

void give_all_away(worker& self) noexcept {
    self.turn_away();
    finish_suspended(self);
    hand_on_all(self);
    self.turn_away();
}

}  // namespace parley::inline v0::threading
