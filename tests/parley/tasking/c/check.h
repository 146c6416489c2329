// What the C parts of the tests share: a check that says where it failed, in any thread.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                            \
    do {                                                                       \
        if (!(what)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)
