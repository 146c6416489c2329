// The record of a forked call. It lives in the frame of fork_join, which outlives it.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/result.hpp>
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

    // Calls the function. Used if nobody has taken the record.
    [[gnu::always_inline]] stored<result> call() { return invoke_stored(function()); }

    // Works on until the result is there, and returns that. Used if another worker has taken the record.
    [[gnu::noinline, gnu::cold]] stored<result> join(worker& self) {
        wait_for_it(self);
        return slot_.take(state_.get());
    }

    // Used if the other branch has thrown. The record is not run if nobody took it. Otherwise its result is awaited and
    // dropped.
    [[gnu::noinline, gnu::cold]] void abandon(worker& self) noexcept {
        if (self.pop_if_newest(this)) {
            self.count_task_of_another();
            return;
        }
        wait_for_it(self);
        slot_.discard(state_.get());
    }

private:
    // A small closure is copied into the record, so that its call finds everything at once. A larger closure stays
    // where it is, and so does one that is not just bytes.
    static constexpr bool copied = MayBeCopied && cheap_to_copy<F>();
    using function_word = std::conditional_t<copied, F, std::reference_wrapper<F>>;

    [[gnu::always_inline]] F& function() noexcept { return function_; }

    void wait_for_it(worker& self) {
        self.count_task_of_another();  // the worker that runs it counts it
        const auto ended = [this] { return state_.get() != sync::outcome::pending; };
        wait_until(self, ended, awaited::forked_call, this);
    }

    static void run_for_owner(task* t, worker& self) {
        auto* const record = static_cast<forked*>(t);
        self.turn_away();
        worker* const owner = record->state_.receiver();  // read while the frame is sure to be there
        self.count_task();
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
