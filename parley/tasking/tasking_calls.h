// The words of tasking.h become calls of these functions of the library parley_tasking. They are not for users.
#pragma once

#include <stdbool.h>  // NOLINT(modernize-deprecated-headers): C
#include <stddef.h>   // NOLINT(modernize-deprecated-headers): C
#include <stdint.h>   // NOLINT(modernize-deprecated-headers): C

#ifdef __cplusplus
extern "C" {
#endif

// A future: its task, and a ticket that tells it from other futures at that place.
typedef struct parley_tasking_future {
    void* task;
    uint64_t ticket;
} parley_tasking_future;

typedef struct parley_tasking_channel parley_tasking_channel;

// Calls a function with the arguments at that address. A future's function writes its result to `result`, which may be
// where the arguments were.
typedef void (*parley_tasking_call)(void* arguments);
typedef void (*parley_tasking_future_call)(void* arguments, void* result);

// The place of the arguments of each kind of task, and how many bytes of which alignment fit there. Larger arguments
// lie behind a larger task.
enum {
    PARLEY_TASKING_TASK_AT = 16,
    PARLEY_TASKING_TASK_ROOM = 48,
    PARLEY_TASKING_TASK_ALIGNMENT = 16,
    PARLEY_TASKING_CHILD_AT = 24,
    PARLEY_TASKING_CHILD_ROOM = 40,
    PARLEY_TASKING_CHILD_ALIGNMENT = 8,
    PARLEY_TASKING_LOOP_AT = 48,
    PARLEY_TASKING_LOOP_ROOM = 16,
    PARLEY_TASKING_LOOP_ALIGNMENT = 16,
    PARLEY_TASKING_FUTURE_AT = 32,
    PARLEY_TASKING_FUTURE_ROOM = 32,
    PARLEY_TASKING_FUTURE_ALIGNMENT = 16,
    PARLEY_TASKING_LARGE_AT = 64,
    PARLEY_TASKING_LARGE_ALIGNMENT = 64
};

void parley_tasking_init(void);
void parley_tasking_exit(void);
void parley_tasking_barrier(void);
void parley_tasking_poll(void);
unsigned parley_tasking_workers(void);
int parley_tasking_worker_index(void);

// A task is made, gets its arguments, and is queued. Nothing runs in between. sync waits for children only.
void* parley_tasking_small_task(parley_tasking_call call);
void* parley_tasking_large_task(parley_tasking_call call, size_t bytes);
void* parley_tasking_small_child(parley_tasking_call call);
void* parley_tasking_large_child(parley_tasking_call call, size_t bytes);
void* parley_tasking_small_loop(parley_tasking_call call);
void* parley_tasking_large_loop(parley_tasking_call call, size_t bytes);
void parley_tasking_queue(void* task);
void parley_tasking_queue_loop(void* task, long first, long last);
// Returns i + 1, the end of a loop of i alone. The last number of a long is an error.
long parley_tasking_after(long i);

// The arguments of a large future are at parley_tasking_arguments().
parley_tasking_future parley_tasking_small_future(parley_tasking_future_call call, size_t result_bytes);
parley_tasking_future parley_tasking_large_future(parley_tasking_future_call call, size_t bytes, size_t result_bytes);
void* parley_tasking_arguments(parley_tasking_future made);
void parley_tasking_queue_future(parley_tasking_future made);
// Returns `result`.
void* parley_tasking_await(parley_tasking_future awaited, void* result, size_t bytes);

// Waits for all children of the calling task.
void parley_tasking_sync(void);

// The next iterations of the calling task: next to end - 1, or none.
typedef struct parley_tasking_block {
    long next, end;
} parley_tasking_block;
parley_tasking_block parley_tasking_next_block(void);

parley_tasking_channel* parley_tasking_channel_alloc(size_t bytes, unsigned capacity, unsigned type);
void parley_tasking_channel_free(parley_tasking_channel* channel);
bool parley_tasking_channel_send(parley_tasking_channel* channel, const void* data, size_t bytes);
bool parley_tasking_channel_receive(parley_tasking_channel* channel, void* data, size_t bytes);
unsigned parley_tasking_channel_peek(parley_tasking_channel* channel);

#ifdef __cplusplus
}  // extern "C"
#endif
