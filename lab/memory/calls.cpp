// What explored code calls, and what is called in its place: operators new and delete, locks, futexes, memcpy, and the calls
// that a compiler puts before accesses to memory.
#include <lab/memory/calls.hpp>

#include <lab/memory/machine.hpp>
#include <lab/memory/weakening.hpp>

#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/futex.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>

namespace parley::memory {

std::uint64_t perform(const operation& o) noexcept {
    const unexplored now;
    return the_machine().perform(weakened(o));
}
void constructed(const void* atomic) noexcept {
    if (!is_explored()) return;
    const unexplored now;
    the_machine().constructed(reinterpret_cast<std::uintptr_t>(atomic));
}
void destroyed(const void* atomic, std::size_t bytes) noexcept {
    if (!is_explored()) return;
    const unexplored now;
    the_machine().destroyed(reinterpret_cast<std::uintptr_t>(atomic), bytes);
}
void copy(void* to, const void* from, std::size_t bytes) noexcept {
    const unexplored now;
    std::memcpy(to, from, bytes);
}
void fence(std::memory_order order, std::source_location site) noexcept {
    perform({.what = does::fence, .order = order, .site = site});
}
void light_fence() noexcept { perform({.what = does::light_fence, .order = std::memory_order_seq_cst}); }
void accessed(const void* address, std::size_t bytes, access how) noexcept {
    if (!is_explored() || bytes == 0) return;
    const unexplored now;
    the_machine().accessed(reinterpret_cast<std::uintptr_t>(address), bytes, how);
}
unsigned running_thread() noexcept { return the_machine().running(); }
void* allocate(std::size_t bytes, std::size_t alignment) {
    const unexplored now;
    return the_machine().allocate(bytes, alignment);
}
bool release(void* address) noexcept {
    const unexplored now;
    return machine::is_there() && the_machine().release(address);
}

void check(bool holds, const char* what) noexcept {
    if (holds) return;
    const unexplored now;
    the_machine().fail(what);
    if (the_machine().runs_a_thread()) the_machine().stop_thread();
}
void outcome(const std::vector<long>& results) {
    const unexplored now;
    std::string text;
    for (const long r : results) text += (text.empty() ? "" : " ") + std::to_string(r);
    the_machine().say_outcome(std::move(text));
}
std::size_t events_so_far() noexcept { return the_machine().events_so_far(); }
void look_again(std::size_t since) noexcept { perform({.what = does::repeat, .operand = since}); }
void pause() noexcept { look_again(events_so_far() - 1); }

namespace {

operation on(const void* address, does what, std::uint64_t operand = 0) {
    return {.what = what,
            .address = reinterpret_cast<std::uintptr_t>(address),
            .order = std::memory_order_acq_rel,
            .operand = operand};
}

}  // namespace

}  // namespace parley::memory

namespace parley::inline v0::sync {

using memory::does;

// As futex(2) does it under its lock of a queue: a thread that is in the queue before a wake-up is woken by it, and one that
// comes after it sees what was done before. The wake-up itself orders nothing. No sleep ends without a reason: its callers
// would go on sleeping.
void futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    const std::uint64_t me = memory::running_thread() + 1;
    memory::perform(memory::on(&word, does::queue, me));
    if (word.load(std::memory_order_relaxed) != expected) {
        memory::perform(memory::on(&word, does::leave, me));
        return;
    }
    memory::operation sleep = memory::on(&word, does::sleep, me);
    sleep.order = std::memory_order_relaxed;
    memory::perform(sleep);
}
// Time may pass at once.
void futex_wait_for(const atomic<std::uint32_t>&, std::uint32_t, std::chrono::nanoseconds) noexcept {}
void futex_wake(const atomic<std::uint32_t>& word, int count) noexcept {
    memory::perform(memory::on(&word, does::wake, count > 15 ? 15 : static_cast<std::uint64_t>(count)));
}

bool have_barrier_in_all_threads() noexcept { return true; }
void barrier_in_all_threads() noexcept { memory::fence(std::memory_order_seq_cst); }

}  // namespace parley::inline v0::sync

namespace memory = parley::memory;

namespace {

void* allocate_anyhow(std::size_t bytes, std::size_t alignment) {
    if (memory::is_explored()) return memory::allocate(bytes, alignment);
    void* const at = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (at == nullptr) throw std::bad_alloc();
    return at;
}
void free_anyhow(void* at) noexcept {
    if (!memory::release(at)) std::free(at);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_anyhow(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t a) { return allocate_anyhow(bytes, static_cast<std::size_t>(a)); }
void operator delete(void* at) noexcept { free_anyhow(at); }
void operator delete(void* at, std::size_t) noexcept { free_anyhow(at); }
void operator delete(void* at, std::align_val_t) noexcept { free_anyhow(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { free_anyhow(at); }

// The linker puts these in the places of the functions without "__wrap_" (--wrap), which they call as "__real_".
extern "C" {

int __real_pthread_mutex_lock(pthread_mutex_t* lock);
int __real_pthread_mutex_unlock(pthread_mutex_t* lock);
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
int __wrap_pthread_mutex_lock(pthread_mutex_t* lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t* lock);
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* at, int value, std::size_t bytes);
void* __wrap_memset(void* at, int value, std::size_t bytes);

int __wrap_pthread_mutex_lock(pthread_mutex_t* lock) {
    if (!memory::is_explored()) return __real_pthread_mutex_lock(lock);
    memory::perform(memory::on(lock, memory::does::lock));
    return 0;
}
int __wrap_pthread_mutex_unlock(pthread_mutex_t* lock) {
    if (!memory::is_explored()) return __real_pthread_mutex_unlock(lock);
    memory::perform(memory::on(lock, memory::does::store));
    return 0;
}
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
    memory::accessed(from, bytes, memory::access::reads);
    memory::accessed(to, bytes, memory::access::writes);
    return __real_memcpy(to, from, bytes);
}
void* __wrap_memset(void* at, int value, std::size_t bytes) {
    memory::accessed(at, bytes, memory::access::writes);
    return __real_memset(at, value, bytes);
}

// What g++ and clang call for -fsanitize=thread.
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** at, void*) { memory::accessed(at, sizeof(void*), memory::access::writes); }
void __tsan_vptr_read(void** at) { memory::accessed(at, sizeof(void*), memory::access::reads); }
void __tsan_read_range(void* at, std::size_t bytes) { memory::accessed(at, bytes, memory::access::reads); }
void __tsan_write_range(void* at, std::size_t bytes) { memory::accessed(at, bytes, memory::access::writes); }
#define PARLEY_ACCESS(bytes)                                                                            \
    void __tsan_read##bytes(void* at) { memory::accessed(at, bytes, memory::access::reads); }           \
    void __tsan_write##bytes(void* at) { memory::accessed(at, bytes, memory::access::writes); }         \
    void __tsan_unaligned_read##bytes(void* at) { memory::accessed(at, bytes, memory::access::reads); } \
    void __tsan_unaligned_write##bytes(void* at) { memory::accessed(at, bytes, memory::access::writes); }
PARLEY_ACCESS(1)
PARLEY_ACCESS(2)
PARLEY_ACCESS(4)
PARLEY_ACCESS(8)
PARLEY_ACCESS(16)
#undef PARLEY_ACCESS
// Of variables that are made at their first use. There is one thread of the system.
unsigned char __tsan_atomic8_load(const unsigned char* at, int) { return *at; }

}  // extern "C"
