// The processes below another one, as /proc shows them while they come and go: who is new is found by looking again.
#pragma once

#include <broker/daemon/process.hpp>
#include <broker/policy/ids.hpp>

#include <cstddef>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace parley::inline v0::broker::service {

struct seen_process {
    pid_t id = 0, parent = 0;
    std::vector<pid_t> threads;
};

// The process itself first, then its descendants, each once, parents before their children; not more than so many threads
// in all, of which each process has one at least. Orphans are children of the nearest subreaper.
[[nodiscard]] std::vector<seen_process> process_tree(pid_t root, std::size_t most = ~std::size_t{0});

// How long the process' threads have run, and those of its children that it has waited for; 0 if it has gone.
[[nodiscard]] nanoseconds run_time_with_dead(pid_t);

// How long all have run that are or were in its tree; a run_time_source. Of a tree so large that looking at it would keep
// others waiting, a part. None of a process of another namespace, which has no number here.
[[nodiscard]] std::optional<nanoseconds> run_time_of_tree(pid_t, int pidfd) noexcept;

// As confine() and set_free(), of all threads in the tree.
confined confine_tree(pid_t, int pidfd, const core_set& to) noexcept;
void set_tree_free(pid_t, int pidfd, const core_set& from, const core_set& to) noexcept;

}  // namespace parley::inline v0::broker::service
