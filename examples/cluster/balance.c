// The same as balance.cpp, from C, and several times in one group.
#include <parley/cluster.h>

#include <stdio.h>
#include <stdlib.h>

enum { number = 400, phases = 3 };

struct stretch {
    uint64_t first, count;
};

// How often a number of the stretch halves or triples until it is 1, at most.
static int longest(const void* cell, void* result, void* parameters) {
    const struct stretch* s = cell;
    uint64_t* most = result;
    (void)parameters;
    *most = 0;
    for (uint64_t n = s->first; n < s->first + s->count; ++n) {
        uint64_t steps = 0;
        for (uint64_t x = n; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        if (steps > *most) *most = steps;
    }
    return 0;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    char why[256];
    parley_cluster_options options = parley_cluster_default_options();
    options.steal = PARLEY_CLUSTER_STEAL_ADAPTIVE;
    parley_cluster_group* group = parley_cluster_open(MPI_COMM_WORLD, &options, why, sizeof why);
    if (group == NULL) {
        fprintf(stderr, "%s\n", why);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

    struct stretch mine[number];
    uint64_t results[number];
    uint64_t tasks = 0, foreign = 0;
    for (int phase = 0; phase < phases; ++phase) {
        const size_t count = rank == 0 ? number : 0;
        for (size_t i = 0; i < count; ++i) {
            const struct stretch next = {(i + 1) * (i + 1) + (size_t)phase, i + 1};
            mine[i] = next;
        }
        parley_cluster_statistics all;
        if (parley_cluster_balance_in(group, count, mine, sizeof mine[0], results, sizeof results[0], longest, NULL,
                                      &all, why, sizeof why) != PARLEY_CLUSTER_OK) {
            fprintf(stderr, "%s\n", why);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        for (size_t i = 0; i < count; ++i) {
            uint64_t expected = 0;
            longest(&mine[i], &expected, NULL);
            wrong += results[i] != expected;
        }
        tasks += all.tasks;
        foreign += all.foreign;
    }
    parley_cluster_close(group);

    if (rank == 0)
        printf("%llu tasks, %llu of them on other ranks, %d wrong\n", (unsigned long long)tasks,
               (unsigned long long)foreign, wrong);
    MPI_Finalize();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
