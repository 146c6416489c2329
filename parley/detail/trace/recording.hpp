// What the workers of one runtime note about themselves. It is written into the file when the runtime ends, when the
// process ends, or when it crashes.
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
    // With a file name: keeps a timeline of the latest `events` events of each worker. A process has one file: the
    // first recording that names one decides. Throws std::system_error if the file cannot be made, and usage_error if
    // the process has another one.
    recording(std::uint32_t workers, const std::string& timeline, std::size_t events);
    // Called when the workers are gone.
    ~recording();
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

    [[nodiscard]] recorder& of(std::uint32_t worker) noexcept { return *recorders_[worker]; }
    [[nodiscard]] bool has_timeline() const noexcept { return home_ != nullptr; }
    // The seconds that one worker has spent on each activity up to now.
    [[nodiscard]] std::array<double, activities> spent(std::uint32_t worker) const noexcept;

private:
    friend void write_timelines(bool crashing) noexcept;
    void write(process_timelines& all) noexcept;
    [[nodiscard]] std::uint64_t most_bytes() const noexcept;

    const tick_scale::moment begin_;
    process_timelines* home_ = nullptr;  // null: no timeline
    std::uint32_t number_ = 0;           // its number in the file
    bool is_written_ = false;            // changed by the thread that has the turn to write
    std::vector<std::unique_ptr<recorder>> recorders_;
};

// Writes all timelines of the process that are not in the file yet. Async-signal-safe. If another thread is writing, a
// thread that crashes waits as long as that goes on.
void write_timelines(bool crashing = false) noexcept;

// Returns why a timeline cannot be written there, or nothing if it can. Leaves an existing file as it is, and makes
// none.
[[nodiscard]] std::string why_not_written(const std::string& path);

// May one more recording have a timeline in that file? Not if this process has another file, or already as many
// recordings as there may be.
[[nodiscard]] bool can_be_written_to(const std::string& path);

// The error of the first write that failed, or 0.
[[nodiscard]] int timeline_error() noexcept;

}  // namespace parley::inline v0::trace
