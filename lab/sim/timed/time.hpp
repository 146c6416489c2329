// Virtual time: whole picoseconds, so that sums do not depend on their order and runs are the same everywhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace parley::inline v0::sim::timed {

using duration = std::int64_t;  // picoseconds
using moment = std::int64_t;    // picoseconds since the run began: 100 days fit

inline constexpr moment never = std::numeric_limits<moment>::max();
inline constexpr duration nanosecond = 1000;
inline constexpr duration microsecond = 1000 * nanosecond;
inline constexpr duration second = 1'000'000 * microsecond;
// All tasks together take no longer: on one slow thread, too, that is less than what a moment can say.
inline constexpr duration most_work = 30 * 24 * 3600 * second;

constexpr duration in_virtual_time(std::chrono::nanoseconds d) noexcept { return d.count() * nanosecond; }

// As the runtime's policies (gain, backoff, block_length) take it.
using clock_point = std::chrono::steady_clock::time_point;
inline clock_point as_clock_point(moment m) noexcept { return clock_point(std::chrono::nanoseconds(m / nanosecond)); }
inline moment as_moment(clock_point t) noexcept { return in_virtual_time(t.time_since_epoch()); }

}  // namespace parley::inline v0::sim::timed
