// Fibonacci numbers by futures, without a cut-off.
//
//   fib [N]     N from 0 to 45, 25 if it is not given
//
//   cc -std=gnu11 -O2 fib.c $(pkg-config --cflags --libs parley-tasking) -o fib
#include <stdio.h>
#include <stdlib.h>

// [fib]
#include "tasking.h"

int fib(int n);
FUTURE_DECL(int, fib, int n, n);

int fib(int n)
{
    if (n < 2) return n;
    future x = FUTURE(fib, n - 1);
    int y = fib(n - 2);
    return AWAIT(x, int) + y;
}
// [fib]

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 25;
    if (argc > 2 || n < 0 || n > 45) {
        fprintf(stderr, "usage: fib [N], N from 0 to 45\n");
        return 2;
    }
    TASKING_INIT();
    const int result = fib(n);
    TASKING_EXIT();
    printf("fib(%d) = %d\n", n, result);
    return n != 25 || result == 75025 ? 0 : 1;
}
