// What the system says of another process, and what it lets us do to one.
#pragma once

#include <broker/client/pages.hpp>
#include <broker/policy/ids.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace parley::inline v0::broker::service {

// By its pidfd, which is readable then.
[[nodiscard]] bool has_ended(int pidfd) noexcept;

// How long its threads have run, in all. The number may be another process's by now: none, unless the pidfd says
// afterwards that it still is who it was.
[[nodiscard]] std::optional<nanoseconds> run_time(pid_t, int pidfd) noexcept;
using run_time_source = std::optional<nanoseconds> (*)(pid_t, int pidfd) noexcept;

using core_set = std::array<std::uint64_t, most_cores / 64>;

// More threads than these are not gone through at a time: others wait meanwhile.
inline constexpr std::size_t most_threads = 1024;

// Binds those of its threads that may run elsewhere to these cores, by the system's numbers. Those that it has bound
// to some of them itself stay where they are.
struct confined {
    std::uint32_t moved = 0, refused = 0;
    long next = 0;  // where to go on with those that are left; 0: there are none
};
confined confine(pid_t, int pidfd, const core_set& to, long from_thread = 0) noexcept;
// Gives those of its threads that are still bound to just `from` the other set. Returns where to go on.
long set_free(pid_t, int pidfd, const core_set& from, const core_set& to, long from_thread = 0) noexcept;

// The same, of one thread.
void confine_thread(pid_t, const core_set& to, confined&) noexcept;
void set_thread_free(pid_t, const core_set& from, const core_set& to) noexcept;

}  // namespace parley::inline v0::broker::service
