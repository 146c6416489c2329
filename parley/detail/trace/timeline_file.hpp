// The file of this process's timelines, in the JSON that Perfetto and chrome://tracing read: an array of one event a
// line. Each recording is a process there, each worker a thread, and each further stack of a
// worker a thread of its own. Written with nothing but write(2), so that a signal handler can.
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
    // Empties the file, or makes it; if another process writes it, one beside it, with the number of this process behind
    // its name. Throws std::system_error; std::errc::broken_pipe for a pipe.
    void open(const std::string& path);
    // The name that was asked for.
    [[nodiscard]] const std::string& wanted() const noexcept { return wanted_; }
    // Grows while something is written.
    [[nodiscard]] std::uint64_t progress() const noexcept { return flushes_.get(); }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    // What every recording begins with. `kind` stands before its number.
    void begin_recording(std::uint32_t recording, std::string_view kind = "runtime") noexcept;
    // All that is kept of one worker's events, up to `last`. An end whose beginning was not kept is left out. Returns
    // how many of the oldest events were not kept.
    std::uint64_t write(std::uint32_t recording, std::uint32_t worker, const recorder& events, std::uint64_t origin,
                        const tick_scale& scale) noexcept;
    // The same for events that are elsewhere: of one worker after the other, in the order of time, which is in
    // nanoseconds.
    void begin_worker() noexcept;
    void put_event(std::uint32_t recording, std::uint32_t worker, const recorder::event& e, std::uint64_t when) noexcept;
    // What is open ends at that moment: what follows is not known to be inside of it.
    void end_open_slices(std::uint32_t recording, std::uint32_t worker, std::uint64_t when) noexcept;
    // An instant, by the name that says it.
    void say_lost(std::uint32_t recording, std::uint32_t worker, std::uint64_t events) noexcept;
    // Ends the array; what comes next is put before that end. Where that cannot be (a pipe) the end is left out, and
    // readers do without it.
    void end_recording() noexcept;
    // Up to the end of the last recording; 0 of what is no file.
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    // Of the first write that failed (then nothing more is written), else 0.
    [[nodiscard]] int error() const noexcept { return error_; }

private:
    static constexpr int most_gaps = 100;               // of a worker that writes faster than it is read
    static constexpr std::uint16_t most_stacks = 4096;  // those beyond share the last one's line

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
    std::uint32_t open_slices_[most_stacks];  // of the worker that is written
    bool named_[most_stacks];
};

}  // namespace parley::inline v0::trace
