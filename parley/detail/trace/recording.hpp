// What the workers of one runtime note about themselves, and how it gets into the file: when the runtime ends, when
// the process ends, or when it crashes.
#pragma once

#include <parley/detail/trace/recorder.hpp>
#include <parley/detail/trace/ticks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::inline v0::trace {

struct process_timelines;

class recording {
public:
    // With a file: a timeline of so many events a worker, the latest. One file per process: that of the first
    // recording that names one holds the others', too. Throws std::system_error if it cannot be made, and
    // usage_error if the process has another one.
    recording(std::uint32_t workers, const std::string& timeline, std::size_t events);
    // The workers are gone.
    ~recording();
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

    [[nodiscard]] recorder& of(std::uint32_t worker) noexcept { return *recorders_[worker]; }
    [[nodiscard]] bool has_timeline() const noexcept { return home_ != nullptr; }
    // Seconds, by activity, of one worker up to now.
    [[nodiscard]] std::array<double, activities> spent(std::uint32_t worker) const noexcept;

private:
    friend void write_timelines(bool crashing) noexcept;
    void write(process_timelines& all) noexcept;
    [[nodiscard]] std::uint64_t most_bytes() const noexcept;

    const tick_scale::moment begin_;
    process_timelines* home_ = nullptr;  // null: no timeline
    std::uint32_t number_ = 0;           // there
    bool is_written_ = false;            // changed by whoever has the turn to write
    std::vector<std::unique_ptr<recorder>> recorders_;
};

// All timelines of the process that are not in the file yet. Async-signal-safe. Whoever crashes while somebody else
// writes waits for that as long as it goes on.
void write_timelines(bool crashing = false) noexcept;

// What keeps a timeline from being written there; empty if nothing does. Leaves what is in it, and no file
// where there was none.
[[nodiscard]] std::string why_not_written(const std::string& path);

// May one more recording have a timeline in that file? Not beside another file of this process's, nor beside as many as
// there may be at a time.
[[nodiscard]] bool can_be_written_to(const std::string& path);

// What the file could not take: the error of the first write that failed, 0 for none.
[[nodiscard]] int timeline_error() noexcept;

}  // namespace parley::inline v0::trace
