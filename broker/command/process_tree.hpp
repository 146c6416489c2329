// The processes below this one, as the broker's service sees those of its programs.
#pragma once

#include <sys/types.h>

#include <broker/daemon/process_tree.hpp>
#include <cstdint>
#include <vector>

namespace parley_cli {

using parley::broker::service::seen_process;

// Descendants of this process, parents before their children. Orphans among them are children of the nearest
// subreaper, which this process is to be.
[[nodiscard]] std::vector<seen_process> descendants();

// Nanoseconds that the process' threads have run, and those of its children it has waited for; 0 if it has gone.
[[nodiscard]] std::uint64_t run_time_of(pid_t process);

}  // namespace parley_cli
