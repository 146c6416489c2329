/// @file
/// How a runtime is set up: by options, or by the environment. Which variable holds for which runtime:
/// docs/guide/environment.md.
#pragma once

#include <parley/version.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::inline v0 {

/// What options::watchdog may be.
enum class watchdogs : std::uint8_t { on, off };
/// What options::bind may be.
enum class binding : std::uint8_t { none, cores, threads };

/// How a runtime is set up. What is not set is as by default here; options::from_environment() reads the environment.
struct options {
    /// Worker threads, the calling thread included. 0: default_workers().
    unsigned workers = 0;

    /// For debugging: one worker, whatever `workers` says, no threads, and every call at once where it is
    /// written: fork_join calls one after the other, async() and spawn() call before they return, loops run
    /// in order. What is thrown arrives where it would otherwise. A task that spawns its like recurses as
    /// deep as the chain is long. PARLEY_SERIAL=0|1.
    bool serial = false;

    /// Whether workers whose task does not poll are interrupted by a signal (SIGURG) when somebody waits for tasks
    /// in vain: docs/guide/polling.md. PARLEY_WATCHDOG=on|off.
    watchdogs watchdog = watchdogs::on;

    /// Binding of worker threads: `cores` spreads over cores first, `threads` fills
    /// hardware threads in order. The calling thread is never bound. PARLEY_BIND=none|cores|threads.
    binding bind = binding::none;

    /// The socket of a broker of cores (docs/guide/broker.md), which is joined once there is one; empty: none. Only in a
    /// program that is linked with parley::broker: another one says that it is not. From the environment:
    /// PARLEY_BROKER=PATH|off, or else where a broker is by default.
    std::string broker = {};

    /// Whether workers note what their time goes to, for runtime::times(). PARLEY_PROFILE=0|1, which also writes it on
    /// standard error when the runtime ends.
    bool profile = false;

    /// A timeline of what the workers do: a file that Perfetto (ui.perfetto.dev) and chrome://tracing read, written when
    /// the runtime ends, the process ends by exit(), crashes, or is ended by SIGHUP, SIGINT, SIGQUIT or SIGTERM that it does
    /// not handle; empty: none. Runtimes of one process share one file;
    /// if another process is writing it, this one writes FILE.PID. No pipe.
    /// PARLEY_TRACE=FILE. Of each worker the latest events are kept, so many, of 16 bytes each; about 100 in the file.
    /// PARLEY_TRACE_EVENTS=1 to 100,000,000.
    std::string trace = {};
    /// How many events of each worker the timeline keeps.
    std::size_t trace_events = 100'000;

    /// For debugging: a wait that has lasted so long, whose worker has begun no task for as long, says so on standard error,
    /// in one line, and again whenever it has lasted twice as long; one whose worker does other things, later
    /// (docs/guide/waiting.md). 0: never. PARLEY_COMPLAIN_AFTER, in seconds: 0 to 86,400.
    std::chrono::milliseconds complain_after{0};

    /// Tasks that one worker queues before spawn() runs new ones at once instead, rounded up to whole
    /// blocks of 1,021. A bound keeps the memory of a fast producer in cache, and small.
    std::size_t queue_bound = 16'000;

    /// Bytes of stack of each worker thread, and of each stack that a worker needs beside it
    /// (docs/guide/waiting.md); 0: the system's default.
    std::size_t stack_size = 0;

    /// Seed of the choice of victims.
    std::uint64_t seed = 1;

    /// Reads the variables that the fields name, and PARLEY_WORKERS, over the defaults. Throws environment_error, which
    /// names the variable and what is allowed; also for a variable PARLEY_* that is none of these.
    static options from_environment();

    /// from_environment(), but what `chosen` says stays: whatever is not as by default there. So what a program says wins
    /// over the environment, and what it leaves open its user may say: runtime rt(options::from_environment({.workers =
    /// 4})).
    static options from_environment(const options& chosen);
};

/// What an environment variable says of how many workers there are to be; 0: nothing. Throws environment_error.
unsigned workers_from_environment(const char* variable);

/// min(affinity mask, cgroup CPU quota rounded up), at least 1. Costs some microseconds.
unsigned default_workers();

/// The most events of each worker that a timeline may keep.
inline constexpr std::size_t most_trace_events = 100'000'000;

/// The most workers that a runtime accepts.
inline constexpr unsigned max_workers = 4096;

/// The longest options::complain_after, a day.
inline constexpr std::chrono::seconds max_complain_after{86'400};

/// Where default_workers() comes from, for people: the numbers that it is the least of.
struct processor_count {
    unsigned affinity = 0;    ///< processors in the affinity mask
    double cgroup_quota = 0;  ///< CPUs by the tightest cgroup quota, 0: none
};
/// What default_workers() counts. Costs some microseconds.
processor_count available_processors();

/// @{
/// The word for a value, as the environment has it.
std::string to_string(watchdogs);
std::string to_string(binding);
/// @}

}  // namespace parley::inline v0
