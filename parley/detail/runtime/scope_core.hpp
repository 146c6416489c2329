// Counts the tasks of a scope, by what each worker has spawned and done. Workers share no counter.
//
// The worker that made the scope counts in the scope itself. Each other worker that runs or spawns tasks of it gets a
// line of its own. Threads outside share one. A worker that runs the scope's tasks remembers where it counts for it
// (`current_group`).
//
// The scope is complete when as many tasks are done as were spawned. The owner reads each `done` first, and after that
// each `spawned`:
//   1. A worker counts the children of a task as spawned before it counts the task as done. So the owner that reads a
//      task in `done` has, by acquire, its children in `spawned`.
//   2. A task that is done was spawned. So the tasks that the owner sees done are among those that it sees spawned.
//   3. If the two numbers are equal, they count one set of tasks. Then no task is left that could spawn another.
// The detection of termination counts like this (protocol/termination.hpp), and reads its counters twice. Here one
// reading is enough. Only the scope's own tasks and its waiting owner add to its counts.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/errors.hpp>

#include <cstdint>
#include <exception>
#include <memory>

namespace parley::inline v0::threading {

class scope_core {
public:
    // `owner`: the calling worker, or null for a thread outside.
    scope_core(pool& home, worker* owner) noexcept
        : number_(owner != nullptr ? owner->new_group() : worker::some_groups()),
          home_(home),
          owner_(owner),
          counts_here_(owner) {}
    scope_core(const scope_core&) = delete;
    scope_core& operator=(const scope_core&) = delete;
    ~scope_core() {
        if (is_anybody_elses()) [[unlikely]]
            delete[] lines_.get();
    }

    // Called before a task of this scope.
    [[gnu::always_inline]] void before_task(worker& self) noexcept {
        if (self.own_part().group.number == number_) return;
        if (&self == counts_here_.get() && self.own_part().group.waiter == current_group::nobody)
            self.own_part().group = {number_, &own_, current_group::nobody};
        else enter_group(self);
    }
    // `self` is a worker of `home`.
    [[gnu::always_inline]] void count_spawned(worker& self) {
        if (self.own_part().group.number == number_) [[likely]]
            self.own_part().group.counts->spawned.add();
        else if (&self == counts_here_.get()) own_.spawned.add();
        else count_spawned_elsewhere(self);
    }
    // A spawn that fails for want of memory counts as a task that is done.
    [[gnu::always_inline]] void count_done(worker& self) noexcept {
        if (self.own_part().group.number == number_) [[likely]]
            self.own_part().group.counts->done.add();
        else if (&self == counts_here_.get())
            // No other scope's owner waits to be told by this worker. All that ran inside this task has turned away
            // from others' groups before it returned to the task.
            own_.done.add();
        else count_done_outside_group(self);
    }
    void count_spawned_outside();
    // Any thread may call this. After the call the scope may be gone.
    void count_done_outside() noexcept;
    // A loop counts its parts by these two instead. prepare_counts() throws std::bad_alloc. After that count_part()
    // throws nothing, and may interrupt whatever the worker does: nothing else of this worker counts what is spawned
    // there.
    void prepare_counts(const worker& self) { (void)counts_of(self); }
    void count_part(const worker& self) noexcept { count_spawned_elsewhere(self); }

    // A number that no other scope of the process has.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

    // Any thread may ask. What the tasks did is visible to the owner alone.
    [[nodiscard]] bool complete() const noexcept {
        return is_anybody_elses() ? complete_with(count_others()) : own_.done.own() == own_.spawned.own();
    }
    [[nodiscard]] bool complete_by_news(const worker& self) noexcept;
    // False: the scope is incomplete; complete_by_news() proves it. Called between two tasks.
    [[nodiscard, gnu::always_inline]] bool may_be_complete(const worker& self) const noexcept {
        const auto own = static_cast<std::int64_t>(own_.spawned.own() - own_.done.own());
        return self.own_part().heard.news != news_seen_ || own <= others_ahead_;
    }
    // Called by the owner's wait loop when the wait is suspended and when it goes on. While it is suspended, the owner
    // runs tasks of this scope as any other worker would, and reports the end of each. So the wait goes on in time.
    void wait_is_suspended(bool now) noexcept {
        counts_here_.set(now || owner_->own_part().suspended.any_for(this) ? nullptr : owner_);
    }
    // For scopes that only their maker can wait for. `what`: what the scope is to people.
    [[gnu::always_inline]] void wait(awaited what = awaited::scope) noexcept {
        if (!complete()) wait_alone(what);
    }
    // For scopes that any thread may try to wait for. Returns why the wait is refused, if it is.
    enum class refused : std::uint8_t { no, other_worker, second_wait };
    [[nodiscard, gnu::always_inline]] refused wait_unless_refused() noexcept {
        if (!complete()) return wait_for_tasks(awaited::scope);
        if (is_anybody_elses()) [[unlikely]]
            burst_ends();
        return refused::no;
    }
    // Throws usage_error.
    [[noreturn, gnu::noinline, gnu::cold]] static void throw_refusal(refused why);

    // Takes note of a failure. The first one stops the tasks that have not begun.
    void fail(std::exception_ptr failure) noexcept;
    [[gnu::noinline, gnu::cold]] void fail_with_current_exception() noexcept;
    [[gnu::noinline, gnu::cold]] void fail_cancelled() noexcept;
    void request_stop() noexcept {
        stop_requested_.put_up();  // before dropping_, as take_what_was_thrown() needs it
        dropping_.put_up();
    }
    // Are tasks that have not begun to be dropped?
    [[nodiscard]] bool stopped() const noexcept { return dropping_.is_up(); }

    // Called after wait(): returns the first failure, if any, and forgets it. A requested stop stays.
    [[nodiscard, gnu::always_inline]] std::exception_ptr take_failure() noexcept {
        // A task that fails raises the flag before it counts as done.
        return dropping_.is_up() ? take_what_was_thrown() : nullptr;
    }

    [[nodiscard]] pool& home() const noexcept { return home_; }
    [[nodiscard]] worker* owner() const noexcept { return owner_; }

private:
    struct alignas(base::cache_line) line : group_counts {};

    // Has anybody but the owner counted? Most scopes are over before that.
    //   1. Another worker that has taken a task of the scope puts up the flag, and counts. Both come before anything
    //      that it makes of that task can come back here.
    //   2. A thread outside does both before its task can come here.
    //   3. So while the flag is down, own_.spawned counts all tasks that can be done here.
    [[nodiscard]] bool is_anybody_elses() const noexcept { return !others_.is_down_acquire(); }
    [[gnu::noinline]] void burst_ends() const noexcept;
    [[gnu::noinline]] void wait_alone(awaited what) noexcept;
    [[gnu::noinline]] refused wait_for_tasks(awaited what) noexcept;
    [[gnu::noinline]] refused wait_with_others(awaited what) noexcept;
    [[gnu::noinline]] void enter_group(worker& self) noexcept;
    [[gnu::noinline]] group_counts* counts_of(const worker& self);
    [[gnu::noinline]] void count_spawned_elsewhere(const worker& self);
    [[gnu::noinline]] void count_done_outside_group(worker& self) noexcept;
    // Returns how many tasks all others have done more than they have spawned.
    [[nodiscard]] std::int64_t count_others() const noexcept;
    [[nodiscard]] bool complete_with(std::int64_t ahead) const noexcept {
        return own_.done.own() + static_cast<std::uint64_t>(ahead) == own_.spawned.own();
    }
    [[nodiscard]] std::exception_ptr take_what_was_thrown() noexcept;
    [[nodiscard]] std::uint32_t waiter() const noexcept;
    line* lines();
    void others_count() noexcept;

    // The owner alone writes these, except failure_.
    group_counts own_;
    std::int64_t others_ahead_ = 0;  // count_others(), as last read by complete_by_news()
    std::uint32_t news_seen_ = 0;
    std::exception_ptr failure_;  // written by the thread that put up failed_, read after completion

    // All read these, and they are seldom written. So they are not on the line that the counting above touches.
    alignas(base::cache_line) const std::uint64_t number_;
    pool& home_;
    worker* const owner_;
    // The owner; null while a wait of the owner is suspended.
    sync::hint<worker*> counts_here_;
    sync::installed_once<line> lines_;  // one per worker
    sync::shared_counter outside_spawned_;
    sync::shared_counter orphans_done_;  // by workers without memory for a line, by visitors, and by threads outside
    sync::flag others_;                  // put up before one of the three above changes
    sync::flag dropping_;
    sync::flag failed_;
    sync::flag stop_requested_;
    sync::flag is_awaited_;  // by a thread that did not find the scope complete at once
};

}  // namespace parley::inline v0::threading
