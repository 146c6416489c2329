// The promise of every coroutine of ours begins with such an object, which knows how the coroutine goes on. The worker that
// runs the coroutine touches it, and while it waits, the one that completes what it waits for.
//
// A coroutine that suspends says which one is to go on instead, and returns to the loop that has resumed it (a
// `resumption`). That loop is symmetric transfer in every build: compilers jump from one coroutine to another only where
// they optimise and no sanitizer is at work. So chains and loops of awaits use no stack.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/continuation.hpp>
#include <parley/detail/sync/future_word.hpp>
#include <parley/errors.hpp>

#include <coroutine>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace parley::inline v0::threading {

class coroutine;
class pool;
class worker;

// A stretch of time in which coroutines go on, one after another, at one place of a stack. It lies at that place.
struct resumption {
    std::coroutine_handle<> next;  // goes on when the running one has suspended or ended
    std::uint64_t number;          // no other one of the process has it
    bool ends = false;             // the running one has ended
};

// What the coroutines of one chain have in common, each of which awaits the next. It belongs to the first of them, which
// nobody awaits directly.
struct chain {
    // Called by a worker of `home` when the first coroutine has ended. It may destroy the coroutine.
    using function = void (*)(coroutine& first, worker& self) noexcept;
    function end;
    pool* home;
    void* of;  // what waits for the chain: the word of its future, its scope, or null
    std::stop_token stop;
};

class coroutine : public awaiting_job {
public:
    explicit coroutine(std::coroutine_handle<> frame) noexcept
        : awaiting_job(&begin, &what_it_awaits_has_come), frame_(frame) {}

    // Makes it the first of a chain. The caller queues it, which is a task then, or has begin() called by another one.
    void begin_chain(chain c) noexcept { chain_ = &own_chain_.emplace(std::move(c)); }
    static void begin(task* t, worker& self);
    // Lets `parent` await it, which has suspended: it begins now. Throws `cancelled` if a stop was requested.
    void begin_for(coroutine& parent);

    // Must it keep its stack while it waits? Waits inside an isolation take no jobs, and it would be one. Throws
    // `cancelled`.
    [[nodiscard]] bool must_stay(bool is_from_elsewhere) const;
    // Lets the coroutine that runs, this one, await the word. `is_from_elsewhere`: it may be completed by others than
    // tasks of this runtime. False: it need not suspend. Throws `cancelled`, and what starting the threads throws.
    [[nodiscard]] bool suspend_until(sync::future_word& done, bool is_from_elsewhere);
    // Prepares for a continuation that calls go_on() in the end, or for never_mind(). Throws what suspend_until() throws.
    void begin_to_suspend(bool is_from_elsewhere);
    void never_mind() const noexcept;
    void go_on(worker* self) noexcept;
    // Lets it go on in another runtime. False: it is there.
    [[nodiscard]] bool suspend_and_go_to(pool& there);

    // Called when it has suspended for the last time. Then it may be gone.
    void has_ended() noexcept;

    [[nodiscard]] const std::stop_token& stop() const noexcept { return chain_->stop; }
    [[nodiscard]] void* belongs_to() const noexcept { return chain_->of; }
    [[nodiscard]] std::coroutine_handle<> frame() const noexcept { return frame_; }

protected:
    ~coroutine() = default;

private:
    static void go_on_here(task* t, worker& self);
    static void end_here(task* t, worker& self);
    static void what_it_awaits_has_come(continuation* c, worker* self) noexcept;

    void check(worker& self) const;
    void resume(worker& self) noexcept;
    [[nodiscard]] static coroutine* take_if_it_is_next(worker& self, const sync::future_word& result) noexcept;

    const std::coroutine_handle<> frame_;
    coroutine* parent_ = nullptr;  // awaits this one directly
    chain* chain_ = nullptr;
    std::uint64_t suspended_in_ = 0;  // the number of the resumption
    std::optional<chain> own_chain_;
};

}  // namespace parley::inline v0::threading
