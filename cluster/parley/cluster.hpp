/// @file
/// Work stealing between ranks (docs/guide/cluster.md). For MPI include <parley/cluster/mpi.hpp> as well.
#pragma once

#include <parley/version.hpp>

#include <parley/cluster/balanced_tasks.hpp>
#include <parley/cluster/errors.hpp>
#include <parley/cluster/group.hpp>
#include <parley/cluster/local_medium.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/serial.hpp>
#include <parley/cluster/spawning.hpp>
#include <parley/cluster/statistics.hpp>

#include <ranges>
#include <span>
#include <utility>
#include <vector>

/// Work stealing between the ranks of an MPI job, in memory of their own.
namespace parley::inline v0::cluster {

/// Runs tasks whose results come home. Collective. Each rank brings its tasks and gets their results, in their order;
/// which rank has run them only their time tells. f(cell), or f(cell, task_context&), runs on whichever rank a task
/// comes to, with that rank's copy of f: what it has captured does not travel. Throws task_failed on every rank if a
/// task of any rank threw. `all`, if given, gets the statistics of all ranks.
template <std::ranges::contiguous_range Cells, class F>
auto balance(group& g, const Cells& mine, F f, summary* all = nullptr) {
    using cell = std::ranges::range_value_t<Cells>;
    balanced_tasks<cell, F> tasks(g, std::span<const cell>(mine), std::move(f));
    auto results = tasks.finish();
    if (all != nullptr) *all = tasks.total();
    return results;
}

/// Runs tasks that spawn tasks, and returns the sum of what they find. Collective. f(task, spawner<Task>&, Sum&) may
/// spawn others, and adds what it finds to the sum. The ranks' `roots` are where it begins; usually one rank has one.
/// Returns the sum over all tasks on every rank; combine(sum, other) adds the second to the first.
template <class Task, class Sum, class F, class Combine>
Sum run(group& g, std::vector<Task> roots, F f, Combine combine, Sum zero = {}, summary* all = nullptr) {
    spawning<Task, Sum, F, Combine> tasks(g, std::move(roots), std::move(f), std::move(combine), std::move(zero));
    Sum sum = tasks.finish();
    if (all != nullptr) *all = tasks.total();
    return sum;
}

}  // namespace parley::inline v0::cluster
