/// @file
/// How ranks share work.
#pragma once

#include <parley/cluster/overlay.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstddef>
#include <cstdint>

namespace parley::inline v0::cluster {

/// How much a thief takes. `none`: each rank does what it has brought, for comparisons.
enum class stealing : std::uint8_t { one, half, adaptive, none };

/// Which way results go home.
enum class routing : std::uint8_t {
    overlay,  ///< from neighbour to neighbour, those for the same owner together (Fontenaille et al. 2018, §4.2)
    direct,   ///< at once, over connections of their own
};

/// When a rank may stop.
enum class termination : std::uint8_t {
    waves,    ///< four counters, summed up over a tree (Mattern 1987): tasks may spawn tasks
    barrier,  ///< when all its own results are home it enters a barrier that does not block (ibid., §2.2)
};

/// How a group of ranks shares work. All but `workers`, `look_seconds` and `timeline` are the same on all ranks.
struct options {
    overlay_options overlay = {};             ///< who may ask whom
    stealing steal = stealing::half;          ///< how much a thief takes
    routing results = routing::overlay;       ///< which way results go home
    termination ends = termination::barrier;  ///< run() always uses waves
    /// A rank that has no task to spare asks for those that ask it.
    bool relays = true;
    /// Tasks in one message, in bytes. At 100 Gbit/s this takes 0.7 ms; smaller ones cost more with few cycles per byte.
    std::size_t steal_bytes = std::size_t{8} << 20;
    /// Other ranks' tasks of one set held at once, in bytes; a single task may be larger.
    std::size_t held_bytes = std::size_t{256} << 20;
    /// Tasks of run() that a worker keeps to itself, in bytes of their own size; beyond it spawn() runs them in place.
    std::size_t pool_bytes = std::size_t{64} << 20;
    /// Results wait for company up to this size, unless the rank has nothing else to do.
    std::size_t result_bytes = std::size_t{16} << 10;
    /// How many workers a rank has; 0: as parley::options says. Above 1, MPI must provide MPI_THREAD_SERIALIZED.
    std::uint32_t workers = 1;
    /// A rank looks at its messages at least this often, whatever its tasks do.
    double look_seconds = 200e-6;
    std::uint64_t seed = 1;  ///< of the choice of victims
    /// Keeps a timeline of what each rank does, up to this many entries.
    std::size_t timeline = 0;
};

}  // namespace parley::inline v0::cluster
