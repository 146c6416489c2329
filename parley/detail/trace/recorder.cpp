#include <parley/detail/trace/recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>

namespace parley::inline v0::trace {

// A worker changes its activity within nanoseconds, but may lose its core meanwhile. In a child of fork() a worker that
// was changing it never ends that. Then the present activity is left out.
ticks_of_activities recorder::spent() const noexcept {
    ticks_of_activities copy{};
    activity now{};
    std::uint64_t since = 0;
    const auto copy_all = [&] {
        for (std::size_t i = 0; i < activities; ++i) copy[i] = sync::part(spent_[i]);
        now = sync::part(shown_now_);
        since = sync::part(since_);
    };
    for (int tries = 0; tries < 10'000; ++tries) {
        if (sync::copy_whole(version_, 100, copy_all)) {
            const std::uint64_t here = ticks();
            if (here > since) copy[static_cast<std::size_t>(now)] += here - since;
            return copy;
        }
        std::this_thread::yield();
    }
    copy_all();
    return copy;
}

std::optional<recorder::event> recorder::event_at(std::uint64_t number) const noexcept {
    const auto e = events_->at(number);
    if (!e) return std::nullopt;
    return event{e->first, static_cast<happening>(e->second & 0xFF), static_cast<std::uint16_t>(e->second >> 8),
                 e->second >> 24};
}

}  // namespace parley::inline v0::trace
