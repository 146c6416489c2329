/// @file
/// How a runtime is set up: by options, or by the environment. Which variable holds for which runtime: docs/guide/environment.md.
#pragma once

#include <parley/version.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::inline v0 {

/// What options::steal may be.
enum class stealing : std::uint8_t { one, half, adaptive };
/// What options::split may be.
enum class splitting : std::uint8_t { half, guided, adaptive };
/// What options::victim may be.
enum class victims : std::uint8_t { random, last, last_thief, richest, nearest };
/// What options::failed may be.
enum class failed_requests : std::uint8_t { rest, backoff };
/// What options::answers may be.
enum class answering : std::uint8_t { paced, at_once };
/// What options::dry may be.
enum class dry_mailbox : std::uint8_t { open, closed };
/// What options::termination may be.
enum class termination_by : std::uint8_t { scan, manager, dedicated_manager, counter };
/// What options::revoke may be.
enum class revoked_request : std::uint8_t { any, own };
/// What options::refuse may be.
enum class refusal : std::uint8_t { forward, acknowledge };
/// What options::watchdog may be.
enum class watchdogs : std::uint8_t { on, off, every_request };
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

    /// How much a thief asks for (TH §3.5, §5.1). PARLEY_STEAL=one|half|adaptive.
    parley::stealing steal = parley::stealing::adaptive;

    /// How much of a running loop a thief gets (TH §5.2). PARLEY_SPLIT=half|guided|adaptive.
    splitting split = splitting::adaptive;

    /// Whom a thief asks first: anybody; who gave it something the last time (TH §3.4.2); who took something
    /// from it the last time; of two, who has more (TH §7.2); who shares the nearest cache or memory (by
    /// hwloc, or by /sys without it): then threads are bound, to cores if `bind` says nothing (the calling thread counts as if it
    /// were), and a list of workers^2 numbers is made. The others follow in random order, each once.
    /// PARLEY_VICTIM=random|last|last-thief|richest|nearest.
    victims victim = victims::random;

    /// Requests that a worker without tasks has out at a time (TH §7.2): 1 or 2. PARLEY_REQUESTS.
    unsigned requests = 1;

    /// A worker that waits and has fewer tasks left in its queue than these asks ahead of time, before it runs the
    /// next one (TH §3.3.1); 0: never. What a join takes back itself does not count. PARLEY_EARLY=0 to 1000.
    unsigned early = 0;

    /// What becomes of a request that nobody could answer: it rests where everybody with a task to spare
    /// sees it, or is sent again and again after growing pauses (TH §4.2.2). PARLEY_FAILED=rest|backoff.
    failed_requests failed = failed_requests::rest;

    /// Microseconds until a worker without tasks no longer waits for those it has asked: its request rests, and soon
    /// after that it sleeps. 0: 10, and more with many workers (patience.hpp). PARLEY_PATIENCE=1 to 1,000,000.
    unsigned patience = 0;

    /// With more than 8 workers and a watchdog: whether one that makes tasks, and is asked by all the others, takes as long for itself as
    /// its answers take, and so has more to give (docs/internals/protocol.md). PARLEY_ANSWERS=paced|at-once.
    answering answers = answering::paced;

    /// Whether a worker without tasks forwards others' requests or is passed over (CH §2.1).
    /// PARLEY_DRY=open|closed.
    dry_mailbox dry = dry_mailbox::open;

    /// Anything but `scan` is the papers' own protocol, for comparison (docs/internals/protocol.md): requests circulate until they
    /// are answered, thieves pause (`failed` has no other meaning then), a worker that does not look up keeps others'
    /// requests, and some waits keep a processor busy. How termination is found: by worker 1 as manager, beside its
    /// work or doing nothing else (three workers at least), or by a counter that all share (TH §4.1).
    /// PARLEY_TERMINATION=scan|manager|dedicated|counter.
    termination_by termination = termination_by::scan;
    /// Whose request worker 0 takes back at the end of a barrier (TH §4.2.1). PARLEY_REVOKE=any|own.
    revoked_request revoke = revoked_request::any;
    /// Whether a victim without tasks sends a request on or back (CH figure 1). PARLEY_REFUSE=forward|acknowledge.
    refusal refuse = refusal::forward;
    /// Whether a request that was answered goes on, once, and brings home what the next victim gives (TH §7.2).
    /// PARLEY_CONTINUE=0|1.
    bool continue_requests = false;
    /// Whether a worker without tasks has those of another's request sent to itself, if that thief is not idle (TH §7.2).
    /// PARLEY_HIJACK=0|1.
    bool hijack = false;
    /// Whether workers whose task does not poll are interrupted by a signal (SIGURG) when somebody waits for tasks
    /// in vain: docs/guide/polling.md. With `every_request` each steal request is followed by one, as in TH §3.6.3.
    /// PARLEY_WATCHDOG=on|off|every-request.
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

    /// Reads the variables named above, and PARLEY_WORKERS, over the defaults. Throws environment_error,
    /// which names the variable and what is allowed.
    static options from_environment();

    /// from_environment(), but what `chosen` says stays: whatever is not as by default there. So what a program says wins over the
    /// environment, and what it leaves open its user may say: runtime rt(options::from_environment({.workers = 4})).
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

/// The longest options::patience, a second.
inline constexpr unsigned max_patience = 1'000'000;

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
std::string to_string(stealing);
std::string to_string(splitting);
std::string to_string(victims);
std::string to_string(failed_requests);
std::string to_string(answering);
std::string to_string(dry_mailbox);
std::string to_string(termination_by);
std::string to_string(revoked_request);
std::string to_string(refusal);
std::string to_string(watchdogs);
std::string to_string(binding);
/// @}

}  // namespace parley::inline v0
