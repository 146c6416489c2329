#include "tasking.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int sum(int a, int b) { return a + b; }

ASYNC_DECL(int, sum, int a; int b, a, b);

int main(void) {
    int s, a = 4, b = 2;

    // Start of parallel region
    TASKING_INIT();

    ASYNC(sum, a, b, &s);

    TASKING_BARRIER();

    assert(s == 6);

    // End of parallel region
    // Implicit barrier
    TASKING_EXIT();

    return 0;
}
