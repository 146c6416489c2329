// The file of this process's timelines, in the JSON that Perfetto and chrome://tracing read: an array with one event
// per line. Each recording is a process there. Each worker is a thread, and so is each further stack of a worker. The
// file is written by write(2) alone, so a signal handler can do it.
#pragma once

#include <parley/detail/sync/counter.hpp>
#include <parley/detail/trace/recorder.hpp>
#include <parley/detail/trace/ticks.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::inline v0::trace {

class timeline_file {
public:
    // Empties the file or makes it. If another process writes it, makes one beside it, with this process's number
    // behind its name. Throws std::system_error, with std::errc::broken_pipe for a pipe.
    void open(const std::string& path);
    // The name that the caller of open() gave.
    [[nodiscard]] const std::string& wanted() const noexcept { return wanted_; }
    // Grows while something is written.
    [[nodiscard]] std::uint64_t progress() const noexcept { return flushes_.get(); }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    // Writes the beginning of a recording. `kind` stands before its number.
    void begin_recording(std::uint32_t recording, std::string_view kind = "runtime") noexcept;
    // Writes all kept events of one worker, up to the last. Leaves out ends whose beginnings were not kept. Returns how
    // many of the oldest events were not kept.
    std::uint64_t write(std::uint32_t recording, std::uint32_t worker, const recorder& events, std::uint64_t origin,
                        const tick_scale& scale) noexcept;
    // begin_worker() and put_event() write events that are kept elsewhere: one worker after the other, each in the
    // order of time. `when` is in nanoseconds.
    void begin_worker() noexcept;
    void put_event(std::uint32_t recording, std::uint32_t worker, const recorder::event& e, std::uint64_t when) noexcept;
    // Ends all open slices at that moment, because what follows may not be inside of them.
    void end_open_slices(std::uint32_t recording, std::uint32_t worker, std::uint64_t when) noexcept;
    // Writes an instant whose name says how many events were not kept.
    void say_lost(std::uint32_t recording, std::uint32_t worker, std::uint64_t events) noexcept;
    // Ends the array. What is written next goes before that end. In a pipe that is impossible, so the end is left out;
    // readers do without it.
    void end_recording() noexcept;
    // The size up to the end of the last recording, or 0 if it is no file.
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    // The error of the first write that failed, or 0. After an error nothing more is written.
    [[nodiscard]] int error() const noexcept { return error_; }

private:
    static constexpr int most_gaps = 100;               // for a worker that writes faster than it is read
    static constexpr std::uint16_t most_stacks = 4096;  // stacks beyond share the last line

    void flush() noexcept;
    void put(std::string_view text) noexcept;
    void put(std::uint64_t number) noexcept;
    void put_time(std::uint64_t nanoseconds) noexcept;
    void begin_line(char phase, std::uint32_t recording, std::uint64_t thread) noexcept;
    void begin_event(char phase, std::uint32_t recording, std::uint64_t thread, std::uint64_t when) noexcept;
    void name_thread(std::uint32_t recording, std::uint32_t worker, std::uint16_t stack) noexcept;

    std::string path_, wanted_;
    sync::counter flushes_;
    int descriptor_ = -1;
    int error_ = 0;
    bool is_empty_ = true;
    std::size_t used_ = 0;
    char buffer_[1 << 16];
    std::uint32_t open_slices_[most_stacks];  // of the worker that is being written
    bool named_[most_stacks];
};

}  // namespace parley::inline v0::trace
