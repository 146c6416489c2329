// A worker's own part. Only the thread that sits there touches it, and a signal handler on that thread. A thread that
// holds the lock of a kept seat stands for that thread. The pool touches this part before a thread comes and after it
// has gone.
#pragma once

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/driver/interruption.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/counters.hpp>
#include <parley/detail/runtime/splittable.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/sync/counter.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

namespace parley::inline v0::trace {
class recorder;
}  // namespace parley::inline v0::trace

namespace parley::inline v0::threading {

class worker;
struct resumption;

// What one worker counts for one scope: the tasks that it has spawned there, and those that it has done.
struct group_counts {
    sync::published_counter spawned, done;
};

// The scope whose tasks a worker runs at the time, so most of them are counted without a search for the place. The
// thread that waits for them is told when the worker turns to something else. Earlier it would be told in vain.
struct current_group {
    static constexpr std::uint32_t nobody = 0;

    std::uint64_t number = 0;        // that of the scope, or 0 for none; the scope itself may be gone
    group_counts* counts = nullptr;  // valid while a task of the group runs here
    std::uint32_t waiter = nobody;   // for pool::notify(); `nobody` if the worker itself waits
};

// What may a worker's waits take, beside tasks made on its own stack? seats.cpp says which worker gets which value.
enum class takes : std::uint8_t { everything, jobs, nothing };

// The state that belongs to the running stack. It is saved while the thread runs on another one.
struct stack_state {
    std::uint32_t depth = 0;           // wait loops on this stack, and tasks on it that were run at once
    std::uint32_t spawned_inline = 0;  // nested spawns that were run at once (worker::run_when_full)
    void* kept_by_task = nullptr;      // a pointer that its tasks keep (tasking/frame.hpp)
    resumption* coroutines = nullptr;  // where coroutines run on it, or null (coroutine.hpp)
};

// How often the worker has lowered bits of its attention word.
struct bits_heard {
    std::uint32_t news = 0;    // bits::news
    std::uint32_t waking = 0;  // any bit that may wake it
};

// What the waits of a worker must not take.
struct restrictions {
    takes may_take = takes::everything;
    bool isolated = false;     // they take nothing foreign (isolation.hpp)
    std::uint64_t region = 0;  // the number of the last outermost isolation, the same wherever its tasks run
    bool draining = false;     // they take nothing beyond what the worker has (finish_suspended() in handing_on.cpp)

    // The number of the isolation that runs, or 0.
    [[nodiscard]] std::uint64_t region_that_runs() const noexcept { return isolated ? region : 0; }
    [[nodiscard]] bool take_work() const noexcept { return !isolated && !draining && may_take == takes::everything; }
    [[nodiscard]] bool take_jobs() const noexcept { return !isolated && !draining && may_take != takes::nothing; }
};

// Is there something to look at between two tasks (driver/own_tasks.hpp)?
struct looks_between_tasks {
    bool now = false;     // it asks early, is shown on a timeline, or may have high tasks
    bool always = false;  // for one of the first two reasons
};

// The blocking regions that its stack is in. Meanwhile the worker lends its place (blocking.cpp).
struct blocked_state {
    std::uint32_t regions = 0;
    bool lends = false;
    bool may_lend = false;
    bool briefly = false;  // its last region was short
    std::chrono::steady_clock::time_point since;
};

// Tasks that have come and lie in no deque yet.
struct tasks_in_hand {
    task* job = nullptr;  // a job that was taken while the deque was not empty (thread_medium::take_job())
    // A message with tasks that were made inside an isolation elsewhere. It stays here until the wait that received it
    // begins these tasks (isolation.hpp).
    task* isolated_message = nullptr;
    bool isolated_message_is_high = false;
    std::uint64_t isolated_in = 0;  // the number of that isolation
};

// The answers that the worker has sent last. It may take them back where their thieves do not begin them
// (driver/taking_back.hpp). Such an answer is known by its address, and nobody looks at what lies there.
class sent_answers {
public:
    struct one {
        protocol::request_id request;
        const task* message;
    };
    // Forgets the oldest one if there are too many: its thief has probably begun it.
    void add(one sent) noexcept {
        if (count_ == most) (void)take_oldest();
        last_[(first_ + count_++) % most] = sent;
    }
    [[nodiscard]] bool any() const noexcept { return count_ != 0; }
    // Forgets the oldest ones until one is wanted. False: none is.
    template <class Wanted>
    [[nodiscard]] bool forget_until(const Wanted& is_wanted) noexcept {
        while (any() && !is_wanted(last_[first_].request)) (void)take_oldest();
        return any();
    }
    // There must be one.
    one take_oldest() noexcept {
        --count_;
        return last_[std::exchange(first_, (first_ + 1) % most)];
    }

private:
    static constexpr std::uint32_t most = 8;

    std::array<one, most> last_{};
    std::uint32_t first_ = 0, count_ = 0;
};

// The workers that its thread is besides.
struct seated_as {
    worker* outer = nullptr;               // the worker of another runtime that this thread is, further up its stack
    worker* came_from = nullptr;           // what `current` was when this thread sat down here
    const unsigned* exceptions = nullptr;  // std::uncaught_exceptions() of its thread, which is cheaper to read here
};

struct own_state {
    own_state(depot& cells, std::size_t stack_size) : memory(cells), suspended(stack_size) {}

    // These concern both deques of tasks.
    [[nodiscard]] std::size_t queued() const noexcept { return tasks.size() + high.size(); }
    void hold_all() noexcept {
        tasks.hold_all();
        high.hold_all();
    }
    void let_go() noexcept {
        tasks.let_go();
        high.let_go();
    }
    // Was the oldest task of this deque, one of the worker's two, made inside the isolation that runs?
    [[nodiscard]] bool is_inside(const deque& own) const noexcept { return limits.isolated && own.front_is_inside(); }
    // The number of that isolation, or 0.
    [[nodiscard]] std::uint64_t region_of(const deque& own) const noexcept { return is_inside(own) ? limits.region : 0; }

    deque tasks;
    counters count;  // others read it; the fast path touches this and the deque, so they lie together
    task_memory memory;
    current_group group;
    stack_state stack;
    bits_heard heard;
    restrictions limits;
    looks_between_tasks looks;
    blocked_state blocked;
    trace::recorder* record = nullptr;  // null: the worker is not recorded
    weighed weighs;
    core_losses core_lost;
    bool puts_off = false;  // it puts off requests that rest (policy/pace.hpp)
    // Since its keeper came, the worker has waited, blocked, or queued high tasks. So it may have a request out, an
    // open mailbox, an answer in its channel, a job in hand, or a suspended wait.
    bool must_tidy = false;
    tasks_in_hand in_hand;
    sent_answers sent;
    suspended_waits suspended;
    running_loops loops;
    interruptions signals;  // they are off where a handler would disturb what this worker does
    note_of_handler note;
    seated_as sits;
    std::exception_ptr failure;  // what a task that nobody awaits has thrown, on its way to roots::keep_failure()
    std::chrono::steady_clock::time_point collected;  // when the worker last came for tasks in kept seats (wanting.hpp)
    deque high;                                       // tasks of high priority
    remembered_loops loops_before;

    static constexpr std::uint64_t group_mask = (1U << 16) - 1;
    std::uint64_t last_group = group_mask;  // so the next number is the first of new ones (worker::new_group)
};

}  // namespace parley::inline v0::threading
