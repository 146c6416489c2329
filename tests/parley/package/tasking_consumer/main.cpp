#include <tasking.h>

#include <parley/parley.hpp>

#include <cstdio>

int sum(int a, int b) { return a + b; }
FUTURE_DECL(int, sum, int a; int b, a, b);

int main() {
    TASKING_INIT();
    std::printf("%d from a task\n", AWAIT(FUTURE(sum, 40, 2), int));
    TASKING_EXIT();
}
