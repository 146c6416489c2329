// Starting a thread with a stack of a chosen size, which std::thread can not.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace parley::inline v0::threading {

// The thread blocks all signals: they are for the program's own threads. Throws std::system_error.
// stack_size in bytes, 0: the system's default.
pthread_t start_thread(std::size_t stack_size, void* argument, void* (*function)(void*));

}  // namespace parley::inline v0::threading
