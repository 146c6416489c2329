// Deadlines of threads' waits: times of the steady clock.
#pragma once

#include <parley/detail/driver/states.hpp>

#include <chrono>

namespace parley::inline v0::threading {

[[nodiscard]] inline bool has_passed(deadline d) noexcept {
    return d != no_deadline && std::chrono::steady_clock::now() >= d;
}

// Returns the time that is so long from now on, rounded up. Durations that the clock cannot express are for ever.
template <class Rep, class Period>
[[nodiscard]] deadline deadline_after(const std::chrono::duration<Rep, Period>& longest) {
    using seconds = std::chrono::duration<double>;
    const deadline now = std::chrono::steady_clock::now();
    if (!(longest > longest.zero())) return now;
    if (seconds(longest) >= seconds(no_deadline - now)) return no_deadline;
    return now + std::chrono::ceil<deadline::duration>(longest);
}

// Returns how long it is until `last` by its own clock. The result is rounded, but does not overflow, as the difference
// of the times might.
template <class Clock, class Duration>
[[nodiscard]] std::chrono::duration<double> seconds_until(const std::chrono::time_point<Clock, Duration>& last) {
    using seconds = std::chrono::duration<double>;
    return seconds(last.time_since_epoch()) - seconds(Clock::now().time_since_epoch());
}
inline constexpr std::chrono::duration<double> far_away = std::chrono::years(100);

template <class Clock, class Duration>
[[nodiscard]] deadline deadline_at(const std::chrono::time_point<Clock, Duration>& last) {
    const auto left = seconds_until(last);
    if (left > far_away) return no_deadline;
    if (left < -far_away) return std::chrono::steady_clock::now();
    return deadline_after(last - Clock::now());
}
template <class Clock, class Duration>
[[nodiscard]] bool is_over(const std::chrono::time_point<Clock, Duration>& last) {
    const auto left = seconds_until(last);
    return left < -far_away || (left <= far_away && Clock::now() >= last);
}

}  // namespace parley::inline v0::threading
