// Waits that have let go of the processor.
//
// While a task waits its worker does something else. On top of its stack it may do what the wait is for,
// and tasks that were in its deque before it began: those are its children or older than it, and can not
// need it. A task that came from elsewhere can: run on top of a task that it waits for, it would wait for
// ever, and even if not, it would keep a wait from returning that is long over ("buried joins",
// TH §4.3.2). So such a task begins on a stack of its own (fiber), and whoever waits goes on as soon as
// its condition holds and the worker looks again.
//
// This rests on the order of the deque: from old to new, as they were made.
//
// Invariant: whatever is in the deque and was not put there by the frames of the running stack is held
// there (deque::hold_all), so that a wait does not run it on top of them.
#pragma once

#include <parley/runtime/fiber.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace parley::inline v0::threading {

class worker;

struct suspended_wait {
    bool can_go_on() const { return holds(condition); }

    bool (*holds)(void* condition);
    void* condition;
    fiber* on = nullptr;
    suspended_wait* newer = nullptr;
    suspended_wait* older = nullptr;
};

// Of one worker.
class suspended_waits {
public:
    // What a helper does until a suspended wait can go on; returns that.
    using helping_work = suspended_wait* (*)(worker&);

    explicit suspended_waits(std::size_t stack_size) noexcept;
    ~suspended_waits();

    [[nodiscard]] bool any() const noexcept { return oldest_ != nullptr; }
    // So many that beginning more of what is somebody else's should take its time.
    [[nodiscard]] bool many() const noexcept { return count_ >= begins_to_be_many; }

    // One that can go on, or null. Of few all are looked at, the oldest first; of many the newest, and some
    // of the others in turn.
    [[nodiscard]] suspended_wait* ready() noexcept;
    // Before sleeping.
    [[nodiscard]] bool any_ready() const;

    // A stack for tasks from elsewhere; null without memory for it.
    [[nodiscard]] fiber* helper(worker& self, helping_work work) noexcept;

    // Of the stack that runs: 0 is the thread's own, the helpers' are counted from 1.
    [[nodiscard]] std::uint16_t number_of_stack() const noexcept;

    // Go on with another wait, or with a helper; return when `wait` is gone on with.
    void suspend(suspended_wait& wait, suspended_wait& other) noexcept;
    void suspend(suspended_wait& wait, fiber& helper) noexcept;

private:
    struct helping;

    static constexpr std::size_t begins_to_be_many = 64;
    static constexpr std::size_t looks = 16;

    static void begin_helping(void* fiber_of_helper) noexcept;
    void add(suspended_wait& wait) noexcept;
    void remove(const suspended_wait& wait) noexcept;
    void switch_to(fiber& other) noexcept;

    fiber own_;  // of whichever thread the worker is
    fiber* running_ = &own_;
    suspended_wait* oldest_ = nullptr;
    suspended_wait* newest_ = nullptr;
    suspended_wait* turn_ = nullptr;  // who is looked at next, null: the oldest
    std::size_t count_ = 0;
    fiber* idle_ = nullptr;  // helpers that have nothing to do
    std::uint64_t floating_point_control_ = 0;  // of the wait that the next helper helps
    std::vector<std::unique_ptr<helping>> helpers_;
    std::size_t stack_size_;
};

}  // namespace parley::inline v0::threading
