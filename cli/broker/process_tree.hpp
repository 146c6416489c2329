// The processes below this one, as /proc shows them while they come and go: who is new is found by looking again.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace parley_cli {

struct seen_process {
    pid_t id = 0;
    std::vector<pid_t> threads;
};

/// Descendants of this process, parents before their children. Orphans among them are children of the nearest
/// subreaper, which this process is to be.
[[nodiscard]] std::vector<seen_process> descendants();

/// Nanoseconds that the process' threads have run, and those of its children it has waited for; 0 if it has gone.
[[nodiscard]] std::uint64_t run_time_of(pid_t process);

}  // namespace parley_cli
