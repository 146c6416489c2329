// The thesis' listing 4.1, with a child task where it has a comment: a runtime error.
#include "tasking.h"

int sum(int a, int b) {
    TASKING_BARRIER();  // Runtime error
    return a + b;
}

ASYNC_DECL(int, sum, int a; int b, a, b);

int main(void) {
    int s;

    TASKING_INIT();

    ASYNC(sum, 4, 2, &s);

    TASKING_BARRIER();

    TASKING_EXIT();

    return 0;
}
