// What the workers of one runtime note about themselves, and how it gets into the file: when the runtime ends, when
// the process ends, or when it crashes.
#pragma once

#include <parley/channel/flag.hpp>
#include <parley/trace/recorder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::inline v0::trace {

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
    // Seconds, by activity, of one worker up to now.
    [[nodiscard]] std::array<double, activities> spent(std::uint32_t worker) const noexcept;

    // Once. Async-signal-safe. Whoever crashes while somebody else writes waits for that, but not for ever: that may be
    // what has crashed.
    void write(bool crashing) noexcept;

private:
    const tick_scale::moment begin_;
    std::uint32_t number_ = 0;  // of the timeline; 0: none
    std::vector<std::unique_ptr<recorder>> recorders_;
    channel::flag is_written_;
};

// All timelines of the process that are not in the file yet. Async-signal-safe.
void write_timelines(bool crashing = false) noexcept;

// What keeps a timeline from being written there; empty if nothing does. Makes the file, and leaves what is in it.
[[nodiscard]] std::string why_not_written(const std::string& path);

// What the file could not take: the error of the first write that failed, 0 for none.
[[nodiscard]] int timeline_error() noexcept;

}  // namespace parley::inline v0::trace
