// A task with its arguments behind it: in the worker's task memory if it fits there, or else on the heap.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/tasking/complain.hpp>
#include <parley/tasking/tasking_calls.h>

#include <cstddef>
#include <new>
#include <utility>

namespace parley::inline v0::tasking {

enum class size { small, large };

// Head is a task and what it needs beside the arguments. Head::at and Head::room are those of tasking_calls.h.
template <class Head, size S>
struct record : Head {
    static_assert(sizeof(Head) <= Head::at && Head::at + Head::room == sizeof(threading::cell));
    static_assert(sizeof(Head) <= PARLEY_TASKING_LARGE_AT);
    static constexpr std::size_t at = S == size::small ? Head::at : PARLEY_TASKING_LARGE_AT;

    using Head::Head;

    template <class... Parts>
    [[nodiscard]] static record* make(threading::worker& self, std::size_t bytes, Parts&&... parts) {
        if constexpr (S == size::small) return ::new (self.new_cell()) record(std::forward<Parts>(parts)...);
        else return ::new (::operator new(at + bytes, alignment)) record(std::forward<Parts>(parts)...);
    }
    static void drop(record* r, threading::worker& self) noexcept {
        r->~record();
        if constexpr (S == size::small) self.free_cell(r);
        else ::operator delete(r, alignment);
    }
    [[nodiscard]] void* arguments() noexcept { return reinterpret_cast<std::byte*>(this) + at; }

private:
    static constexpr std::align_val_t alignment{PARLEY_TASKING_LARGE_ALIGNMENT};
};

// Calls make(), for C: without memory the program ends.
template <class Record, class... Parts>
[[nodiscard]] Record* make_record(threading::worker& self, std::size_t bytes, Parts&&... parts) noexcept {
    try {
        return Record::make(self, bytes, std::forward<Parts>(parts)...);
    } catch (const std::bad_alloc&) {
        complain("there is no memory for a task with %zu bytes of arguments", bytes);
    }
}

class range;

// Calls a task that nobody waits for. An exception ends the program.
void call_alone(threading::worker& self, parley_tasking_call call, void* arguments, range* iterations) noexcept;

// Queues the task in any case, because its maker may go on to do what the task waits for.
inline void queue_always(threading::worker& self, threading::task* t) noexcept {
    if (self.home().serial()) [[unlikely]]
        return self.run(t);
    self.push(t);
    self.serve();
}

// Queues the task. A worker that has too many tasks in its deque runs it at once instead, but not too deep
// (options::queue_bound).
inline void queue(threading::worker& self, threading::task* t) noexcept {
    if (self.is_full() && self.run_when_full(t)) [[unlikely]] {
        self.turn_away_from_others();  // the running task may be of another group, or last long
        self.serve();
        return;
    }
    queue_always(self, t);
}

}  // namespace parley::inline v0::tasking
