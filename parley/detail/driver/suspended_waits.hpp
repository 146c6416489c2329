// Suspended waits, which have let go of their worker. While a task waits its worker does something else:
//
// 1. On top of the wait's stack it may run what the wait is for, and tasks that were in the deque before the wait began.
//    These are the task's children or older than it, so they cannot wait for it.
// 2. A task that came from elsewhere may wait for it. Such a task could wait for ever on top of it, and in any case delays
//    its return ("buried joins", TH §4.3.2).
// 3. So a task from elsewhere begins on a stack of its own (fiber). The suspended wait goes on when its condition holds and
//    the worker looks again (I7).
//
// This needs two properties of the deque. Its tasks lie in the order in which they were made. Tasks that other stacks'
// frames have put there are held (deque::hold_all), so that no wait runs them on top of its frames.
#pragma once

#include <parley/detail/driver/suspended_wait.hpp>
#include <parley/detail/stacks/fiber.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace parley::inline v0::threading {

// The suspended waits of one worker, and its stacks.
class suspended_waits {
public:
    // This function works for `worker` on a helper's stack until a suspended wait can go on, and returns that wait.
    using helping_work = suspended_wait* (*)(void* worker);

    explicit suspended_waits(std::size_t stack_size) noexcept;
    ~suspended_waits();  // waits that are suspended by then never go on
    suspended_waits(const suspended_waits&) = delete;
    suspended_waits& operator=(const suspended_waits&) = delete;

    [[nodiscard]] bool any() const noexcept { return count_ != 0; }
    // Are there so many that the worker should take its time before it begins more of others' tasks?
    [[nodiscard]] bool many() const noexcept { return count_ >= begins_to_be_many; }

    // Returns a wait that can go on, or null. `news`: how often this worker has taken note of news. A wait with a cause
    // is looked at when it is new, when its cause has ended here, and once after each news. A wait without a cause is
    // looked at each time. One call asks a bounded number of conditions, so after news it may take several calls to ask
    // all.
    [[nodiscard]] suspended_wait* ready(std::uint32_t news) noexcept;
    // Would ready() ask the condition of a wait with a cause?
    [[nodiscard]] bool has_to_look(std::uint32_t news) const noexcept { return news != news_seen_ || !to_look_at_.empty(); }
    [[nodiscard]] bool any_without_cause() const noexcept { return !without_cause_.empty(); }
    // Asks all waits, before the worker sleeps. So an end that nobody has reported only delays a wait. True: ready()
    // finds a wait.
    [[nodiscard]] bool any_ready(std::uint32_t news) noexcept;
    // The first time at which one of them may go on without anybody's doing. O(number of waits without a cause).
    [[nodiscard]] deadline first_deadline() const noexcept;
    [[nodiscard]] bool any_for(const void* cause) noexcept { return by_cause_.find(cause) != nullptr; }

    // Says that something has ended on this worker. True: a wait can go on, and ready() returns it next (the last one
    // if there are several). Then this counts as one news; the caller must count one, too, so that the waits are not
    // all asked.
    [[nodiscard]] bool ended(const void* cause) noexcept;

    // Returns a stack for tasks from elsewhere, or null without memory for it.
    [[nodiscard]] fiber* helper(void* worker, helping_work work) noexcept;

    // The stack that the worker runs on, or has run on last.
    [[nodiscard]] fiber& running() noexcept { return *running_; }

    // The number of the helper that begins. Helpers are counted from 1; the thread's own stack has 0.
    [[nodiscard]] std::uint16_t number_of_stack() const noexcept { return number_of_stack_; }

    // Suspends `wait` and goes on with another wait or a helper. Returns when somebody goes on with `wait`.
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

    fiber own_;  // the stack of the worker's present thread
    fiber* running_ = &own_;
    // Each wait is in one of these lists. A wait is quiet if nothing can have made it ready since it was looked at.
    wait_list to_look_at_;
    wait_list quiet_;
    wait_list without_cause_;
    waits_by_cause by_cause_;
    std::size_t count_ = 0;
    std::uint32_t news_seen_ = 0;
    fiber* idle_ = nullptr;                     // helpers that have nothing to do, as a list
    std::uint64_t floating_point_control_ = 0;  // of the wait that the next helper helps
    std::vector<std::unique_ptr<helping>> helpers_;
    std::size_t stack_size_;
    std::uint16_t number_of_stack_ = 0;
};

}  // namespace parley::inline v0::threading
