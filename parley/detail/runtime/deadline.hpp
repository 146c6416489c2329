// Until when a wait lasts at most.
#pragma once

#include <chrono>

namespace parley::inline v0::threading {

using deadline = std::chrono::steady_clock::time_point;

inline constexpr deadline no_deadline = deadline::max();

[[nodiscard]] inline bool has_passed(deadline d) noexcept {
    return d != no_deadline && std::chrono::steady_clock::now() >= d;
}

// So long from now on, rounded up; what is longer than the clock can say is for ever.
template <class Rep, class Period>
[[nodiscard]] deadline deadline_after(const std::chrono::duration<Rep, Period>& longest) {
    using seconds = std::chrono::duration<double>;
    const deadline now = std::chrono::steady_clock::now();
    if (!(longest > longest.zero())) return now;
    if (seconds(longest) >= seconds(no_deadline - now)) return no_deadline;
    return now + std::chrono::ceil<deadline::duration>(longest);
}

// How long it is until then by that clock. Rounded, but it does not overflow as the difference of the times might.
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
