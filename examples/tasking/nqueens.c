// In how many ways n queens can stand on a board of n x n without threatening each other, twice: with a future for each
// queen that is tried, and with children that write into their parent's frame.
//
//   nqueens [N]     N from 1 to 15, 9 if it is not given
//
//   cc -std=gnu11 -O2 nqueens.c $(pkg-config --cflags --libs parley-tasking) -o nqueens
#include "tasking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 15 };

// Rows below `rows` have a queen each.
typedef struct {
    int n, rows;
    char column[most];
} board;

static int is_safe(const board *b, int column) {
    for (int row = 0; row < b->rows; ++row) {
        const int distance = b->rows - row;
        const int there = b->column[row];
        if (there == column || there == column - distance || there == column + distance) return 0;
    }
    return 1;
}

static board with_queen(board b, int column) {
    b.column[b.rows++] = (char)column;
    return b;
}

static long by_futures(board b);
FUTURE_DECL(long, by_futures, board b, b);

static long by_futures(board b) {
    if (b.rows == b.n) return 1;
    future tried[most];
    int many = 0;
    for (int column = 0; column < b.n; ++column)
        if (is_safe(&b, column)) tried[many++] = FUTURE(by_futures, with_queen(b, column));
    long ways = 0;
    while (many > 0) ways += AWAIT(tried[--many], long);  // the newest first: most have not been begun elsewhere
    return ways;
}

static long by_children(board b);
ASYNC_DECL(long, by_children, board b, b);

static long by_children(board b) {
    if (b.rows == b.n) return 1;
    long results[most];
    int many = 0;
    for (int column = 0; column < b.n; ++column)
        if (is_safe(&b, column)) spawn(by_children, with_queen(b, column), &results[many++]);
    sync;
    long ways = 0;
    while (many > 0) ways += results[--many];
    return ways;
}

int main(int argc, char **argv) {
    static const long known[most + 1] = {1,   1,    0,     0,     2,      10,      4,       40,
                                         92,  352,  724,   2680,  14200,  73712,   365596,  2279184};
    const int n = argc > 1 ? atoi(argv[1]) : 9;
    if (argc > 2 || n < 1 || n > most) {
        fprintf(stderr, "usage: nqueens [N], N from 1 to %d\n", most);
        return 2;
    }
    board empty = {.n = n, .rows = 0};
    memset(empty.column, 0, sizeof empty.column);

    TASKING_INIT();
    const long futures = by_futures(empty);
    const long children = by_children(empty);
    TASKING_EXIT();

    printf("%d queens: %ld ways by futures, %ld by children\n", n, futures, children);
    return futures == known[n] && children == known[n] ? 0 : 1;
}
