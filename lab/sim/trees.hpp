// Programs for virtual workers: the shapes that task graphs come in, small.
#pragma once

#include <lab/sim/program.hpp>
#include <parley/detail/base/rng.hpp>

#include <cstdint>

namespace parley::inline v0::sim::trees {

namespace detail {

// Two calls per task, as in fork_join; `depth` levels below this one.
inline void fork_both(program& p, task_id t, std::uint32_t depth) {
    if (depth == 0) {
        p.then(t, action::work, 4);
        return;
    }
    const task_id left = p.spawn(t);
    const task_id right = p.spawn(t);
    p.then(t, action::join);
    fork_both(p, left, depth - 1);
    fork_both(p, right, depth - 1);
}

// A task that does something of everything, with at most `left` tasks below it.
inline void grow(program& p, task_id t, std::uint32_t& left, base::rng& random, std::uint32_t depth) {
    const std::uint32_t wanted = depth == 0 ? 0 : random.below(4);
    for (std::uint32_t i = 0; i < wanted && left > 0; ++i) {
        --left;
        const auto tells = random.below(2) == 0 ? telling::at_once : telling::when_turning;
        const std::uint32_t kind = random.below(8);
        const task_id child = kind == 0 ? p.spawn_detached(t) : kind == 1 ? p.spawn_into(t, t) : p.spawn(t, tells);
        if (random.below(3) == 0) p.then(t, action::work, random.below(30));
        if (random.below(4) == 0) p.then(t, action::poll);
        if (random.below(4) == 0) p.then(t, action::join);
        grow(p, child, left, random, depth - 1);
    }
    if (random.below(2) == 0) p.then(t, action::work, random.below(60));
    p.then(t, action::join);
}

}  // namespace detail

inline program empty() {
    program p;
    p.add_root();
    return p;
}

// Each task spawns one and waits for it.
inline program chain(std::uint32_t length = 7) {
    program p;
    for (task_id t = p.add_root(); length > 0; --length) {
        const task_id next = p.spawn(t);
        p.then(t, action::work, 2).then(t, action::join);
        t = next;
    }
    return p;
}

// One task spawns all.
inline program wide(std::uint32_t width = 14) {
    program p;
    const task_id root = p.add_root();
    for (std::uint32_t i = 0; i < width; ++i) p.then(p.spawn(root, telling::when_turning), action::work, 6);
    return p.then(root, action::join);
}

inline program binary(std::uint32_t depth = 3) {
    program p;
    detail::fork_both(p, p.add_root(), depth);
    return p;
}

// One worker produces now and then; what it produces are long leaves that look at nothing.
inline program producer_consumer(std::uint32_t items = 6) {
    program p;
    const task_id root = p.add_root();
    for (std::uint32_t i = 0; i < items; ++i) {
        p.then(root, action::work, 40);
        p.then(p.spawn(root, telling::when_turning), action::work, 120);
        p.then(root, action::poll);
    }
    return p.then(root, action::join);
}

// Tasks that wait several times, inside each other, and spawn into the root's scope.
inline program nested_joins() {
    program p;
    const task_id root = p.add_root();
    for (int i = 0; i < 2; ++i) {
        const task_id outer = p.spawn(root, telling::when_turning);
        for (int j = 0; j < 2; ++j) {
            const task_id inner = p.spawn(outer);
            p.then(p.spawn(inner), action::work, 10);
            p.then(inner, action::join);
            p.then(p.spawn(inner, telling::when_turning), action::poll);
            p.then(inner, action::join);
            p.then(outer, action::join);
            p.then(p.spawn_into(inner, root), action::work, 5);
        }
    }
    return p.then(root, action::join);
}

// Tasks that nobody joins; two barriers wait for them, and one has nothing to wait for.
inline program barrier_twice() {
    program p;
    const task_id root = p.add_root();
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 3; ++i) {
            const task_id t = p.spawn_detached(root);
            p.then(p.spawn_detached(t), action::work, 8);
        }
        p.then(root, action::barrier);
    }
    return p.then(root, action::work, 20).then(root, action::barrier);
}

inline program barrier_with_nothing_to_do() {
    program p;
    const task_id root = p.add_root();
    return p.then(root, action::barrier).then(root, action::barrier);
}

// Root tasks that leave others behind for whoever finds them.
inline program left_behind() {
    program p;
    for (int visit = 0; visit < 2; ++visit) {
        const task_id root = p.add_root();
        for (int i = 0; i < 4; ++i) {
            const task_id t = p.spawn_detached(root);
            p.then(t, action::work, 6);
            p.then(p.spawn(t), action::work, 6);
            p.then(t, action::join);
        }
    }
    return p;
}

namespace detail {

inline void add_jobs(program& p, std::uint32_t threads, std::uint32_t jobs, std::uint32_t delay) {
    for (std::uint32_t o = 0; o < threads; ++o) {
        errands list;
        for (std::uint32_t j = 0; j < jobs; ++j) {
            const task_id job = p.add_job();
            p.then(job, action::work, 5);
            if (j % 2 == 0) {
                p.then(p.spawn(job), action::work, 5);
                p.then(job, action::join);
            }
            list.list.push_back({errand::submit, job, delay * (o + j)});
        }
        p.outsiders.push_back(list);
    }
}

}  // namespace detail

// Jobs from two threads outside, with hardly anything to do inside.
inline program jobs_alone() {
    program p;
    p.add_root();
    detail::add_jobs(p, 2, 3, 25);
    return p;
}

// Jobs that come while worker 0 waits in a barrier and the others run dry again and again.
inline program jobs_in_barrier(std::uint32_t delay = 150) {
    program p;
    const task_id root = p.add_root();
    p.then(root, action::barrier).then(root, action::barrier);
    for (int outsider = 0; outsider < 2; ++outsider) {
        errands list;
        for (int j = 0; j < 4; ++j) {
            const task_id job = p.add_job();
            p.spawn_detached(job);
            p.spawn_detached(job);
            p.then(job, action::poll).then(job, action::work, 10).then(job, action::poll);
            list.list.push_back({errand::submit, job, delay});
        }
        p.outsiders.push_back(list);
    }
    return p;
}

// Jobs while worker 0 comes, works, waits in a barrier and goes.
inline program jobs_beside() {
    program p = binary(2);
    const task_id second = p.add_root();
    p.then(p.spawn_detached(second), action::work, 15);
    p.then(second, action::barrier);
    detail::add_jobs(p, 2, 4, 15);
    return p;
}

// One thread outside cancels everything at some moment.
inline program cancelled() {
    program p = binary(3);
    p.outsiders.push_back({{{errand::cancel, no_task, 60}, {errand::cancel, no_task, 200}}});
    const task_id second = p.add_root();
    for (int i = 0; i < 6; ++i) p.then(p.spawn(second, telling::when_turning), action::work, 10);
    p.then(second, action::join);
    detail::add_jobs(p, 1, 2, 40);
    return p;
}

// A different one for every seed.
inline program any(std::uint64_t seed) {
    base::rng random(seed);
    program p;
    const std::uint32_t visits = 1 + random.below(3);
    for (std::uint32_t v = 0; v < visits; ++v) {
        const task_id root = p.add_root();
        std::uint32_t left = 2 + random.below(14);
        detail::grow(p, root, left, random, 4);
        if (random.below(3) == 0) p.then(root, action::barrier);
    }
    if (random.below(2) == 0) detail::add_jobs(p, 1 + random.below(2), 1 + random.below(3), random.below(60));
    if (random.below(6) == 0) p.outsiders.push_back({{{errand::cancel, no_task, random.below(300)}}});
    return p;
}

// The same while workers are suspended and come back.
inline program resized(std::uint64_t seed) {
    program p = any(seed);
    base::rng random(seed + 77);
    errands list;
    const std::uint32_t times = 1 + random.below(8);
    for (std::uint32_t i = 0; i < times; ++i)
        list.list.push_back({.what = errand::resize, .delay = random.below(120), .workers = 1 + random.below(5)});
    p.outsiders.push_back(list);
    return p;
}

}  // namespace parley::inline v0::sim::trees
