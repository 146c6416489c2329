// The loop behind runtime/wait.hpp, as a template over its condition: a scope's is looked at after each
// of its tasks and must be inlined there.
#pragma once

#include <parley/runtime/medium.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/relax.hpp>
#include <parley/runtime/worker.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

// Unanswered after this long, a request rests in the lobby (the time D of the protocol). Several
// times what a victim that looks takes to answer.
inline constexpr auto patience_with_victim = std::chrono::microseconds(10);

// About two wake-ups' worth: a futex round trip takes 10 to 20 us here, and who spins as long as
// sleeping would cost is at most twice as slow as who knew (Karlin et al. 1991).
inline constexpr auto patience = std::chrono::microseconds(40);

// Looking at the clock costs as much as a few turns.
inline constexpr unsigned turns_per_look = 8;

// Waits on top of each other. Some 100 KiB of stack, if the tasks themselves need little.
inline constexpr std::uint32_t deepest_on_one_stack = 256;

// How long a worker has found nothing to do.
class spinning {
public:
    // From `rest` on the spinning thread gives way to others: with more threads than cores, the
    // victim that is to answer may be waiting for this very core.
    enum class advice : std::uint8_t { spin, rest, sleep };

    void restart() noexcept {
        turns_ = 0;
        last_ = advice::spin;
    }

    advice next() noexcept {
        if (last_ == advice::spin && turns_++ % turns_per_look != 0) return advice::spin;
        const auto now = std::chrono::steady_clock::now();
        if (turns_ == 1) since_ = now;
        last_ = now - since_ >= patience               ? advice::sleep
                : now - since_ >= patience_with_victim ? advice::rest
                                                       : advice::spin;
        return last_;
    }

private:
    unsigned turns_ = 0;
    advice last_ = advice::spin;
    std::chrono::steady_clock::time_point since_;
};

// What is waited for. may_hold() is asked after each task and must be cheap; where it says no, the
// condition does not hold, or holds by something that raises this worker's attention.
template <class C>
concept condition = requires(C c) {
    { c() } -> std::same_as<bool>;
    { c.may_hold() } -> std::same_as<bool>;
};

// What a helper waits for (see suspended.hpp).
struct another_can_go_on {
    worker* self;
    bool operator()() const { return self->suspended.ready() != nullptr; }
    // Now and then: most tasks make no difference, and where others do, news comes.
    bool may_hold() const { return ++looked % tasks_per_look == 0; }
    static constexpr unsigned tasks_per_look = 16;
    mutable unsigned looked = 0;
};

// A suspended wait that can go on, for a loop that waits for something else: a helper has just looked.
template <condition Condition>
suspended_wait* another_ready(const worker& self) {
    if constexpr (std::same_as<Condition, another_can_go_on>) return nullptr;
    else return self.may_switch() ? self.suspended.ready() : nullptr;
}

// How often a worker that asks nobody because it has begun too much looks for jobs from outside: nobody
// would tell it of them (I8).
inline constexpr auto nap = std::chrono::milliseconds(20);

// Sleeps unless what is waited for here has come, or somebody else has something to say.
template <condition Condition>
void sleep(worker& self, thread_medium& medium, protocol::asking asking, Condition& done) {
    protocol_worker& machine = self.home.protocol_of(self.id);
    if (!machine.go_to_sleep(medium, asking)) return;
    if (!done() && another_ready<Condition>(self) == nullptr) {
        if (asking == protocol::asking::nothing) {
            if (self.isolated) medium.sleep();  // what is waited for will tell
            else medium.sleep_for(self.suspended.many() ? nap : self.steals.left(gain::clock::now()));
        } else {
            self.steals.forget();
            medium.sleep();
        }
    }
    machine.wake_up(medium);
    self.count.wakes.add();
}

// What to ask for, given how stealing went so far.
inline protocol::asking judge(gain& steals) {
    if (!steals.undecided() && !steals.in_doubt()) return protocol::asking::as_strategy;
    const auto now = gain::clock::now();
    steals.judge(now);
    return steals.in_doubt() ? steals.ask_for(now) : protocol::asking::as_strategy;
}

// Runs the tasks of the own deque; true if there was any. Between tasks thieves are served, too:
// leaves that never fork must not keep them waiting (TH figure 3.2).
template <condition Condition>
[[gnu::always_inline]] inline bool run_own_tasks(worker& self, Condition& done) {
    task* t = self.tasks.pop();
    if (t == nullptr) return false;
    do {
        t->run(t, self);
        if (self.shown.attention.any()) [[unlikely]] {
            thread_medium medium(self);
            self.home.protocol_of(self.id).serve(medium);
            break;
        }
        if (done.may_hold()) break;
        t = self.tasks.pop();
    } while (t != nullptr);
    return true;
}

// Does what comes from elsewhere on another stack until some suspended wait can go on.
void help(worker& self);

// Goes on with another wait, or with held tasks on another stack. False: there is neither.
template <condition Condition>
bool let_go_of_stack(worker& self, protocol::standing where, Condition& done) {
    const bool in_task = where == protocol::standing::in_task;
    // Where nothing lies below that a task could need, any task may run, and the loop always goes on.
    suspended_wait here{
        [](void* c) { return (*static_cast<Condition*>(c))(); }, &done, nullptr};
    if (!in_task) here.holds = [](void*) { return true; };
    const std::uint32_t depth = self.depth;
    const std::uint32_t spawned_inline = self.spawned_inline;
    fiber* helper = nullptr;
    if (suspended_wait* const other = another_ready<Condition>(self)) {
        if (done()) return true;
        self.suspended.suspend(here, *other);
    } else if (self.tasks.empty()) {
        return false;
    } else if (in_task && self.may_switch() &&
               (helper = self.suspended.helper(self, &help)) != nullptr) {
        self.suspended.suspend(here, *helper);
    } else {
        self.tasks.let_go();
        return true;
    }
    self.depth = depth;
    self.spawned_inline = spawned_inline;
    self.tasks.hold_all();
    return true;
}

// A sleeper gives nothing, and an isolated one takes nothing.
inline void give_everything(worker& self, thread_medium& medium) {
    protocol_worker& machine = self.home.protocol_of(self.id);
    machine.withdraw(medium);
    self.home.hand_on_tasks(self);
    if (machine.receive(medium)) self.home.hand_on_tasks(self);
}

// Iterations of loops that this worker is in, further down on some stack: they are older than the wait.
inline bool take_from_own_loop(worker& self) {
    splittable* const s = self.loops.to_split();
    if (s == nullptr) return false;
    self.tasks.push(s->split_off(*s, self, s->end - s->next - (s->end - s->next) / 2));
    return true;
}

// One turn without own tasks: asks others, or spins, rests or sleeps. Not inlined: most waits end without
// it, and what it needs would be prepared for all of them.
template <condition Condition>
[[gnu::noinline]] void look_elsewhere(worker& self, protocol::standing where, Condition& done,
                                      spinning& idle) {
    self.turn_away();
    if (!self.isolated && let_go_of_stack(self, where, done)) {
        idle.restart();
        return;
    }
    if (!self.isolated && take_from_own_loop(self)) return;
    thread_medium medium(self);
    protocol_worker& machine = self.home.protocol_of(self.id);
    const protocol::asking asking = self.isolated || self.suspended.many()
                                        ? protocol::asking::nothing
                                        : judge(self.steals);
    // A suspended task is unfinished work (I4).
    const protocol::standing shown =
        self.suspended.any() ? protocol::standing::in_task : where;
    if (self.isolated) {
        machine.serve(medium);
    } else if (machine.seek(medium, shown, asking)) {
        self.steals.received(self.tasks.size(), gain::clock::now());
        if (where == protocol::standing::between_tasks) self.tasks.let_go();
        idle.restart();
        return;
    }
    switch (idle.next()) {
        case spinning::advice::spin: relax(); break;
        case spinning::advice::rest:
            if (asking != protocol::asking::nothing) machine.rest(medium);
            give_way();
            break;
        case spinning::advice::sleep:
            if (self.isolated) give_everything(self, medium);
            sleep(self, medium, asking, done);
            idle.restart();
            break;
    }
}

template <condition Condition>
void wait_loop(worker& self, protocol::standing where, Condition done) {
    // Inside a visit to another runtime the tasks that are run here still belong to this one.
    worker* const before = std::exchange(current, &self);
    spinning idle;
    // What is run here are tasks, not the root. Too many of them on top of each other go on elsewhere.
    if (++self.depth % deepest_on_one_stack == 0 && !self.isolated) self.tasks.hold_all();
    while (!done()) {
        if (run_own_tasks(self, done)) idle.restart();
        else look_elsewhere(self, where, done, idle);
    }
    thread_medium medium(self);
    self.home.protocol_of(self.id).withdraw(medium);
    self.turn_away_from_others();  // back in a task that may be of another group, or long
    current = before;
    --self.depth;
}

}  // namespace parley::inline v0::threading
