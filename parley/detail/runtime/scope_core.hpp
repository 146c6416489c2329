// How a scope counts its tasks: by what each worker spawned and finished, nobody sharing a counter.
//
// The worker that made the scope counts in the scope itself; every other worker that comes to run
// or spawn tasks of it gets a line of its own, and threads outside share one. A worker that runs the
// scope's tasks remembers where it counts for it (`current_group`). The scope is complete
// when as many tasks are done as were spawned. The owner reads every `done` first and every
// `spawned` after that:
//   Whoever finishes a task has spawned its children before, so a `done` that is read includes, by
//   acquire, the `spawned` of the same task's children; and a task that is done was spawned. So the
//   tasks seen done are among those seen spawned; equal numbers mean that they are the same ones;
//   then no task that could spawn another is left.
// This is the four-counter idea of the termination detection (protocol/termination.hpp) for the
// tasks of one scope; one reading of each is enough, because nothing but a scope's own tasks and its
// waiting owner adds to it.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/hint.hpp>
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

    // Before a task of this scope.
    [[gnu::always_inline]] void before_task(worker& self) noexcept {
        if (self.group.number == number_) return;
        if (&self == counts_here_.get() && self.group.waiter == current_group::nobody)
            self.group = {number_, &own_, current_group::nobody};
        else enter_group(self);
    }
    // A worker of `home`.
    [[gnu::always_inline]] void count_spawned(worker& self) {
        if (self.group.number == number_) [[likely]]
            self.group.counts->spawned.add();
        else if (&self == counts_here_.get()) own_.spawned.add();
        else count_spawned_elsewhere(self);
    }
    // A spawn that came to nothing (no memory) is a task that is done.
    [[gnu::always_inline]] void count_done(worker& self) noexcept {
        if (self.group.number == number_) [[likely]]
            self.group.counts->done.add();
        else if (&self == counts_here_.get())
            // No other scope's owner waits to be told of this worker: whatever ran inside this task has
            // turned away from others' groups before it returned to it.
            own_.done.add();
        else count_done_outside_group(self);
    }
    void count_spawned_outside();
    // Any thread. Then the scope may be gone.
    void count_done_outside() noexcept;
    // A loop counts its parts by these instead: after the first the second throws nothing, and it may
    // interrupt whatever the worker does, since nothing else of this worker counts what is spawned there.
    // The first throws std::bad_alloc.
    void prepare_counts(const worker& self) { (void)counts_of(self); }
    void count_part(const worker& self) noexcept { count_spawned_elsewhere(self); }

    // Any thread; what the tasks did is visible to the owner alone.
    [[nodiscard]] bool complete() const noexcept {
        return is_anybody_elses() ? complete_with(count_others()) : own_.done.own() == own_.spawned.own();
    }
    [[nodiscard]] bool complete_by_news(const worker& self) noexcept;
    // False: it is not, see there. For the time between two tasks.
    [[nodiscard, gnu::always_inline]] bool may_be_complete(const worker& self) const noexcept {
        const auto own = static_cast<std::int64_t>(own_.spawned.own() - own_.done.own());
        return self.news_seen != news_seen_ || own <= others_ahead_;
    }
    // By the wait loop of the owner. Meanwhile the owner runs tasks of this scope as any other worker would, and
    // reports the end of each, so that the wait goes on in time.
    void wait_is_suspended(bool now) noexcept {
        counts_here_.set(now || owner_->suspended.any_for(this) ? nullptr : owner_);
    }
    // Where only its maker can wait. `what`: what it is to people.
    [[gnu::always_inline]] void wait(awaited what = awaited::scope) noexcept {
        if (!complete()) wait_alone(what);
    }
    // Wherever somebody calls it: see refused.
    enum class refused : std::uint8_t { no, other_worker, second_wait };
    [[nodiscard, gnu::always_inline]] refused wait_unless_refused() noexcept {
        return complete() ? refused::no : wait_for_tasks(awaited::scope);
    }
    // Throws usage_error.
    [[noreturn, gnu::noinline, gnu::cold]] static void throw_refusal(refused why);

    // The first failure stops the others that have not begun.
    void fail(std::exception_ptr failure) noexcept;
    [[gnu::noinline, gnu::cold]] void fail_with_current_exception() noexcept;
    [[gnu::noinline, gnu::cold]] void fail_cancelled() noexcept;
    void request_stop() noexcept {
        stop_requested_.put_up();  // before dropping_: see take_failure()
        dropping_.put_up();
    }
    // Are tasks that have not begun to be dropped?
    [[nodiscard]] bool stopped() const noexcept { return dropping_.is_up(); }

    // After wait(): the first failure, if any, and forgets it. A requested stop stays.
    [[nodiscard, gnu::always_inline]] std::exception_ptr take_failure() noexcept {
        // Whoever fails raises the flag before its task counts as done.
        return dropping_.is_up() ? take_what_was_thrown() : nullptr;
    }

    [[nodiscard]] pool& home() const noexcept { return home_; }
    [[nodiscard]] worker* owner() const noexcept { return owner_; }

private:
    struct alignas(base::cache_line) line : group_counts {};

    // Has anybody but the owner counted? Most scopes are over before that. Whoever else has taken a task of this one puts
    // up the flag, and counts, before anything that it makes of it can come back here, and a thread outside before its
    // task can: while the flag is down here, own_.spawned is all that can be done here.
    [[nodiscard]] bool is_anybody_elses() const noexcept { return !others_.is_down(); }
    [[gnu::noinline]] void wait_alone(awaited what) noexcept;
    [[gnu::noinline]] refused wait_for_tasks(awaited what) noexcept;
    [[gnu::noinline]] refused wait_with_others(awaited what) noexcept;
    [[gnu::noinline]] void enter_group(worker& self) noexcept;
    [[gnu::noinline]] group_counts* counts_of(const worker& self);
    [[gnu::noinline]] void count_spawned_elsewhere(const worker& self);
    [[gnu::noinline]] void count_done_outside_group(worker& self) noexcept;
    // What all others did more than they spawned.
    [[nodiscard]] std::int64_t count_others() const noexcept;
    [[nodiscard]] bool complete_with(std::int64_t ahead) const noexcept {
        return own_.done.own() + static_cast<std::uint64_t>(ahead) == own_.spawned.own();
    }
    [[nodiscard]] std::exception_ptr take_what_was_thrown() noexcept;
    [[nodiscard]] std::uint32_t waiter() const noexcept;
    line* lines();
    void others_count() noexcept;

    // Written by the owner alone, but for failure_.
    group_counts own_;
    std::int64_t others_ahead_ = 0;  // count_others(), as last read by complete_by_news()
    std::uint32_t news_seen_ = 0;
    std::exception_ptr failure_;  // written by whoever put up failed_, read after completion

    // Read by all, written rarely: on a line that the counting above does not touch.
    alignas(base::cache_line) const std::uint64_t number_;
    pool& home_;
    worker* const owner_;
    sync::hint<worker*> counts_here_;   // the owner, but while a wait of its is suspended; others find that they are not it
    sync::installed_once<line> lines_;  // one per worker
    sync::shared_counter outside_spawned_;
    sync::shared_counter orphans_done_;  // of workers that had no memory for a line, visitors, and outside
    sync::flag others_;                  // put up before one of the three above changes
    sync::flag dropping_;
    sync::flag failed_;
    sync::flag stop_requested_;
    sync::flag is_awaited_;  // by somebody who did not find it over at once
};

}  // namespace parley::inline v0::threading
