// How spawn() and async() make their tasks and queue them.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/task.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace parley::inline v0::threading {

// In task memory if it is one cache line at most; else, and from outside, where no task memory is at hand, on the heap.
template <class Task>
inline constexpr bool in_task_memory = std::is_base_of_v<task, Task> && !std::is_base_of_v<job, Task> &&
                                       sizeof(Task) <= sizeof(cell) && alignof(Task) <= alignof(void*);

template <class Task, class... Parts>
[[gnu::always_inline]] inline Task* make_task(worker& self, Parts&&... parts) {
    if constexpr (in_task_memory<Task>) {
        void* const memory = self.memory.allocate();
        try {
            return ::new (memory) Task(std::forward<Parts>(parts)...);
        } catch (...) {
            self.memory.free(memory);
            throw;
        }
    } else {
        return new Task(std::forward<Parts>(parts)...);
    }
}

template <class Task>
[[gnu::always_inline]] inline void dispose(worker& self, Task* t) noexcept {
    if constexpr (in_task_memory<Task>) {
        std::destroy_at(t);
        self.memory.free(t);
    } else {
        delete t;
    }
}

// By a thread outside: one at a time costs two read-modify-writes, and the next task lies somewhere else. Where it keeps a
// seat it frees like the worker there.
[[gnu::noinline]] inline void free_cell_outside(depot& home, void* memory) noexcept {
    worker* const mine = seat_kept;
    if (mine == nullptr || &mine->memory.home() != &home) [[unlikely]]
        return home.give_back(memory);
    if (mine->seat.try_enter()) [[likely]]
        mine->memory.free(memory);
    else home.give_back(memory);
    mine->leave_kept_seat();  // whoever has found the keeper there counts on its look
}

// A cell of that depot, by any thread.
inline void free_cell(depot& home, void* memory) noexcept {
    worker* const self = current;
    if (self == nullptr) [[unlikely]]
        free_cell_outside(home, memory);
    else if (&self->memory.home() == &home) [[likely]] self->memory.free(memory);
    else home.give_back(memory);
}

template <bool IsHigh, class Task>
[[gnu::always_inline]] inline void push_task(worker& self, Task* t) {
    try {
        if constexpr (IsHigh) self.push_high(t);
        else self.tasks.push(t);
    } catch (...) {
        threading::dispose(self, t);
        throw;
    }
}

// Is F copied as bytes, and small?
template <class F, class Value = std::decay_t<F>>
inline constexpr bool goes_by_value = std::is_trivially_copyable_v<Value> && std::is_trivially_move_constructible_v<Value> &&
                                      std::is_convertible_v<F, Value> && sizeof(Value) <= sizeof(cell);

// Then by value, else as it was given. A closure that is copied twice becomes its members in registers; copied once, from
// the caller's frame into the task, g++ 12 writes it there in its members and reads it in pieces of 16 bytes, which are
// not forwarded from its stores: 5 ns for each task of uts on an AMD EPYC.
template <class F>
using by_value = std::conditional_t<goes_by_value<F>, std::decay_t<F>, F&&>;

}  // namespace parley::inline v0::threading
