// Starts a thread with a stack of a chosen size, which std::thread can not.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace parley::inline v0::threading {

// The thread blocks all signals, because they are for the program's own threads. `stack_size` is in bytes; 0 means the
// system's default. Throws std::system_error.
pthread_t start_thread(std::size_t stack_size, void* argument, void* (*function)(void*));

}  // namespace parley::inline v0::threading
