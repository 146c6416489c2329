// fork(): the child has a copy of each runtime, but not its threads. A runtime of the parent refuses to
// work there, and ends without waiting for anybody; a runtime that is made in the child is like any other.
#pragma once

#include <cstdint>

namespace parley::inline v0::threading {

// How many fork()s lie between this process and the first runtime that was made: a runtime is of this
// process if this number has not changed since.
[[nodiscard]] std::uint64_t forks_so_far() noexcept;

// From here on they are counted, and the child's thread is no worker. Any number of calls.
void count_forks();

}  // namespace parley::inline v0::threading
