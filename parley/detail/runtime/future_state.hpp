// The place of a future's result, and the task that async() makes, which lies there beside it.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/continuation.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/made_task.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/future_word.hpp>
#include <parley/detail/sync/oneshot.hpp>

#include <bit>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail {

// A future and its task share this: a one-shot channel for the result (TH §4.3, futures as channels). It belongs to the
// future, which is not destroyed before it has seen `done`.
//
// A worker makes it in a cell of task memory if it fits there, or else on the heap. Any thread may destroy the future,
// even after its runtime. What that needs is written into `run` when the task has run.
template <class R>
class future_state : public threading::task {
public:
    sync::future_word done;
    threading::result_slot<R> slot;

    // For a thread that has seen that it is done.
    [[nodiscard]] sync::outcome how() const noexcept { return how_of(done.said()); }

    // Called when the task is done and the slot is empty.
    void free() noexcept { free(done.said()); }
    // Called when the task is done.
    void drop() noexcept {
        const unsigned said = done.said();
        slot.discard(how_of(said));
        free(said);
    }

    using freeing = void (*)(future_state*) noexcept;

protected:
    explicit future_state(function f) noexcept : threading::task{f} {}

    // The task's last access: a thread that sees `done` may free this, by `on_heap` if it lies on the heap.
    template <bool InCell>
    [[gnu::always_inline]] void complete(sync::outcome result, freeing on_heap, threading::worker& self) noexcept {
        run = InCell ? std::bit_cast<function>(&self.cells()) : std::bit_cast<function>(on_heap);
        const void* const what = &done;
        const sync::future_word::woken whom = done.complete(static_cast<unsigned>(result) | (InCell ? in_cell : 0));
        if (!whom.nobody()) threading::tell_of_end(self, whom, what);
    }

    [[nodiscard]] sync::future_word::woken complete_outside(sync::outcome result, freeing on_heap) noexcept {
        run = std::bit_cast<function>(on_heap);
        return done.complete(static_cast<unsigned>(result));
    }

private:
    static constexpr unsigned in_cell = 4;

    [[nodiscard]] static sync::outcome how_of(unsigned said) noexcept { return static_cast<sync::outcome>(said & ~in_cell); }
    void free(unsigned said) noexcept {
        if ((said & in_cell) != 0) threading::free_cell(*std::bit_cast<threading::depot*>(run), this);
        else std::bit_cast<freeing>(run)(this);
    }
};

// The place of a result that no task of its own makes. It lies on the heap.
template <class R>
class promise_state : public future_state<R> {
public:
    promise_state(threading::pool& of, typename future_state<R>::freeing f, threading::continuation* c) noexcept
        : future_state<R>(nullptr), home(of), frees_it(c), frees_(f) {}

    // Called once, by a worker or by a thread outside, for which `self` is null. The state may be gone then.
    void complete_by(threading::worker* self, sync::outcome how) noexcept {
        if (self != nullptr && &self->home() == &home) return this->template complete<false>(how, frees_, *self);
        threading::pool& there = home;
        const threading::staying_inside here(there);
        const sync::future_word::woken whom = this->complete_outside(how, frees_);
        if (!whom.nobody()) threading::tell_of_end_outside(there, whom);
    }

    threading::pool& home;
    // A future that goes before the result comes attaches it and waits for nothing. Null: it has to wait.
    threading::continuation* const frees_it;

private:
    const typename future_state<R>::freeing frees_;
};

// `Whole` is the class that is made, which derives from this one.
template <class Whole, class R, class F, class... Args>
class async_call : public future_state<R> {
public:
    template <class G, class... As>
    explicit async_call(G&& g, As&&... as)
        : future_state<R>(&run_here), wanted_(std::forward<G>(g), std::forward<As>(as)...) {}
    async_call(const async_call&) = delete;
    async_call& operator=(const async_call&) = delete;
    ~async_call() {
        if (!this->done.is_complete()) std::destroy_at(&wanted_);  // the task could not be queued
    }

private:
    static void run_here(threading::task* t, threading::worker& self) {
        auto* const me = static_cast<async_call*>(t);
        self.turn_away();
        self.count_task();
        auto bound = [me]() -> R { return std::apply(std::move(me->wanted_.function), std::move(me->wanted_.arguments)); };
        const sync::outcome ended = self.cancelling() ? me->slot.drop() : me->slot.fill(bound);
        std::destroy_at(&me->wanted_);  // before completion, because objects that it refers to may be destroyed after that
        me->template complete<threading::in_task_memory<Whole>>(
            ended, [](future_state<R>* s) noexcept { delete static_cast<Whole*>(s); }, self);
    }

    struct wanted {
        // Not an aggregate: as one in a union, with empty members, clang 16 crashes on it or compiles it wrongly.
        template <class G, class... As>
        explicit wanted(G&& g, As&&... as) : function(std::forward<G>(g)), arguments(std::forward<As>(as)...) {}
        [[no_unique_address]] F function;
        [[no_unique_address]] std::tuple<Args...> arguments;
    };
    union {
        wanted wanted_;  // until it has run
    };
};

template <class R, class F, class... Args>
class async_task : public async_call<async_task<R, F, Args...>, R, F, Args...> {
public:
    using async_call<async_task, R, F, Args...>::async_call;
};

}  // namespace parley::inline v0::detail
