// Counts the primes below a number by one loop, whose parts say over a channel what they have found.
//
//   primes [LIMIT]     up to 1000000000, 200000 if it is not given
//
//   cc -std=gnu11 -O2 primes.c $(pkg-config --cflags --libs parley-tasking) -o primes
#include "tasking.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    long count, largest;
} found;

static int is_prime(long n) {
    for (long d = 2; d * d <= n; ++d)
        if (n % d == 0) return 0;
    return n > 1;
}

// Called for each part of the numbers that some worker has got; how many parts there are shows while it runs. A channel
// has room for some messages only: whoever finds it full takes one out and adds it to its own.
static void count_primes(Channel *out) {
    found mine = {0, 0}, other;
    long n;
    for_each_task (n) {
        if (!is_prime(n)) continue;
        ++mine.count;
        if (n > mine.largest) mine.largest = n;
    }
    while (!channel_send(out, &mine, sizeof mine)) {
        if (!channel_receive(out, &other, sizeof other)) continue;
        mine.count += other.count;
        if (other.largest > mine.largest) mine.largest = other.largest;
    }
}
ASYNC_VOID_DECL(count_primes, Channel *out, out);

int main(int argc, char **argv) {
    const long limit = argc > 1 ? atol(argv[1]) : 200000;
    if (argc > 2 || limit < 3 || limit > 1000000000) {
        fprintf(stderr, "usage: primes [LIMIT], LIMIT from 3 to 1000000000\n");
        return 2;
    }
    TASKING_INIT();
    Channel *out = channel_alloc(sizeof(found), 16, MPMC);
    ASYNC_FOR(count_primes, 2, limit, out);
    TASKING_BARRIER();

    found all = {0, 0}, part;
    while (channel_receive(out, &part, sizeof part)) {
        all.count += part.count;
        if (part.largest > all.largest) all.largest = part.largest;
    }
    channel_free(out);
    TASKING_EXIT();

    printf("%ld primes below %ld, the largest is %ld\n", all.count, limit, all.largest);
    return limit != 200000 || (all.count == 17984 && all.largest == 199999) ? 0 : 1;
}
