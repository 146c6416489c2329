/// @file
/// The cluster over MPI. Link parley::cluster: find_package(parley COMPONENTS cluster).
///
/// MPI must have been started with MPI_Init_thread:
/// - MPI_THREAD_SERIALIZED: a rank answers others while a long task runs, and may have several workers. Tasks make no
///   calls of MPI, and no other thread does while this one is inside Parley. Between two calls of Parley nobody answers.
/// - MPI_THREAD_MULTIPLE: others may call MPI whenever they like, and a rank answers others between two calls as well.
/// - less: a rank answers between two tasks, and where a task polls.
#pragma once

#include <parley/cluster.hpp>

#include <mpi.h>

#include <memory>
#include <ranges>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

/// One rank's end of a duplicate of `comm`, in which ranks of one host are neighbours on the ring. Collective; the last
/// one to go must go before MPI_Finalize(). Errors of MPI itself are handled as it does by default: the job ends.
[[nodiscard]] std::unique_ptr<medium> over_mpi(MPI_Comm comm);

/// As balance(group, ...), with a group that lives as long as the call. For repeated calls make a group once.
template <std::ranges::contiguous_range Cells, class F>
auto balance(MPI_Comm comm, const Cells& mine, F f, const options& how = {}, summary* all = nullptr) {
    group g(over_mpi(comm), how);
    return balance(g, mine, std::move(f), all);
}

/// As run(group, ...), with a group that lives as long as the call.
template <class Task, class Sum, class F, class Combine>
Sum run(MPI_Comm comm, std::vector<Task> roots, F f, Combine combine, Sum zero = {}, const options& how = {},
        summary* all = nullptr) {
    group g(over_mpi(comm), how);
    return run(g, std::move(roots), std::move(f), std::move(combine), std::move(zero), all);
}

}  // namespace parley::inline v0::cluster
