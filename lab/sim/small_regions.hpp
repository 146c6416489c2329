// Programs for what lies between the protocol and the tasks: several waiters for one task, isolated regions, workers that
// lend their place.
#pragma once

#include <lab/sim/program.hpp>
#include <lab/sim/two_scenes.hpp>

namespace parley::inline v0::sim::small {

// The first root task only brings the others into being.
inline task_id root_after_start(program& p) {
    p.then(p.add_root(), action::poll);
    return p.add_root();
}

// Somebody outside keeps a promise that the root task and others wait for.
inline program promise_for_two() {
    program p;
    const task_id root = root_after_start(p);
    const task_id promised = p.add();
    p.then(p.spawn(root), action::await, promised);
    p.then(root, action::await, promised);
    p.outsiders.push_back({{{.what = errand::complete, .job = promised}}});
    return p.then(root, action::join);
}
// Where the others sleep first, they do so as waiters: the first root task leaves them behind.
inline program promise_for_three() {
    program p;
    const task_id first = p.add_root();
    const task_id promised = p.add();
    for (int others = 0; others < 2; ++others) p.then(p.spawn_detached(first), action::await, promised);
    p.then(p.add_root(), action::await, promised);
    p.outsiders.push_back({{{.what = errand::complete, .job = promised}}});
    return p;
}
// A task that its maker and another one wait for, whoever runs it: not the other one, which is isolated.
inline program future_for_two() {
    program p;
    const task_id first = p.add_root();
    const task_id waiter = p.spawn_future(first, true);
    const task_id root = p.add_root();
    const task_id future = p.spawn_future(root);
    p.then(waiter, action::await, future);
    return p.then(root, action::await, future);
}

// The owner of a lock waits in an isolated region for two tasks, one of which waits for the other. A job from outside
// wants the lock: whoever took it up in a wait inside the region, on whatever worker, would keep the owner waiting.
inline program isolated() {
    program p;
    p.locks = 1;
    const task_id root = root_after_start(p);
    p.then(root, action::lock, 0).then(root, action::isolate);
    const task_id stolen = p.spawn_future(root, true);
    const task_id other = p.spawn_future(root, true);
    p.then(stolen, action::await, other);
    p.then(root, action::await, stolen).then(root, action::await, other);
    p.then(root, action::end_isolation).then(root, action::unlock, 0);
    const task_id job = p.add_job();
    p.then(job, action::lock, 0).then(job, action::unlock, 0);
    p.outsiders.push_back({{{errand::submit, job, 0}}});
    return p;
}

// The only other worker is locked out, until a task of the root's has begun: the first root task leaves it behind so.
inline task_id root_beside_one_locked_out(program& p) {
    p.locks = 1;
    const task_id first = p.add_root();
    p.then(first, action::lock, 0);
    p.then(p.spawn_detached(first), action::lock, 0);
    return p.add_root();
}
// A worker blocks until a task of its own has ended.
inline program lent() {
    program p;
    const task_id root = root_beside_one_locked_out(p);
    const task_id waited_for = p.spawn(root);
    p.then(waited_for, action::unlock, 0);
    p.then(root, action::block).then(root, action::hold_until_done, waited_for).then(root, action::end_block);
    return p.then(root, action::join);
}
// The place is wanted back as soon as somebody has begun the task, which makes another one. Then the root looks at
// nothing until that has ended: it is for the stand-in to give it up, and to lend a hand.
inline program lent_and_wanted_back() {
    program p;
    const task_id root = root_beside_one_locked_out(p);
    const task_id task = p.spawn(root);
    const task_id made = p.spawn_into(task, root);
    p.then(made, action::unlock, 0);
    p.then(root, action::block).then(root, action::hold_until_begun, task).then(root, action::end_block);
    p.then(root, action::hold_until_done, made);
    return p.then(root, action::join);
}

// The first runtime's root task works in the second, twice: the first visit only brings the others into being. What it
// does there it awaits.
inline two_programs visit() {
    two_programs p;
    for (int i = 0; i < 2; ++i) {
        const task_id root = p.first.add_root();
        p.first.then(root, action::poll);
        p.first.then(root, action::block).then(root, action::visit).then(root, action::end_block);
    }
    p.second.then(p.second.add_root(), action::poll);
    const task_id visit = p.second.add_root();
    p.begun = p.second.spawn(visit);
    p.second.then(visit, action::join);
    return p;
}
// Somebody else runs what it awaits there, and waits for a job of the first runtime, whose other worker is locked out for
// good: only who waits in the second runtime can run it.
inline two_programs visit_and_job() {
    two_programs p = visit();
    program& a = p.first;
    a.locks = 1;
    a.then(a.roots[0], action::lock, 0);
    a.then(a.spawn_detached(a.roots[0]), action::lock, 0);
    p.done = a.add_job();
    a.outsiders.push_back({{{errand::submit, p.done, 0}}});
    program& b = p.second;
    b.then(p.begun, action::hold_until_done_elsewhere);
    auto& code = b.tasks[b.roots[1]].code;
    code.insert(code.end() - 1, {action::poll_until_begun, p.begun});
    return p;
}

}  // namespace parley::inline v0::sim::small
