#include <parley/detail/stacks/fiber.hpp>

#include <parley/detail/base/sanitized.hpp>
#include <parley/detail/stacks/switch_stack.hpp>

#include <algorithm>
#include <cstddef>
#include <cxxabi.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(PARLEY_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#ifndef PARLEY_MACHINE  // defined once in a program that has the library twice (protocol/machine.hpp)
extern const char parley_must_be_built_with_fsanitize_address = 1;
#endif
#endif
#if defined(PARLEY_TSAN)
#include <sanitizer/tsan_interface.h>
#ifndef PARLEY_MACHINE
extern const char parley_must_be_built_with_fsanitize_thread = 1;
#endif
#endif

#ifdef _LIBCPP_VERSION
// LLVM's library has the function, as the ABI says, and no header of it declares it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;                                    // NOLINT(bugprone-reserved-identifier): the ABI's names
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;  // NOLINT(bugprone-reserved-identifier)
}  // namespace __cxxabiv1
#endif

namespace parley::inline v0::threading {

namespace {

// The object that __cxa_get_globals() points to (Itanium C++ ABI: Exception Handling, 2.2.2).
struct handled_exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
};

// A fiber may go on in another thread than the one that it left. So the address must not be remembered over a switch.
// The declaration of the function says that it always returns the same; the asm hides that from the compiler.
[[gnu::noinline]] handled_exceptions& handled_here() noexcept {
    asm volatile("" ::: "memory");
    return *reinterpret_cast<handled_exceptions*>(abi::__cxa_get_globals());
}

constexpr std::size_t least = 256 << 10;
constexpr std::size_t most = std::size_t{1} << 46;

std::size_t page() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t whole_pages(std::size_t bytes) {
    if (bytes == 0) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_getstacksize(&attributes, &bytes);
        pthread_attr_destroy(&attributes);
    }
    if (bytes > most) throw std::bad_alloc();
    return (std::max(bytes, least) + page() - 1) / page() * page();
}

}  // namespace

const unsigned& exceptions_in_flight() noexcept { return handled_here().uncaught; }

fiber::fiber(std::size_t stack_size, void (*function)(void*) noexcept, void* argument)
    : size_(whole_pages(stack_size) + page()), function_(function), argument_(argument) {
    // Pages that are not touched cost nothing, so no memory is reserved for them.
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    auto* const lowest = static_cast<std::byte*>(memory_);
    if (mprotect(lowest, page(), PROT_NONE) != 0) {
        munmap(memory_, size_);
        throw std::bad_alloc();
    }
    madvise(memory_, size_, MADV_NOHUGEPAGE);  // most stacks need two small pages
    bottom_ = lowest + page();
    extent_ = size_ - page();
    position_ = prepare_stack(lowest + page(), lowest + size_, &begin, this);
#if defined(PARLEY_TSAN)
    race_detector_ = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
    if (memory_ == nullptr) return;
#if defined(PARLEY_TSAN)
    __tsan_destroy_fiber(race_detector_);
#endif
#if defined(PARLEY_ASAN)
    __asan_unpoison_memory_region(bottom_, extent_);  // frames on this stack never returned
#endif
    munmap(memory_, size_);
}

void fiber::begin(void* self) noexcept {
    auto* const me = static_cast<fiber*>(self);
    me->arrive();
    handled_here() = {};
    me->function_(me->argument_);
}

PARLEY_NOT_INSTRUMENTED void fiber::switch_to(fiber& other) noexcept {
    const handled_exceptions mine = handled_here();
    other.came_from_ = this;
#if defined(PARLEY_ASAN)
    __sanitizer_start_switch_fiber(&fake_stack_, other.bottom_, other.extent_);
#endif
#if defined(PARLEY_TSAN)
    // Without memory of its own, this object stands for a thread's own stack. It may have been another thread's the last
    // time.
    if (memory_ == nullptr) race_detector_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(other.race_detector_, 0);
#endif
    switch_stack(&position_, other.position_);
    arrive();
    handled_here() = mine;
}

void fiber::arrive() noexcept {
#if defined(PARLEY_ASAN)
    const void* bottom = nullptr;
    std::size_t extent = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &extent);
    if (came_from_->memory_ == nullptr) {  // a thread's own stack; only the sanitizer knows where it is
        came_from_->bottom_ = bottom;
        came_from_->extent_ = extent;
    }
#endif
}

}  // namespace parley::inline v0::threading
