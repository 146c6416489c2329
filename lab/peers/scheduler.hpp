// What a scheduler offers to the programs. Each program is written once, as a template over a class
// that has these members; a comparison of schedulers then compares nothing else.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/peers/tuning_words.hpp"

namespace parley_peers {

// What one worker did, as far as its scheduler counts it; the names are those of the JSON output.
struct worker_counts {
    std::uint64_t tasks = 0;
    std::uint64_t steals = 0;
    std::uint64_t failed = 0;
    std::uint64_t messages = 0;
    std::uint64_t splits = 0;
    std::uint64_t sleeps = 0;
    std::uint64_t wakes = 0;
    std::uint64_t interrupts = 0;
};

// What the time of one worker went to, in seconds.
struct worker_times {
    double running = 0;
    double queueing = 0;
    double moving_tasks = 0;
    double moving_requests = 0;
    double idle = 0;
};

// How a pool of workers is made.
struct setup {
    unsigned workers = 1;
    std::optional<std::uint64_t> seed;  // of random victims; empty: the scheduler's own choice
    std::string_view split = {};        // one of the scheduler's `splits`; empty: its own choice
    bool profile = false;               // whether times() are asked for
    tuning_choices tuning = {};         // of those that the scheduler has
};

// Beside what is checked here:
//   fork_join(f, g) calls both, perhaps in parallel, and returns a pair of their results;
//   scope::spawn(f, args...) calls f, perhaps later and elsewhere; only the task that made the scope
//   may spawn into it; scope::wait() returns when all that was spawned has returned;
//   group::run(f) calls f and returns when it and all that was spawned into the group has returned;
//   any of the group's tasks may spawn into it; only in the root task, outside all others;
//   for_each_index(first, last, body) calls body(i) for each i, in any order;
//   sum<T>(first, last, body), where programs need it, is the sum of body(i) for each i, added in any
//   order, from T{};
//   group::spawn_loop(first, last, body), where a scheduler has it, spawns all body(i) into the group;
//   futures, where a scheduler has them apart from its scopes, is a scope with a future for each call;
//   barrier(), where a scheduler has it, waits until no task is left, in the root task;
//   splits, where a scheduler has them, are the names of its ways to divide a loop;
//   poll(), in a long task, gives the scheduler a chance to look after messages, if it has any;
//   local<T>(pool) has a T for each of the pool's workers: mine() is the calling worker's own,
//   each(f) calls f(T&) with all of them;
//   pool::run(f) calls f with the pool's workers at hand and returns its result; if cancel() was
//   called meanwhile, it may throw `cancelled` instead;
//   pool::times(), where a scheduler has it, is one entry for each worker, up to now, or none if it was not asked for;
//   pool::counts() is one entry for each worker, or none if the scheduler does not count.
template <class S>
concept scheduler =
    requires(typename S::pool& pool, const typename S::pool& constant, typename S::scope& scope, typename S::group& group,
             typename S::template local<int>& local, std::FILE* file, void (*call)()) {
        { S::name } -> std::convertible_to<std::string_view>;
        typename S::cancelled;
        requires std::constructible_from<typename S::pool, const setup&>;
        requires std::constructible_from<typename S::template local<int>, typename S::pool&>;
        pool.run(call);
        pool.cancel();
        { constant.workers() } -> std::same_as<unsigned>;
        { constant.counts() } -> std::same_as<std::vector<worker_counts>>;
        constant.dump(file);
        scope.spawn(call);
        scope.wait();
        group.run(call);
        group.spawn(call);
        S::poll();
        { local.mine() } -> std::same_as<int&>;
    };

// A scheduler without that: the programs that have a form in Rust run on it, and no others.
template <class S>
concept in_rust = S::is_in_rust;

}  // namespace parley_peers
