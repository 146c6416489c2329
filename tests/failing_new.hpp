// Operators new and delete of a test program, which fail where a test wants them to. Included by one of its files.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace failing_new {

// In this thread, requests for so many bytes or more fail.
inline thread_local std::size_t refused_from = std::numeric_limits<std::size_t>::max();

struct without_memory {
    explicit without_memory(std::size_t from = 0) { refused_from = from; }
    ~without_memory() { refused_from = std::numeric_limits<std::size_t>::max(); }
    without_memory(const without_memory&) = delete;
    without_memory& operator=(const without_memory&) = delete;
};

inline void* allocate_or_null(std::size_t size) noexcept {
    return size >= refused_from ? nullptr : std::malloc(size == 0 ? 1 : size);
}
inline void* allocate(std::size_t size) {
    if (void* const p = allocate_or_null(size)) return p;
    throw std::bad_alloc();
}

}  // namespace failing_new

[[gnu::noinline]] void* operator new(std::size_t size) { return failing_new::allocate(size); }
void* operator new[](std::size_t size) { return failing_new::allocate(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return failing_new::allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return failing_new::allocate_or_null(size); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
