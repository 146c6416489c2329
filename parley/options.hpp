/// @file
/// How a runtime is set up: by options, or by the environment. docs/guide/environment.md says which variable holds for which
/// runtime.
#pragma once

#include <parley/version.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::inline v0 {

/// The values of options::watchdog.
enum class watchdogs : std::uint8_t { on, off };
/// The values of options::bind.
enum class binding : std::uint8_t { none, cores, threads };

/// How a runtime is set up. Members that are not set have the defaults below. options::from_environment() reads the
/// environment.
struct options {
    /// The number of worker threads, with the calling thread. 0: default_workers().
    unsigned workers = 0;

    /// For debugging: one worker, whatever `workers` says, no threads, and every call at once. fork_join calls one
    /// function after the other, async() and spawn() call before they return, loops run in order. Exceptions arrive
    /// where they would otherwise. If each task spawns the next one, the recursion is as deep as the chain is long.
    /// PARLEY_SERIAL=0|1.
    bool serial = false;

    /// Are workers whose task does not poll interrupted by a signal (SIGURG) when somebody waits for tasks in vain?
    /// docs/guide/polling.md. PARLEY_WATCHDOG=on|off.
    watchdogs watchdog = watchdogs::on;

    /// Where worker threads are bound: `cores` spreads over cores first, `threads` fills hardware threads in order. The
    /// calling thread is never bound. PARLEY_BIND=none|cores|threads.
    binding bind = binding::none;

    /// The socket of a broker of cores (docs/guide/broker.md). The runtime joins the broker when there is one. Empty:
    /// none. Only a program that is linked with parley::broker can join; another one says that it cannot.
    /// PARLEY_BROKER=PATH|off; if it is not set, the environment means the broker's default place.
    std::string broker = {};

    /// Do workers note what their time goes to, for runtime::times()? PARLEY_PROFILE=0|1, which also writes it on
    /// standard error when the runtime ends.
    bool profile = false;

    /// The file for a timeline of what the workers do, or empty: none. Perfetto (ui.perfetto.dev) and chrome://tracing
    /// read it.
    ///
    /// It is written when the runtime ends, when the process ends by exit(), and when it crashes. It is also written on
    /// SIGHUP, SIGINT, SIGQUIT and SIGTERM, if the process does not handle them. Runtimes of one process share one
    /// file. If another process is writing it, this one writes FILE.PID. It must be no pipe. PARLEY_TRACE=FILE.
    ///
    /// Of each worker the latest events are kept, 16 bytes each, and about 100 in the file. PARLEY_TRACE_EVENTS=1 to
    /// 100,000,000.
    std::string trace = {};
    /// The number of events of each worker that the timeline keeps.
    std::size_t trace_events = 100'000;

    /// For debugging: a wait that has lasted so long says so on standard error, in one line, if its worker has begun no
    /// task meanwhile. It says so again whenever it has lasted twice as long. If its worker does other things, it says
    /// so later (docs/guide/waiting.md). 0: never. PARLEY_COMPLAIN_AFTER, in seconds: 0 to 86,400.
    std::chrono::milliseconds complain_after{0};

    /// A worker without work looks for some so long before it sleeps. -1: as long as has paid so far, which is 40 us at
    /// first. 0: it sleeps at once. A day or more: it never sleeps, and its core is busy as long as the runtime lives
    /// (docs/guide/embedding.md).
    std::chrono::microseconds idle{-1};

    /// A worker with so many queued tasks runs new ones of spawn() at once. The number is rounded up to whole blocks of
    /// 1,021. A bound keeps the memory of a fast producer small and in cache.
    std::size_t queue_bound = 16'000;

    /// Bytes of stack of each worker thread, and of each further stack that a worker needs (docs/guide/waiting.md). 0:
    /// the system's default.
    std::size_t stack_size = 0;

    /// The seed of the random choice of victims.
    std::uint64_t seed = 1;

    /// Returns the defaults, changed by the variables that the fields name and by PARLEY_WORKERS. Throws
    /// environment_error, which names the variable and what is allowed, also for an unknown variable PARLEY_*.
    static options from_environment();

    /// Returns `chosen`, with the environment's values for those fields that have their default there. So what a
    /// program says wins over the environment, and its user decides what it leaves open: runtime
    /// rt(options::from_environment({.workers = 4})).
    static options from_environment(const options& chosen);
};

/// Returns the number of workers that an environment variable asks for, or 0 if it is not set. Throws
/// environment_error.
unsigned workers_from_environment(const char* variable);

/// Returns min(affinity mask, cgroup CPU quota rounded up), at least 1. Costs some microseconds.
unsigned default_workers();

/// A timeline may keep so many events of each worker.
inline constexpr std::size_t most_trace_events = 100'000'000;

/// A runtime accepts so many workers.
inline constexpr unsigned max_workers = 4096;

/// The longest options::complain_after is a day.
inline constexpr std::chrono::seconds max_complain_after{86'400};

/// The numbers that default_workers() is the least of, for people.
struct processor_count {
    unsigned affinity = 0;    ///< processors in the affinity mask
    double cgroup_quota = 0;  ///< CPUs by the tightest cgroup quota; 0: there is none
};
/// Returns what default_workers() counts. Costs some microseconds.
processor_count available_processors();

/// @{
/// Returns the word for a value, as the environment has it.
std::string to_string(watchdogs);
std::string to_string(binding);
/// @}

}  // namespace parley::inline v0
