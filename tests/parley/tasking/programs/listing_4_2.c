#include "tasking.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int sum(int a, int b) { return a + b; }

FUTURE_DECL(int, sum, int a; int b, a, b);

int main(void) {
    int s, a = 4, b = 2;

    TASKING_INIT();

    future f = FUTURE(sum, a, b);

    s = AWAIT(f, int);

    assert(s == 6);

    TASKING_EXIT();

    return 0;
}
