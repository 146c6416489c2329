// One worker notes here how long it did what (as TH figures 3.10 and 3.12), and for a timeline, what happened when. The
// worker writes at transitions only. Other threads read at any time.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/sync/recent.hpp>
#include <parley/detail/sync/versioned.hpp>
#include <parley/detail/trace/happening.hpp>
#include <parley/detail/trace/ticks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace parley::inline v0::trace {

// A worker's time goes to these. Pushing to and popping from the own deque is part of running.
enum class activity : std::uint8_t { running, moving_tasks, moving_requests, idle };
inline constexpr std::size_t activities = 4;

using ticks_of_activities = std::array<std::uint64_t, activities>;

class alignas(base::cache_line) recorder {
public:
    // `events`: how many of the latest events are kept. 0: there is no timeline, and note() must not be called.
    explicit recorder(std::size_t events) : since_(ticks()), kept_(events) {
        if (events != 0) events_.emplace(events + 1);  // the oldest place is always about to be overwritten
    }

    // Begins another activity, and returns the one before.
    activity turn_to(activity next) noexcept {
        const activity before = now_;
        const std::uint64_t end = ticks();
        sync::write_whole(version_, [&] {
            auto& sum = spent_[static_cast<std::size_t>(before)];
            const std::uint64_t since = sync::part(since_);
            // The last look may have been on another processor, whose counter may be a little ahead.
            if (end > since) sync::set_part(sum, sync::part(sum) + (end - since));
            sync::set_part(since_, end);
            sync::set_part(shown_now_, now_ = next);
        });
        return before;
    }

    // The times up to now, with the present activity.
    [[nodiscard]] ticks_of_activities spent() const noexcept;

    [[nodiscard]] bool has_timeline() const noexcept { return events_.has_value(); }
    void note(happening what, std::uint64_t number = 0) noexcept { events_->write(ticks(), pack(what, stack, number)); }
    struct event {
        std::uint64_t when;  // in ticks
        happening what;
        std::uint16_t stack;
        std::uint64_t number;
    };
    [[nodiscard]] std::uint64_t events_noted() const noexcept { return events_->written(); }
    [[nodiscard]] std::size_t events_kept() const noexcept { return kept_; }
    [[nodiscard]] std::optional<event> event_at(std::uint64_t number) const noexcept;

    // The number of the stack that the worker is on. 0 is its thread's own. A suspended wait goes on where it began, so
    // events on one stack are nested.
    std::uint16_t stack = 0;

    // Larger numbers are cut off.
    static constexpr std::uint64_t largest_number = (std::uint64_t{1} << 40) - 1;

private:
    static constexpr std::uint64_t pack(happening what, std::uint16_t stack, std::uint64_t number) noexcept {
        return static_cast<std::uint64_t>(what) | std::uint64_t{stack} << 8 | (number & largest_number) << 24;
    }

    sync::version_number version_{0};
    activity now_ = activity::idle;
    sync::record_part<activity> shown_now_{activity::idle};
    sync::record_part<std::uint64_t> since_;
    std::array<sync::record_part<std::uint64_t>, activities> spent_{};
    std::optional<sync::recent> events_;
    const std::size_t kept_;
};

// While this object lives, the worker has another activity. `r` may be null: then nothing is recorded.
class doing_meanwhile {
public:
    doing_meanwhile(recorder* r, activity what) noexcept : recorder_(r) {
        if (r != nullptr) [[unlikely]]
            before_ = r->turn_to(what);
    }
    ~doing_meanwhile() {
        if (recorder_ != nullptr) [[unlikely]]
            (void)recorder_->turn_to(before_);
    }
    doing_meanwhile(const doing_meanwhile&) = delete;
    doing_meanwhile& operator=(const doing_meanwhile&) = delete;

private:
    recorder* const recorder_;
    activity before_ = activity::running;
};

// While this object lives, the timeline shows something that begins and ends with it. `r` may be null or without a
// timeline.
class noting {
public:
    noting(recorder* r, happening begins, happening ends, std::uint64_t number = 0) noexcept
        : recorder_(r != nullptr && r->has_timeline() ? r : nullptr), ends_(ends), number_(number) {
        if (recorder_ != nullptr) recorder_->note(begins, number);
    }
    ~noting() {
        if (recorder_ != nullptr) recorder_->note(ends_, number_);
    }
    noting(const noting&) = delete;
    noting& operator=(const noting&) = delete;

private:
    recorder* const recorder_;
    const happening ends_;
    const std::uint64_t number_;
};

}  // namespace parley::inline v0::trace
