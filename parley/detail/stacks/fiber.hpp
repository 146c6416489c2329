// A stack to run on, and switching from one to another within a thread. A fiber's stack belongs to one
// worker; fibers of tasks never change their thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::inline v0::threading {

// Where std::uncaught_exceptions() of the calling thread is, of whatever stack it runs on.
[[nodiscard]] const unsigned& exceptions_in_flight() noexcept;

class fiber {
public:
    // Of the stack that the calling thread runs on.
    fiber() noexcept = default;

    // With a stack of its own, at least so many bytes of it (0: as many as a thread has; never less than
    // 256 KiB), below it a page that nobody may touch. function(argument) begins at the first switch and never returns.
    // Throws std::bad_alloc.
    fiber(std::size_t stack_size, void (*function)(void*) noexcept, void* argument);

    ~fiber();
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;

    // Goes on with `other`; returns when somebody goes on with this one, which must be the one that runs.
    // The exceptions that are being handled belong to the stack. About 10 ns.
    void switch_to(fiber& other) noexcept;

    // Of one that does not run: where its registers lie, for debuggers (switch_stack.cpp has their order).
    [[nodiscard]] const void* registers() const noexcept { return position_; }

    fiber* next = nullptr;  // for lists of whoever owns it

private:
    static void begin(void* self) noexcept;
    void arrive() noexcept;

    void* position_ = nullptr;  // of a fiber that does not run: where its registers lie on its stack
    void* memory_ = nullptr;    // null: a thread's own stack
    std::size_t size_ = 0;
    void (*function_)(void*) noexcept = nullptr;
    void* argument_ = nullptr;
    // What the sanitizers know of the stack; unused without them.
    [[maybe_unused]] void* fake_stack_ = nullptr;
    const void* bottom_ = nullptr;
    std::size_t extent_ = 0;
    [[maybe_unused]] void* race_detector_ = nullptr;
    fiber* came_from_ = nullptr;  // set by whoever switches here
};

}  // namespace parley::inline v0::threading
