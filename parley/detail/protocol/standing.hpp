// Where a worker stands that has nothing to do.
#pragma once

#include <cstdint>

namespace parley::inline v0::protocol {

// May a worker without a task say that it is idle? Not while it waits inside a task: a suspended
// task is unfinished work (I4). The root task in a barrier is the exception.
enum class standing : std::uint8_t { in_task, between_tasks };

}  // namespace parley::inline v0::protocol
