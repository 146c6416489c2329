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

}  // namespace parley::inline v0::threading
