// The clock that a program and the broker share: pages say when with it, and turns follow from it.
#pragma once

#include <broker/policy/ids.hpp>

#include <ctime>

namespace parley::inline v0::broker {

// 0 if the system has no such clock.
[[nodiscard]] inline nanoseconds read_clock(clockid_t clock) noexcept {
    timespec t{};
    if (clock_gettime(clock, &t) != 0) return 0;
    return static_cast<nanoseconds>(t.tv_sec) * 1'000'000'000 + static_cast<nanoseconds>(t.tv_nsec);
}

[[nodiscard]] inline nanoseconds now() noexcept { return read_clock(CLOCK_MONOTONIC); }

}  // namespace parley::inline v0::broker
