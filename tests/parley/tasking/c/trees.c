// spawn and sync, loops, and channels between tasks.
#include "check.h"
#include "tasking.h"
#include "words.h"

#include <stdatomic.h>
#include <string.h>

// How many ways there are to place the queens that are left (TH §4.4.2, N-Queens).
static int place(int n, int row, const char* above);
typedef struct {
    char column[16];
} board;
static int place_board(int n, int row, board b) { return place(n, row, b.column); }
ASYNC_DECL(int, place_board, int n; int row; board b, n, row, b);

static int is_free(int row, const char* column, int here) {
    for (int r = 0; r < row; ++r) {
        const int distance = here - column[r];
        if (distance == 0 || distance == row - r || distance == r - row) return 0;
    }
    return 1;
}

static int place(int n, int row, const char* above) {
    if (row == n) return 1;
    int results[16] = {0}, sum = 0;
    for (int here = 0; here < n; ++here) {
        if (!is_free(row, above, here)) continue;
        board next;
        memcpy(next.column, above, sizeof next.column);
        next.column[row] = (char)here;
        spawn(place_board, n, row + 1, next, &results[here]);
    }
    sync;
    for (int here = 0; here < n; ++here) sum += results[here];
    return sum;
}

int c_nqueens(int n) {
    const char none[16] = {0};
    return place(n, 0, none);
}

static atomic_long total;
static void add_numbers(int factor) {
    long i, mine = 0;
    for_each_task(i) mine += factor * i;
    atomic_fetch_add(&total, mine);
}
ASYNC_VOID_DECL(add_numbers, int factor, factor);

long c_sum_by_loop(long first, long last) {
    atomic_store(&total, 0);
    ASYNC_FOR(add_numbers, first, last, 3);
    TASKING_BARRIER();
    return atomic_load(&total);
}

static int one(void) { return 1; }
ASYNC_DECL(int, one);

void c_spawn_and_sync(void) {
    int results[100], sum = 0;
    for (int i = 0; i < 100; ++i) spawn(one, &results[i]);
    sync;
    for (int i = 0; i < 100; ++i) sum += results[i];
    CHECK(sum == 100);
    sync;  // of nothing
}

// A task that sends and one that receives, while both give way.
static void sender(Channel* to, int count) {
    for (int i = 0; i < count; ++i)
        while (!channel_send(to, &i, sizeof i)) rts_poll();
}
static long receiver(Channel* from, int count) {
    long sum = 0;
    for (int n = 0; n < count; ++n) {
        int i;
        while (!channel_receive(from, &i, sizeof i)) rts_poll();
        CHECK(i == n);
        sum += i;
    }
    return sum;
}
ASYNC_VOID_DECL(sender, Channel* to; int count, to, count);
FUTURE_DECL(long, receiver, Channel* from; int count, from, count);

void c_channels(void) {
    // With room for all, so that one worker is enough.
    Channel* const c = channel_alloc(sizeof(int), 1000, SPSC);
    const future sum = FUTURE(receiver, c, 1000);
    ASYNC(sender, c, 1000);
    TASKING_BARRIER();
    CHECK(AWAIT(sum, long) == 499500);
    CHECK(channel_peek(c) == 0);
    channel_free(c);
}
