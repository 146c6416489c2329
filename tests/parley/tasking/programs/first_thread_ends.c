// The root task ends with its thread, and not by TASKING_EXIT: without a complaint the workers would keep the process
// for ever.
#include <pthread.h>

#include "tasking.h"

int main(void) {
    TASKING_INIT();
    pthread_exit(NULL);
}
