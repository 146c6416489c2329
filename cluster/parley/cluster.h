/// @file
/// Balances uneven tasks over the ranks of a communicator, from C (docs/guide/cluster.md). For Fortran there is
/// parley/cluster/parley_cluster.f90. Link parley::cluster, and the C++ library.
#pragma once

#include <mpi.h>
#include <stddef.h>  // NOLINT(modernize-deprecated-headers): C
#include <stdint.h>  // NOLINT(modernize-deprecated-headers): C

#ifdef __cplusplus
extern "C" {
#endif

/// What the calls below return.
enum {
    PARLEY_CLUSTER_OK,            ///< all tasks have run, and their results are home
    PARLEY_CLUSTER_TASK_FAILED,   ///< on every rank, once all other tasks are done
    PARLEY_CLUSTER_DISAGREEMENT,  ///< the ranks differ in options or sizes, or another rank's arguments are wrong
    PARLEY_CLUSTER_USAGE,         ///< this rank's arguments are wrong
    PARLEY_CLUSTER_ERROR          ///< anything else, such as no memory
};

/// Who may ask whom.
enum {
    PARLEY_CLUSTER_SMALL_WORLD,  ///< the ring of ranks, and chords, most of them short
    PARLEY_CLUSTER_RANDOM,       ///< the ring, and chords of any length alike
    PARLEY_CLUSTER_RING,         ///< the ring alone
    PARLEY_CLUSTER_COMPLETE      ///< everybody everybody
};

/// How much of what a rank has to spare goes to who asks.
enum {
    PARLEY_CLUSTER_STEAL_ONE,      ///< one task
    PARLEY_CLUSTER_STEAL_HALF,     ///< half of them
    PARLEY_CLUSTER_STEAL_ADAPTIVE  ///< one or half, as it has paid so far
};

/// Which way results go home.
enum {
    PARLEY_CLUSTER_RESULTS_OVERLAY,  ///< from neighbour to neighbour, those for the same owner together
    PARLEY_CLUSTER_RESULTS_DIRECT    ///< at once, over connections of their own
};

/// Begin with parley_cluster_default_options(). All but workers and look_seconds must be the same on all ranks.
typedef struct parley_cluster_options {
    int overlay;          ///< PARLEY_CLUSTER_SMALL_WORLD, ...
    int steal;            ///< PARLEY_CLUSTER_STEAL_...
    int results;          ///< PARLEY_CLUSTER_RESULTS_...
    uint32_t degree;      ///< neighbours of a rank on average; 0: 4 log2 of the number of ranks
    uint32_t workers;     ///< threads of a rank that run tasks; 0: PARLEY_WORKERS, or all cores. Other than 1 it needs
                          /// MPI_THREAD_SERIALIZED
    size_t steal_bytes;   ///< tasks in one message, in bytes
    double look_seconds;  ///< a rank looks at its messages at least this often, whatever its tasks do
    uint64_t seed;        ///< of the chords, and of the choice of victims
} parley_cluster_options;

/// What all ranks have done together; parley::cluster::statistics has them for each rank.
typedef struct parley_cluster_statistics {
    uint64_t tasks;             ///< run
    uint64_t foreign;           ///< of these, run by another rank than their own
    uint64_t failed;            ///< of these, how many failed
    uint64_t requests;          ///< for tasks, sent
    uint64_t refused;           ///< requests answered with nothing
    uint64_t steals;            ///< requests answered with tasks
    uint64_t stolen;            ///< tasks that came so; one that moves on counts again
    uint64_t offers;            ///< sent to a thief whose request rested
    uint64_t declined;          ///< offers that were not needed any more
    uint64_t result_messages;   ///< sent
    uint64_t results_home;      ///< results of tasks that ran elsewhere
    uint64_t result_hops;       ///< of all results: by one message each
    uint64_t duplicates;        ///< results that came a second time, dropped
    uint64_t messages;          ///< sent, of any kind
    uint64_t bytes;             ///< sent, with headers
    uint64_t waves;             ///< that looked for the end
    uint64_t connections;       ///< pairs of ranks that talked, counted at both ends
    uint64_t most_connections;  ///< of any rank
    double busy_seconds;        ///< in tasks, all ranks together
    double seconds;             ///< until a rank learned that all tasks are done: the longest
} parley_cluster_statistics;

/// Reads a cell and writes all bytes of its result, on whichever rank the task comes to, with that rank's `parameters`.
/// On another rank than their own both are aligned as malloc() aligns. Returns 0, or a code of its own: the task has
/// failed. With several workers it is called by several threads at once. It calls MPI only where MPI provides
/// MPI_THREAD_MULTIPLE.
typedef int (*parley_cluster_function)(const void* cell, void* result, void* parameters);

/// One rank's part in a group of ranks that share work.
typedef struct parley_cluster_group parley_cluster_group;

/// Those of parley::cluster::options.
parley_cluster_options parley_cluster_default_options(void);

/// Collective over `comm`, after MPI_Init_thread(). Each rank brings `count` tasks, one after the other at `cells`, and
/// gets their results in the same order at `results`; the two do not overlap. `count` may differ between the ranks and
/// may be 0; the sizes are the same on all ranks. Unless it returns PARLEY_CLUSTER_OK, what is at `results` is of no
/// use. May be NULL: `parameters`, `options`, `statistics`, `message`. `message` gets what is wrong, as text that ends
/// within `message_size` bytes, or "". `statistics` is written where all tasks have run, even if some failed.
int parley_cluster_balance(MPI_Comm comm, size_t count, const void* cells, size_t cell_bytes, void* results,
                           size_t result_bytes, parley_cluster_function f, void* parameters,
                           const parley_cluster_options* options, parley_cluster_statistics* statistics, char* message,
                           size_t message_size);

/// A group for repeated calls: what can be set up once is. Collective. Returns NULL where something is wrong, and
/// `message` says what. The group goes by parley_cluster_close(), before MPI_Finalize().
parley_cluster_group* parley_cluster_open(MPI_Comm comm, const parley_cluster_options* options, char* message,
                                          size_t message_size);
/// parley_cluster_balance() in a group, with the options that it was opened with. Collective.
int parley_cluster_balance_in(parley_cluster_group* group, size_t count, const void* cells, size_t cell_bytes, void* results,
                              size_t result_bytes, parley_cluster_function f, void* parameters,
                              parley_cluster_statistics* statistics, char* message, size_t message_size);
/// Ends a group. Collective.
void parley_cluster_close(parley_cluster_group* group);

/// parley_cluster_balance() with a communicator of Fortran's.
int parley_cluster_balance_f(MPI_Fint comm, size_t count, const void* cells, size_t cell_bytes, void* results,
                             size_t result_bytes, parley_cluster_function f, void* parameters,
                             const parley_cluster_options* options, parley_cluster_statistics* statistics, char* message,
                             size_t message_size);
/// parley_cluster_open() with a communicator of Fortran's.
parley_cluster_group* parley_cluster_open_f(MPI_Fint comm, const parley_cluster_options* options, char* message,
                                            size_t message_size);

#ifdef __cplusplus
}  // extern "C"
#endif
