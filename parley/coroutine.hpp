/// @file
/// Coroutines: task, and co_await of tasks and futures. A coroutine that waits holds no stack and no worker.
#pragma once

#include <parley/version.hpp>

#include <parley/coroutine/context.hpp>
#include <parley/coroutine/futures.hpp>
#include <parley/coroutine/task.hpp>
#include <parley/coroutine/words.hpp>
