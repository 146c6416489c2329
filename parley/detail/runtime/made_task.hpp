// How spawn() and async() make their tasks and queue them.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace parley::inline v0::threading {

// A task lies in task memory if it fits into one cell, and on the heap otherwise. Tasks from outside lie on the heap,
// too, because no task memory is at hand there.
template <class Task>
inline constexpr bool in_task_memory = std::is_base_of_v<task, Task> && !std::is_base_of_v<job, Task> &&
                                       sizeof(Task) <= sizeof(cell) && alignof(Task) <= alignof(void*);

template <class Task, class... Parts>
[[gnu::always_inline]] inline Task* make_task(worker& self, Parts&&... parts) {
    if constexpr (in_task_memory<Task>) {
        void* const memory = self.new_cell();
        try {
            return ::new (memory) Task(std::forward<Parts>(parts)...);
        } catch (...) {
            self.free_cell(memory);
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
        self.free_cell(t);
    } else {
        delete t;
    }
}

// For a thread outside. Giving a cell back costs two read-modify-writes, and the next task lies somewhere else. A
// thread that keeps a seat frees the cell as the worker there would.
[[gnu::noinline]] inline void free_cell_outside(depot& home, void* memory) noexcept {
    worker* const mine = seat_kept;
    if (mine == nullptr || &mine->cells() != &home) [[unlikely]]
        return home.give_back(memory);
    if (mine->seat_part().lock.try_enter()) [[likely]]
        mine->free_cell(memory);
    else home.give_back(memory);
    mine->leave_kept_seat();  // others that have found the keeper there count on its look
}

// Frees a cell of that depot. Any thread may call this.
inline void free_cell(depot& home, void* memory) noexcept {
    worker* const self = current;
    if (self == nullptr) [[unlikely]]
        free_cell_outside(home, memory);
    else if (&self->cells() == &home) [[likely]] self->free_cell(memory);
    else home.give_back(memory);
}

template <bool IsHigh, class Task>
[[gnu::always_inline]] inline void push_task(worker& self, Task* t) {
    try {
        if constexpr (IsHigh) self.push_high(t);
        else self.push(t);
    } catch (...) {
        threading::dispose(self, t);
        throw;
    }
}

// Is F small, and copied as bytes?
template <class F, class Value = std::decay_t<F>>
inline constexpr bool goes_by_value = std::is_trivially_copyable_v<Value> && std::is_trivially_move_constructible_v<Value> &&
                                      std::is_convertible_v<F, Value> && sizeof(Value) <= sizeof(cell);

// Such a function goes by value, any other as it was given. A closure that is copied twice becomes its members in
// registers. A closure that is copied once, from the caller's frame into the task, costs more. Then g++ 12 writes it
// there member by member, and reads it in pieces of 16 bytes. The processor cannot forward its stores to such reads: 5
// ns for each task of uts on an AMD EPYC.
template <class F>
using by_value = std::conditional_t<goes_by_value<F>, std::decay_t<F>, F&&>;

}  // namespace parley::inline v0::threading
