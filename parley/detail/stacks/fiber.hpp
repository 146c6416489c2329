// A stack to run on, and switching between stacks within a thread. A fiber's stack belongs to one worker, and tasks'
// fibers never change their thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::inline v0::threading {

// The counter behind std::uncaught_exceptions() of the calling thread, on whatever stack it runs.
[[nodiscard]] const unsigned& exceptions_in_flight() noexcept;

class fiber {
public:
    // Makes a fiber of the stack that the calling thread runs on.
    fiber() noexcept = default;

    // Makes a stack of at least `stack_size` bytes, above a page that nobody may touch. 0 stands for a thread's usual
    // size; the least is 256 KiB. function(argument) begins at the first switch and never returns. Throws
    // std::bad_alloc.
    fiber(std::size_t stack_size, void (*function)(void*) noexcept, void* argument);

    ~fiber();
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;

    // Goes on with `other`. This fiber must be the running one; the call returns when somebody goes on with it.
    // Exceptions that are being handled belong to the stack. Takes about 10 ns.
    void switch_to(fiber& other) noexcept;

    // The address of the registers of a fiber that does not run, for debuggers (switch_stack.cpp has their order).
    [[nodiscard]] const void* registers() const noexcept { return position_; }

    fiber* next = nullptr;  // for lists of the fiber's owner

private:
    static void begin(void* self) noexcept;
    void arrive() noexcept;

    void* position_ = nullptr;  // where the registers lie on the stack, while the fiber does not run
    void* memory_ = nullptr;    // null: a thread's own stack
    std::size_t size_ = 0;
    void (*function_)(void*) noexcept = nullptr;
    void* argument_ = nullptr;
    // These are for the sanitizers, and unused without them.
    [[maybe_unused]] void* fake_stack_ = nullptr;
    const void* bottom_ = nullptr;
    std::size_t extent_ = 0;
    [[maybe_unused]] void* race_detector_ = nullptr;
    fiber* came_from_ = nullptr;  // set by the fiber that switches here
};

}  // namespace parley::inline v0::threading
