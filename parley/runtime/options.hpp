// How a runtime is set up: by options, which win over the environment, which wins over defaults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::inline v0 {

enum class stealing : std::uint8_t { one, half, adaptive };
enum class splitting : std::uint8_t { half, guided, adaptive };
enum class binding : std::uint8_t { none, cores, threads };

struct options {
    // Worker threads, the calling thread included. 0: default_workers().
    unsigned workers = 0;

    // How much a thief asks for (TH §3.5, §5.1). PARLEY_STEAL=one|half|adaptive.
    parley::stealing steal = parley::stealing::adaptive;

    // How much of a running loop a thief gets (TH §5.2). PARLEY_SPLIT=half|guided|adaptive.
    splitting split = splitting::adaptive;

    // Binding of worker threads through hwloc: `cores` spreads over cores first, `threads` fills
    // hardware threads in order. The calling thread is never bound. PARLEY_BIND=none|cores|threads.
    binding bind = binding::none;

    // Tasks that one worker queues before spawn() runs new ones at once instead, rounded up to whole
    // blocks of 1,021. A bound keeps the memory of a fast producer in cache, and small.
    std::size_t queue_bound = 16'000;

    // Bytes of stack of each worker thread, and of each stack that a worker needs beside it
    // (docs/waiting.md); 0: the system's default.
    std::size_t stack_size = 0;

    // Seed of the choice of victims.
    std::uint64_t seed = 1;

    // Reads PARLEY_WORKERS, PARLEY_STEAL, PARLEY_SPLIT and PARLEY_BIND over the defaults. Throws
    // environment_error, which names the variable and what is allowed.
    static options from_environment();
};

// min(affinity mask, cgroup CPU quota rounded up), at least 1. Costs some microseconds.
unsigned default_workers();

// The most workers that a runtime accepts.
inline constexpr unsigned max_workers = 4096;

// Where default_workers() comes from, for people: the numbers that it is the least of.
struct processor_count {
    unsigned affinity = 0;    // processors in the affinity mask
    double cgroup_quota = 0;  // CPUs by the tightest cgroup quota, 0: none
};
processor_count available_processors();

std::string to_string(stealing);
std::string to_string(splitting);
std::string to_string(binding);

}  // namespace parley::inline v0
