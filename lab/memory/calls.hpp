// What the code that is explored calls: by its atomics, and at each access to memory that a compiler puts a call before
// (-fsanitize=thread, without the library that usually comes with it).
#pragma once

#include <lab/memory/operation.hpp>
#include <lab/memory/races.hpp>

#include <cstddef>
#include <cstdint>

namespace parley::memory {

// What the operation has read. In a thread it returns once the search has decided that. Outside threads, one operation comes
// after the other.
std::uint64_t perform(const operation& o) noexcept;
void constructed(const void* atomic) noexcept;
void destroyed(const void* atomic, std::size_t bytes) noexcept;
// Without being seen: the bytes are a thread's own.
void copy(void* to, const void* from, std::size_t bytes) noexcept;

void fence(std::memory_order order, std::source_location site = std::source_location::current()) noexcept;

// A fence that a thread's own processor does not see. It counts where another thread has the kernel put a barrier into all
// threads (membarrier(2)), which is a seq_cst fence. Against those it is one, too, and releases and acquires nothing
// (Goldblatt, "Asymmetric Fences", P1202R5). So in a scene only one thread may have light fences.
void light_fence() noexcept;

void accessed(const void* address, std::size_t bytes, access how) noexcept;
// Is the caller a thread of an execution, or what comes before and after them?
[[nodiscard]] bool is_explored() noexcept;
// Its number, from 0. Before and after all threads: most_threads.
[[nodiscard]] unsigned running_thread() noexcept;
[[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment);
// False: the address is not of allocate().
bool release(void* address) noexcept;

}  // namespace parley::memory
