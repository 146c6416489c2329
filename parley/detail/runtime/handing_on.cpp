// Tasks that a worker gives up change owner as jobs: before its thread goes elsewhere, blocks, or is suspended.
#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

namespace {

namespace bits = protocol::bits;

// A task that its worker left behind, on its way to another, or one that is isolated (isolation.hpp).
struct handed_on : job {
    handed_on(task* t, bool within_isolation) noexcept : inner(t), isolated(within_isolation) { run = &run_inner; }
    static void run_inner(task* self, worker& w) {
        const handed_on me = *static_cast<handed_on*>(self);
        delete static_cast<handed_on*>(self);
        if (me.isolated) {
            const isolation here(w);
            me.inner->run(me.inner, w);
        } else {
            me.inner->run(me.inner, w);
        }
    }
    task* inner;
    bool isolated;
};

// All that was in a worker's deque: it changes owner by one message (BI §3, immediate suspension).
struct handed_on_deque : job {
    explicit handed_on_deque(std::size_t count) : tasks(count) { run = &unpack; }
    static void unpack(task* self, worker& w);
    std::vector<task*> tasks;  // newest first
};

// As it is, if it is such a message already. Null without memory for one.
[[nodiscard]] job* message_with(task* t, bool isolated) noexcept {
    if (t->run == &handed_on::run_inner) {
        auto* const message = static_cast<handed_on*>(t);
        message->isolated = message->isolated || isolated;
        return message;
    }
    if (t->run == &handed_on_deque::unpack && !isolated) return static_cast<job*>(t);
    return new (std::nothrow) handed_on(t, isolated);
}

void hand_on(pool& home, task* t, bool isolated, worker& self) noexcept {
    if (job* const j = message_with(t, isolated)) {
        home.submit(j);
        return;
    }
    const isolation here(self);  // it may wait, and must not be suspended
    self.run(t);
}

void hand_on_oldest(pool& home, deque& from, worker& self) noexcept {
    const bool isolated = self.is_inside(from);
    hand_on(home, from.take_oldest(), isolated, self);
}

// What is in the deque that it comes to may be newer, and wait for it: none of both may lie under the other
// (suspended.hpp). Then each goes on alone. Who only lends a hand takes one.
void handed_on_deque::unpack(task* self, worker& w) {
    std::unique_ptr<handed_on_deque> all(static_cast<handed_on_deque*>(self));
    if (!w.tasks.empty()) {
        for (; !all->tasks.empty(); all->tasks.pop_back()) hand_on(w.home, all->tasks.back(), false, w);
    } else if (w.is_to_go()) {
        task* const oldest = all->tasks.back();
        all->tasks.pop_back();
        if (!all->tasks.empty()) w.home.submit(all.release());
        w.run(oldest);
    } else {
        for (; !all->tasks.empty(); all->tasks.pop_back()) {
            try {
                w.tasks.push(all->tasks.back());
            } catch (const std::bad_alloc&) {
                hand_on(w.home, all->tasks.back(), false, w);
            }
        }
        w.hold_all();  // they come from elsewhere
        if (w.shown.attention.any()) ask_to_be_watched(w);
    }
}

// Of one stack: nothing is held. False: there is no memory for the message.
bool hand_on_whole(pool& home, worker& self) noexcept {
    try {
        auto all = std::make_unique<handed_on_deque>(self.tasks.size());
        for (std::size_t i = all->tasks.size(); i > 0; --i) all->tasks[i - 1] = self.tasks.take_oldest();
        home.submit(all.release());
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace

void keep_isolated(worker& self) noexcept {
    const auto isolated = [](task* t) noexcept {
        job* const j = message_with(t, true);
        return j != nullptr ? j : t;
    };
    self.tasks.replace_inside(isolated);
    self.high.replace_inside(isolated);
}

void pool::hand_on_all(worker& self) {
    thread_medium medium(self);
    hand_on_tasks(self);
    while (!machine_of(self).leave(medium)) {
        hand_on_tasks(self);  // of one answer, before the next can be received
        wait_a_moment();      // an answer is on its way
    }
    hand_on_tasks(self);
}

void pool::hand_on_tasks(worker& self) {
    const uninterrupted here(self.signals);
    while (!self.high.empty()) hand_on_oldest(*this, self.high, self);
    if (task* const t = std::exchange(self.job, nullptr)) hand_on(*this, t, false, self);
    while (!self.tasks.empty()) hand_on_oldest(*this, self.tasks, self);
    if (task* const message = std::exchange(self.isolated_message, nullptr))
        self.tasks.unpack(message, [&](task* t) { hand_on(*this, t, true, self); });
}

void pool::hand_on_outside(worker& self) {
    const uninterrupted here(self.signals);
    while (!self.high.empty() && !self.is_inside(self.high)) hand_on_oldest(*this, self.high, self);
    if (task* const t = std::exchange(self.job, nullptr)) hand_on(*this, t, false, self);
    while (!self.tasks.empty() && !self.is_inside(self.tasks)) hand_on_oldest(*this, self.tasks, self);
}

void pool::hand_on_loops(worker& self) {
    while (splittable* const s = self.loops.to_split()) {
        self.job = s->split(self, s->all());
        hand_on_tasks(self);
    }
}

void pool::give_up_loops(worker& self) noexcept {
    try {
        for (splittable* s = nullptr; self.job == nullptr && (s = self.loops.to_split()) != nullptr;) {
            task* const rest = s->split(self, s->all());
            if (job* const j = message_with(rest, s->isolated)) submit(j);
            else self.job = rest;
        }
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it goes on with them itself
    }
}

// A look gives up what it can, and runs nothing: its caller may hold a lock. Tasks of other stacks, which are held, go
// one by one: whoever received them together would run them on top of each other.
void pool::give_up_tasks(worker& self) noexcept {
    const uninterrupted here(self.signals);
    const auto hand_on_oldest = [&](deque& from) {
        job* const j = message_with(from.front(), self.is_inside(from));
        if (j == nullptr) return false;
        (void)from.take_oldest();
        submit(j);
        return true;
    };
    while (!self.high.empty() && hand_on_oldest(self.high)) {}
    if (self.job != nullptr) {
        if (job* const j = message_with(self.job, false)) {
            self.job = nullptr;
            submit(j);
        }
    }
    while (!self.tasks.empty() && (self.tasks.held() > 0 || self.tasks.size() == 1) && hand_on_oldest(self.tasks)) {}
    if (!self.tasks.empty() && self.tasks.held() == 0) (void)hand_on_whole(*this, self);
    give_up_loops(self);
    // That it has jobs to offer is no news to itself; whoever is to go looks at the queue before it sleeps.
    if (self.is_to_go()) self.shown.attention.lower(bits::jobs);
}

}  // namespace parley::inline v0::threading
