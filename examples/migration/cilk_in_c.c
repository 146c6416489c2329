// What docs/guide/coming-from-cilk.md shows of C.
#include "tasking.h"

#include <stdio.h>

// [c]
long fib(long n);
ASYNC_DECL(long, fib, long n, n);

long fib(long n) {
    if (n < 2) return n;
    long a;
    spawn(fib, n - 1, &a);
    long b = fib(n - 2);
    sync;
    return a + b;
}

int main(void) {
    TASKING_INIT();
    const long result = fib(20);
    TASKING_EXIT();
    printf("%ld\n", result);
    return result == 6765 ? 0 : 1;
}
// [c]
