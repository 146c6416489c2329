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

#include <parley/detail/runtime/suspended_wait.hpp>
#include <parley/detail/stacks/fiber.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace parley::inline v0::threading {

class worker;

// Of one worker.
class suspended_waits {
public:
    // What a helper does until a suspended wait can go on; returns that.
    using helping_work = suspended_wait* (*)(worker&);

    explicit suspended_waits(std::size_t stack_size) noexcept;
    ~suspended_waits();

    [[nodiscard]] bool any() const noexcept { return count_ != 0; }
    // So many that beginning more of what is somebody else's should take its time.
    [[nodiscard]] bool many() const noexcept { return count_ >= begins_to_be_many; }

    // One that can go on, or null. `news`: how often this worker has taken note of news. A wait with a cause is looked
    // at when it is new, when its cause has ended here, and once after each news; one without at any time. A call
    // asks a bounded number of conditions, so that after news among many it takes several calls to look at all.
    [[nodiscard]] suspended_wait* ready(std::uint32_t news) noexcept;
    // Would ready() ask any condition of a wait with a cause?
    [[nodiscard]] bool has_to_look(std::uint32_t news) const noexcept { return news != news_seen_ || !to_look_at_.empty(); }
    [[nodiscard]] bool any_without_cause() const noexcept { return !without_cause_.empty(); }
    // Before sleeping: asks all, so that an end that nobody has reported delays a wait and no more. Then ready() finds
    // one.
    [[nodiscard]] bool any_ready(std::uint32_t news) noexcept;
    // When one of them may go on by itself. O(number of those without a cause).
    [[nodiscard]] deadline first_deadline() const noexcept;
    [[nodiscard]] bool any_for(const void* cause) noexcept { return by_cause_.find(cause) != nullptr; }

    // This worker has ended something. True: a wait can go on now, and is the next that ready() returns (the last of
    // several). The caller then counts one more of its news, as this does, and so none that is to be looked after.
    [[nodiscard]] bool ended(const void* cause) noexcept;

    // A stack for tasks from elsewhere; null without memory for it.
    [[nodiscard]] fiber* helper(worker& self, helping_work work) noexcept;

    // Of the helper that begins: they are counted from 1, and 0 is the thread's own stack.
    [[nodiscard]] std::uint16_t number_of_stack() const noexcept { return number_of_stack_; }

    // Go on with another wait, or with a helper; return when `wait` is gone on with.
    void suspend(suspended_wait& wait, suspended_wait& other) noexcept;
    void suspend(suspended_wait& wait, fiber& helper) noexcept;

private:
    struct helping;

    static constexpr std::size_t begins_to_be_many = 64;
    static constexpr std::size_t looks = 16;

    static void begin_helping(void* fiber_of_helper) noexcept;
    void take_note_of(std::uint32_t news) noexcept;
    [[nodiscard]] suspended_wait* look_at_next() noexcept;
    void is_next(suspended_wait& w) noexcept;
    void add(suspended_wait& wait) noexcept;
    void remove(suspended_wait& wait) noexcept;
    void switch_to(fiber& other) noexcept;

    fiber own_;  // of whichever thread the worker is
    fiber* running_ = &own_;
    // Each wait is in one of these. Those that nothing can have made ready since they were looked at are quiet.
    wait_list to_look_at_;
    wait_list quiet_;
    wait_list without_cause_;
    waits_by_cause by_cause_;
    std::size_t count_ = 0;
    std::uint32_t news_seen_ = 0;
    fiber* idle_ = nullptr;                     // helpers that have nothing to do
    std::uint64_t floating_point_control_ = 0;  // of the wait that the next helper helps
    std::vector<std::unique_ptr<helping>> helpers_;
    std::size_t stack_size_;
    std::uint16_t number_of_stack_ = 0;
};

}  // namespace parley::inline v0::threading
