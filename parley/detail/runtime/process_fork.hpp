// What fork() means for runtimes. The child has a copy of each runtime, but not its threads. In the child a runtime of
// the parent refuses to work, and ends without waiting for anybody. A runtime that is made in the child is like any
// other.
#pragma once

#include <cstdint>

namespace parley::inline v0::threading {

// The number of fork()s between this process and the one in which the first runtime was made. A runtime belongs to this
// process if the number has not changed since the runtime was made.
[[nodiscard]] std::uint64_t forks_so_far() noexcept;

// From the first call on, fork()s are counted, and the thread of a child is no worker. May be called any number of
// times.
void count_forks();

}  // namespace parley::inline v0::threading
