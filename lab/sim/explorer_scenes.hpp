// What is explored: programs as small as the question that each of them asks.
#pragma once

#include <lab/sim/explorer.hpp>
#include <lab/sim/program.hpp>
#include <lab/sim/small_regions.hpp>

#include <cstdint>
#include <vector>

namespace parley::inline v0::sim {

// How much of a program's runs is explored.
struct extent {
    state_id states = 40'000'000;
    bool until_tasks_ended = false;        // what comes after that is explored in other scenes
    task_id others_start_after = no_task;  // see settings
    bool others_sleep_first = false;       // see exploration_limits
    std::uint32_t stand_ins = 0;
    bool until_roots_ended = false;  // only the end of the runtime is not explored
};

struct explorer_scene {
    const char* name;
    const char* asks;
    std::uint32_t workers;
    program (*make)();
    openness open;
    extent far;
    bool is_quick = false;  // seconds, so it is among the tests; explore --all has all

    [[nodiscard]] settings with(std::uint32_t any_workers) const {
        return {.workers = any_workers,
                .stand_ins = far.stand_ins,
                .seed = 0,
                .patient_end = false,
                .others_start_after = far.others_start_after,
                .takes_back = open.may_take_back};
    }
    [[nodiscard]] exploration_limits limits() const {
        return {.states = far.states,
                .open = open,
                .until_tasks_ended = far.until_tasks_ended,
                .until_roots_ended = far.until_roots_ended,
                .others_sleep_first = far.others_sleep_first};
    }
};

namespace small {

// Nothing to do but the barrier before the end.
inline program end() {
    program p;
    return p.then(p.add_root(), action::poll);
}
inline program barrier() {
    program p;
    return p.then(p.add_root(), action::barrier);
}
// The first root task only brings the others into being.
inline program second_barrier() {
    program p;
    p.then(p.add_root(), action::poll);
    return p.then(p.add_root(), action::barrier);
}
inline program fork() {
    program p;
    const task_id root = p.add_root();
    (void)p.spawn(root);
    return p.then(root, action::join);
}
// Two for whoever asks for half.
inline program wide() {
    program p;
    const task_id root = p.add_root();
    for (int i = 0; i < 2; ++i) (void)p.spawn(root, telling::when_turning);
    return p.then(root, action::join);
}
// A wait inside a stolen task.
inline program nested() {
    program p;
    const task_id root = p.add_root();
    const task_id child = p.spawn(root);
    (void)p.spawn(child);
    p.then(child, action::join);
    return p.then(root, action::join);
}
inline program fork_and_barrier() {
    program p;
    const task_id root = p.add_root();
    (void)p.spawn_detached(root);
    return p.then(root, action::barrier);
}
inline program second_fork_and_barrier() {
    program p;
    p.then(p.add_root(), action::poll);
    const task_id root = p.add_root();
    (void)p.spawn_detached(root);
    return p.then(root, action::barrier);
}
inline program second_two_and_barrier() {
    program p;
    p.then(p.add_root(), action::poll);
    const task_id root = p.add_root();
    for (int i = 0; i < 2; ++i) (void)p.spawn_detached(root);
    return p.then(root, action::barrier);
}
inline program second_job() {
    program p;
    p.then(p.add_root(), action::poll);
    p.add_root();
    p.outsiders.push_back({{{errand::submit, p.add_job(), 0}}});
    return p;
}
inline program second_cancelled() {
    program p;
    p.then(p.add_root(), action::poll);
    const task_id root = p.add_root();
    (void)p.spawn(root);
    p.then(root, action::join);
    p.outsiders.push_back({{{errand::cancel, no_task, 0}}});
    return p;
}
// Worker 0 goes and leaves a task behind, and comes again.
inline program comes_again() {
    program p;
    (void)p.spawn_detached(p.add_root());
    p.add_root();
    return p;
}
inline program job() {
    program p;
    p.add_root();
    p.outsiders.push_back({{{errand::submit, p.add_job(), 0}}});
    return p;
}
inline program job_beside_barrier() {
    program p;
    p.then(p.add_root(), action::barrier);
    p.outsiders.push_back({{{errand::submit, p.add_job(), 0}}});
    return p;
}
inline program cancelled() {
    program p = fork();
    p.outsiders.push_back({{{errand::cancel, no_task, 0}}});
    return p;
}
// Somebody suspends all workers but the first ones at any moment, and lets them go on at any later one.
inline program with_resizing(program p, std::uint32_t fewest, std::uint32_t then) {
    errands e;
    e.list.push_back({.what = errand::resize, .workers = fewest});
    if (then > fewest) e.list.push_back({.what = errand::resize, .workers = then});
    p.outsiders.push_back(e);
    return p;
}
inline program barrier_and_one_worker() { return with_resizing(barrier(), 1, 1); }
inline program fork_and_one_worker() { return with_resizing(fork(), 1, 1); }
inline program fork_barrier_and_one_worker() { return with_resizing(fork_and_barrier(), 1, 1); }
inline program wide_and_one_worker() { return with_resizing(wide(), 1, 1); }
inline program nested_and_one_worker() { return with_resizing(nested(), 1, 1); }
inline program fork_one_and_two_workers() { return with_resizing(fork(), 1, 2); }
inline program barrier_one_and_two_workers() { return with_resizing(barrier(), 1, 2); }
inline program fork_barrier_one_and_two_workers() { return with_resizing(fork_and_barrier(), 1, 2); }
inline program second_barrier_and_one_worker() { return with_resizing(second_barrier(), 1, 1); }
inline program second_barrier_one_and_three_workers() { return with_resizing(second_barrier(), 1, 3); }
inline program second_fork_barrier_and_two_workers() { return with_resizing(second_fork_and_barrier(), 2, 2); }

// The root task waits, polling, until somebody else has begun its child.
inline program wants_a_thief() {
    program p;
    const task_id root = p.add_root();
    const task_id child = p.spawn(root);
    p.then(root, action::poll_until_begun, child);
    return p.then(root, action::join);
}
// Twice, so a thief that has lost the first one must come again.
inline program gives_twice() {
    program p = fork();
    const task_id root = p.roots.front();
    const task_id child = p.spawn(root);
    p.then(root, action::poll_until_begun, child);
    return p.then(root, action::join);
}
// One thief looks at nothing until the other has been fed, too (I9).
inline program feeds_around() {
    program p;
    const task_id root = p.add_root();
    const task_id held = p.spawn(root);
    p.then(root, action::poll_until_begun, held);
    const task_id fed = p.spawn(root);
    p.then(held, action::hold_until_done, fed);
    p.then(root, action::poll_until_begun, fed);
    return p.then(root, action::join);
}

}  // namespace small

// Those with `states` are looked at in part, the others as a whole.
inline const std::vector<explorer_scene>& explorer_scenes() {
    constexpr openness any;
    constexpr openness calm{.may_rest = false, .wakes_for_no_reason = false};
    constexpr openness sleepy{.may_look_again = false, .may_rest = false, .wakes_for_no_reason = false};
    constexpr openness choosy{.may_ask_nothing = true};
    constexpr openness retaking{
        .may_look_again = false, .may_rest = false, .may_take_back = true, .wakes_for_no_reason = false};
    constexpr extent all, tasks{.until_tasks_ended = true};
    constexpr extent second_thief_late{.until_tasks_ended = true, .others_start_after = 1};
    constexpr extent asleep{.others_sleep_first = true};
    constexpr extent roots_asleep{.others_sleep_first = true, .until_roots_ended = true};
    constexpr extent tasks_asleep{.until_tasks_ended = true, .others_sleep_first = true};
    constexpr extent lent_tasks{.until_tasks_ended = true, .others_sleep_first = true, .stand_ins = 1};
    constexpr extent part{.states = 1'000'000};
    constexpr extent part_asleep{.states = 1'000'000, .others_sleep_first = true};
    static const std::vector<explorer_scene> scenes = {
        {"end2", "does the last barrier open with nothing to do?", 2, small::end, any, all, true},
        {"barrier2", "the same for two barriers", 2, small::barrier, any, all, true},
        {"fork2", "one task, stolen or not, and awaited", 2, small::fork, any, all, true},
        {"wide2", "two tasks, asked for at once or one by one", 2, small::wide, any, all, true},
        {"nested2", "a wait inside a stolen task", 2, small::nested, any, all},
        {"fork_and_barrier2", "does a barrier wait for a task that nobody joins?", 2, small::fork_and_barrier, any, all,
         true},
        {"comes_again2", "worker 0 leaves a task behind and comes again", 2, small::comes_again, any, all, true},
        {"job2", "a job from outside, worker 0 hardly there", 2, small::job, any, all, true},
        {"job_beside_barrier2", "a job from outside while a barrier is open", 2, small::job_beside_barrier, calm, part},
        {"cancelled2", "somebody outside cancels at any moment", 2, small::cancelled, any, all},
        {"wants_a_thief2", "is a thief fed while its victim only polls? (I9)", 2, small::wants_a_thief, any, all, true},
        {"asks_nothing2", "thieves that now and then ask for nothing", 2, small::fork, choosy, all},

        {"feeds_around3", "is a thief fed while another one looks at nothing? (I9)", 3, small::feeds_around, any,
         second_thief_late},
        {"feeds_around3_calm", "the same without disturbances", 3, small::feeds_around, calm, second_thief_late, true},
        {"steals3", "one task for two thieves, until it is done", 3, small::wants_a_thief, any, tasks},
        {"barrier3_asleep", "does a barrier open while both thieves sleep?", 3, small::second_barrier, any, asleep, true},
        {"fork_and_barrier3_asleep", "does it wait for a task that nobody joins?", 3, small::second_fork_and_barrier, any,
         asleep, true},
        {"job3_asleep", "a job from outside while all sleep", 3, small::second_job, any, asleep, true},
        {"cancelled3_asleep", "somebody cancels while a thief wakes", 3, small::second_cancelled, any, part_asleep},
        {"two_and_barrier3_asleep", "does it wait for two, one for each thief?", 3, small::second_two_and_barrier, sleepy,
         part_asleep},
        {"end3_sleepy", "does the last barrier open with nothing to do?", 3, small::end, sleepy, part},
        {"fork_and_barrier3", "does a barrier wait for a task that nobody joins?", 3, small::fork_and_barrier, any, part},
        {"comes_again3", "worker 0 leaves a task behind and comes again", 3, small::comes_again, any, part},
        {"job3", "a job from outside, worker 0 hardly there", 3, small::job, any, part},
        {"cancelled3", "somebody outside cancels at any moment", 3, small::cancelled, any, part},

        {"barrier_suspended2", "does a barrier open when its manager has been suspended?", 2, small::barrier_and_one_worker,
         calm, all},
        {"fork_suspended2", "is a task done whose thief is suspended?", 2, small::fork_and_one_worker, calm, all},
        {"wide_suspended2", "are two?", 2, small::wide_and_one_worker, calm, all},
        {"nested_suspended2", "is a wait inside a stolen task over?", 2, small::nested_and_one_worker, sleepy, all},
        {"fork_and_barrier_suspended2", "does a barrier wait for a task of a suspended worker?", 2,
         small::fork_barrier_and_one_worker, calm, all},
        {"barrier_comes_back2", "does it when its manager comes back?", 2, small::barrier_one_and_two_workers, calm, all},
        {"fork_comes_back2", "is a task done whose thief comes and goes?", 2, small::fork_one_and_two_workers, calm, all},
        {"fork_and_barrier_comes_back2", "does a barrier wait for it?", 2, small::fork_barrier_one_and_two_workers, sleepy,
         all},
        {"barrier_suspended3_asleep", "does a barrier open when sleepers are suspended?", 3,
         small::second_barrier_and_one_worker, sleepy, asleep},
        {"barrier_comes_back3_asleep", "and when they come back?", 3, small::second_barrier_one_and_three_workers, sleepy,
         part_asleep},
        {"fork_and_barrier_suspended3_asleep", "does it wait for a task when a thief has gone?", 3,
         small::second_fork_barrier_and_two_workers, sleepy, part_asleep},

        {"two_waiters2", "two workers wait for what somebody outside does", 2, small::promise_for_two, sleepy, roots_asleep,
         true},
        {"two_waiters3", "two wait for a task, whoever runs it", 3, small::future_for_two, sleepy, tasks_asleep, true},
        {"three_waiters3", "three workers wait for what somebody outside does", 3, small::promise_for_three, sleepy,
         roots_asleep, true},
        {"isolated_stolen2", "a job wants a lock while a thief waits inside its owner's isolated region", 2, small::isolated,
         sleepy, roots_asleep, true},
        {"lent2", "a stand-in runs what a blocked worker waits for", 2, small::lent, sleepy, lent_tasks, true},
        {"lent_back2", "a stand-in gives up what it has when it goes", 2, small::lent_and_wanted_back, sleepy, lent_tasks,
         true},

        {"fork_taken_back2", "one task, which its victim takes back or its thief begins", 2, small::fork, retaking, all,
         true},
        {"wide_taken_back2", "two", 2, small::wide, retaking, all},
        {"nested_taken_back2", "a wait inside such a task", 2, small::nested, retaking, all},
        {"wants_a_thief_taken_back2", "is a thief fed that has lost an answer? (I9)", 2, small::gives_twice, retaking, all},
        {"fork_and_barrier_taken_back2", "does a barrier wait for a task that was taken back?", 2, small::fork_and_barrier,
         retaking, all},
        {"fork_taken_back_suspended2", "is it done if its thief is suspended?", 2, small::fork_and_one_worker, retaking,
         all},
        {"cancelled_taken_back2", "somebody cancels meanwhile", 2, small::cancelled, retaking, all},
        {"wide_taken_back3", "two tasks, with two thieves", 3, small::wide, retaking, part},

        {"fork4", "one task, stolen or not, and awaited", 4, small::fork, any, part},
        {"wide4", "two tasks, asked for at once or one by one", 4, small::wide, any, part},
        {"feeds_around4", "three thieves, one of which looks at nothing", 4, small::feeds_around, any, part},
    };
    return scenes;
}

}  // namespace parley::inline v0::sim
