// The record of a forked call: lives in the frame of fork_join, which outlives it.
#pragma once

#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/task.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>

#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

namespace parley::inline v0::threading {

template <class F, bool MayBeCopied>
class forked : public task {
public:
    using result = std::invoke_result_t<F&>;

    forked(worker& owner, F& call) noexcept : task{&run_for_owner}, state_(&owner), function_(call) {}
    forked(const forked&) = delete;
    forked& operator=(const forked&) = delete;
    ~forked() = default;

    // When nobody has taken it.
    [[gnu::always_inline]] stored<result> call() { return invoke_stored(function()); }

    // When another has taken it: works on until the result is there.
    [[gnu::noinline, gnu::cold]] stored<result> join(worker& self) {
        wait_for_it(self);
        return slot_.take(state_.get());
    }

    // When the other branch has thrown: not run if nobody took it, else awaited and forgotten.
    [[gnu::noinline, gnu::cold]] void abandon(worker& self) noexcept {
        if (self.tasks.pop_if_newest(this)) {
            self.count.tasks.take_off();
            return;
        }
        wait_for_it(self);
        slot_.discard(state_.get());
    }

private:
    // A small closure is copied into the record, where its call then finds everything at once; a
    // larger one, or one that is not just bytes, stays where it is.
    static constexpr bool copied = MayBeCopied && cheap_to_copy<F>();
    using function_word = std::conditional_t<copied, F, std::reference_wrapper<F>>;

    [[gnu::always_inline]] F& function() noexcept { return function_; }

    void wait_for_it(worker& self) {
        self.count.tasks.take_off();  // counted by whoever runs it
        const auto ended = [this] { return state_.get() != sync::outcome::pending; };
        wait_until(self, ended, awaited::forked_call, this);
    }

    static void run_for_owner(task* t, worker& self) {
        auto* const record = static_cast<forked*>(t);
        self.turn_away();
        worker* const owner = record->state_.receiver();  // read before the frame may be gone
        self.count.tasks.add();
        const sync::outcome how = self.cancelling() ? record->slot_.drop() : record->slot_.fill(record->function());
        record->state_.send(how);  // the last access to the frame
        if (owner != &self) owner->raise_and_wake(protocol::bits::news);
        else self.has_ended(record);
    }

    sync::oneshot<worker> state_;
    function_word function_;
    [[no_unique_address]] result_slot<result> slot_;
};

}  // namespace parley::inline v0::threading
