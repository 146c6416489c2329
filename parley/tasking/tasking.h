/// @file
/// Tasks, futures and channels for C, as Prell's thesis describes them (2016, sections 2.4.1, 3.1.2, 4.3, 4.4, 5.2.2):
/// docs/guide/tasking.md. It needs C11 with GNU extensions, or C++. Link parley_tasking (pkg-config parley-tasking).
#pragma once

#include "tasking_calls.h"
#include "tasking_macros.h"

/// The calling thread becomes worker 0, the master, until TASKING_EXIT(). TASKING_NUM_WORKERS is the number of workers,
/// with the master. If it is not set there are as many as Parley has by default.
#define TASKING_INIT() parley_tasking_init()
/// Waits for all tasks, then for the threads to end. Another TASKING_INIT() may follow.
#define TASKING_EXIT() parley_tasking_exit()
/// Waits for all tasks. Only the root task may call it: what the master does between the two above.
#define TASKING_BARRIER() parley_tasking_barrier()

/// Returns the number of workers, with the master. Before TASKING_INIT() it is the number that it would start.
TASKING_HELPER_ unsigned tasking_workers(void) { return parley_tasking_workers(); }
/// Returns the number of the calling worker: 0 for the master, -1 on a thread that runs no task. A thread that stands
/// in for a blocked worker has a number from tasking_workers() on.
TASKING_HELPER_ int tasking_worker_index(void) { return parley_tasking_worker_index(); }

/// Declares that a function without result may become tasks. It stands behind the definition of f, at file scope, for up
/// to 16 parameters. One function may be declared for both tasks and futures.
///
///     void f(int a, double b) { ... }
///     ASYNC_VOID_DECL(f, int a; double b, a, b);
///
///     void g(void) { ... }
///     ASYNC_VOID_DECL(g);
#define ASYNC_VOID_DECL(...) TASKING_CAT_(TASKING_VOID_DECL_, TASKING_AFTER_1_(__VA_ARGS__))(__VA_ARGS__)
/// Declares that a function with a result may become tasks: `ASYNC_DECL(int, f, int a; double b, a, b);`.
#define ASYNC_DECL(...) TASKING_CAT_(TASKING_ASYNC_DECL_, TASKING_AFTER_2_(__VA_ARGS__))(__VA_ARGS__)
/// Declares that a function with a result may become futures: `FUTURE_DECL(int, f, int a; double b, a, b);`.
#define FUTURE_DECL(...) TASKING_CAT_(TASKING_FUTURE_DECL_, TASKING_AFTER_2_(__VA_ARGS__))(__VA_ARGS__)
/// Declares that a function without result may become futures: `FUTURE_VOID_DECL(f, int a; double b, a, b);`.
#define FUTURE_VOID_DECL(...) TASKING_CAT_(TASKING_FUTURE_VOID_DECL_, TASKING_AFTER_1_(__VA_ARGS__))(__VA_ARGS__)

/// Makes a task for f(arguments...), or for *result = f(arguments...): ASYNC(f, a, b), ASYNC(f, a, b, &result). It is
/// done after the next barrier. With a null pointer the result is dropped.
#define ASYNC(f, ...) f##_tasking_async(__VA_ARGS__)

/// Makes a task as ASYNC() does, as a child of the calling task. That waits for its children by SYNC(), and at its end.
/// In C there are also spawn(f, a, b, &result) and sync, unless TASKING_NO_KEYWORDS is defined before.
#define SPAWN(f, ...) f##_tasking_spawn(__VA_ARGS__)
/// Waits for the children that the calling task has made by SPAWN(), and works meanwhile.
#define SYNC() parley_tasking_sync()

/// ASYNC_FOR(f, first, last, arguments...) makes a task for f(arguments...), declared by ASYNC_VOID_DECL. In it
/// for_each_task (i) goes over [first, last). Idle workers get parts of that, with calls of f of their own. All numbers
/// are of type long.
#define ASYNC_FOR(f, ...) f##_tasking_for(__VA_ARGS__)
/// ASYNC_FOR_SINGLE(f, i, arguments...) makes a task of ASYNC_FOR() for the single index i.
#define ASYNC_FOR_SINGLE(f, ...) f##_tasking_single(__VA_ARGS__)
/// The loop in a task of ASYNC_FOR(). `i`, a long that is declared before, takes each index that this call gets.
#define for_each_task(i)                                                                               \
    for (parley_tasking_block tasking_block_ = parley_tasking_next_block();                            \
         (tasking_block_.next < tasking_block_.end ||                                                  \
          (tasking_block_ = parley_tasking_next_block(), tasking_block_.next < tasking_block_.end)) && \
         ((i) = tasking_block_.next++, (void)(i), true);)

/// A result to come: `future x = FUTURE(f, a, b);`. It is copied as a value, and awaited once.
typedef parley_tasking_future future;
#ifdef __cplusplus
/// A future that is none, like one in static storage without an initialiser.
#define FUTURE_NONE (parley_tasking_future{})
#else
#define FUTURE_NONE ((parley_tasking_future){NULL, 0})
#endif
/// Is it FUTURE_NONE?
TASKING_HELPER_ bool future_is_none(future f) { return f.task == NULL; }
/// Makes a task for f(arguments...) whose result AWAIT() returns. f is declared by FUTURE_DECL or FUTURE_VOID_DECL.
#define FUTURE(f, ...) f##_tasking_future(__VA_ARGS__)
/// Waits for a future without result, once; works meanwhile.
#define AWAIT_VOID(awaited) ((void)parley_tasking_await((awaited), NULL, 0))
#ifdef __cplusplus
/// AWAIT(x, int) waits for a future, works meanwhile, and returns the result, here an int. Each future is awaited once.
#define AWAIT(awaited, ...) parley_tasking_await_as<__VA_ARGS__>(awaited)
/// @cond
template <class T>
T parley_tasking_await_as(future awaited) {
    union place {  // T need have no constructor without arguments
        place() {}
        T value;
    } result;
    parley_tasking_await(awaited, &result.value, sizeof result.value);
    return result.value;
}
/// @endcond
#else
// The value may be left unused. No name is declared that an AWAIT in `awaited` could hide.
#define AWAIT(awaited, type) __extension__({ *(type*)parley_tasking_await((awaited), &(type){0}, sizeof(type)); })
#endif

/// Gives tasks to workers that ask for them. For long tasks.
TASKING_HELPER_ void rts_poll(void) { parley_tasking_poll(); }

/// Channels between tasks or threads: first in, first out, for up to `capacity` messages of up to `bytes` bytes.
typedef parley_tasking_channel Channel;
/// How many may send and receive. MPSC has any number of producers and a single consumer.
typedef enum { MPMC, MPSC, SPSC } chan_t;

/// Makes a channel. Without memory it ends the program, with a message. O(capacity).
TASKING_HELPER_ Channel* channel_alloc(size_t bytes, unsigned int capacity, chan_t type) {
    return parley_tasking_channel_alloc(bytes, capacity, type);
}
/// Frees the channel. Nobody may use it any more, and its messages are dropped.
TASKING_HELPER_ void channel_free(Channel* channel) { parley_tasking_channel_free(channel); }
/// Sends a message, a copy of these bytes. False: the channel is full.
TASKING_HELPER_ bool channel_send(Channel* channel, const void* data, size_t bytes) {
    return parley_tasking_channel_send(channel, data, bytes);
}
/// Takes the oldest message out. False: the channel is empty. `bytes` must be as many as were sent: fewer cut the
/// message off, more leave undefined bytes at its end.
TASKING_HELPER_ bool channel_receive(Channel* channel, void* data, size_t bytes) {
    return parley_tasking_channel_receive(channel, data, bytes);
}
/// Returns how many messages are in it now. Others may send and receive meanwhile.
TASKING_HELPER_ unsigned int channel_peek(Channel* channel) { return parley_tasking_channel_peek(channel); }

#if !defined(__cplusplus) && !defined(TASKING_NO_KEYWORDS)
#include <unistd.h>  // declares a function sync, which the word would replace
#define spawn(f, ...) f##_tasking_spawn(__VA_ARGS__)
#define sync SYNC()
#endif
