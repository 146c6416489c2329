#include <parley/trace/recorder.hpp>

namespace parley::inline v0::trace {

// A worker turns in some nanoseconds: whoever sees it do that each time gets what it saw last.
ticks_of_activities recorder::spent() const noexcept {
    ticks_of_activities copy{};
    activity now{};
    std::uint64_t since = 0;
    (void)channel::copy_whole(version_, 100, [&] {
        for (std::size_t i = 0; i < activities; ++i) copy[i] = channel::part(spent_[i]);
        now = channel::part(shown_now_);
        since = channel::part(since_);
    });
    const std::uint64_t here = ticks();
    if (here > since) copy[static_cast<std::size_t>(now)] += here - since;
    return copy;
}

std::optional<recorder::event> recorder::event_at(std::uint64_t number) const noexcept {
    const auto e = events_->at(number);
    if (!e) return std::nullopt;
    return event{e->first, static_cast<happening>(e->second & 0xFF), static_cast<std::uint16_t>(e->second >> 8),
                 e->second >> 24};
}

}  // namespace parley::inline v0::trace
