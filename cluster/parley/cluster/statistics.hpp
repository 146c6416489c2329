/// @file
/// What a rank has done, and what all of them have.
#pragma once

#include <cstdint>
#include <string>

namespace parley::inline v0::cluster {

/// What a rank has counted in a set of tasks; of all ranks: the sums, unless a line says otherwise.
struct statistics {
    std::uint64_t tasks = 0;             ///< run here
    std::uint64_t foreign = 0;           ///< of these, other ranks' own
    std::uint64_t requests = 0;          ///< sent
    std::uint64_t refused = 0;           ///< answered with nothing
    std::uint64_t steals = 0;            ///< answered with tasks
    std::uint64_t stolen = 0;            ///< tasks that came so; one that moves on counts again
    std::uint64_t offers = 0;            ///< sent to a thief whose request rested here
    std::uint64_t declined = 0;          ///< of these, how many did not need it any more
    std::uint64_t result_messages = 0;   ///< sent
    std::uint64_t results_home = 0;      ///< of tasks that ran elsewhere
    std::uint64_t result_hops = 0;       ///< of all results: by one message each
    std::uint64_t duplicates = 0;        ///< results that came a second time, dropped; only where ranks are lost
    std::uint64_t messages = 0;          ///< sent, of any kind
    std::uint64_t bytes = 0;             ///< sent, with headers
    std::uint64_t waves = 0;             ///< that the root began
    std::uint64_t connections = 0;       ///< ranks that this one talked with
    std::uint64_t most_connections = 0;  ///< of any rank
    double busy_seconds = 0.0;           ///< in tasks
    double seconds = 0.0;                ///< until it learned that all tasks are done; of all ranks: the longest
};

/// A part of a worker's timeline: tasks that it ran one after the other, in seconds since the rank began.
struct stretch_of_work {
    double begin = 0.0;       ///< since the rank began
    double seconds = 0.0;     ///< how long it took
    std::uint64_t tasks = 0;  ///< how many
};

/// Adds what a rank has done to the sum of others.
inline void add(statistics& sum, const statistics& s) {
    sum.tasks += s.tasks;
    sum.foreign += s.foreign;
    sum.requests += s.requests;
    sum.refused += s.refused;
    sum.steals += s.steals;
    sum.stolen += s.stolen;
    sum.offers += s.offers;
    sum.declined += s.declined;
    sum.result_messages += s.result_messages;
    sum.results_home += s.results_home;
    sum.result_hops += s.result_hops;
    sum.duplicates += s.duplicates;
    sum.messages += s.messages;
    sum.bytes += s.bytes;
    sum.waves += s.waves;
    sum.connections += s.connections;
    sum.most_connections = sum.most_connections > s.most_connections ? sum.most_connections : s.most_connections;
    sum.busy_seconds += s.busy_seconds;
    sum.seconds = sum.seconds > s.seconds ? sum.seconds : s.seconds;
}

/// What one rank has done, or all of them.
struct summary {
    statistics counts;              ///< what was done
    std::uint64_t failed = 0;       ///< tasks that threw
    std::uint32_t failed_rank = 0;  ///< the lowest one whose tasks threw
    std::string first_failure;      ///< of it
};

}  // namespace parley::inline v0::cluster
