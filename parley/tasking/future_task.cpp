#include <parley/tasking/future_task.hpp>

#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/tasking/complain.hpp>
#include <parley/tasking/frame.hpp>
#include <parley/tasking/record.hpp>
#include <parley/tasking/session.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace parley::inline v0::tasking {

namespace {

static_assert(sizeof(future_task) == sizeof(threading::cell));

[[noreturn, gnu::cold]] void complain_of_second_await() noexcept {
    complain("AWAIT of a future that has been awaited already; each is awaited once");
}

}  // namespace

// Runs the task if a thief has taken it from the deque, or if its own worker comes to it in another wait.
void future_task::run_here(threading::task* t, threading::worker& self) noexcept {
    auto* const me = static_cast<future_task*>(t);
    self.turn_away();
    self.count_task();
    me->how_ = me->fill(self);
    const void* const what = &me->done_;
    const sync::completion::woken whom = me->done_.complete();  // the last access to the future
    if (!whom.nobody()) threading::tell_of_end(self, whom, what);
}

// The call has read its arguments before it writes the result over them. The exception leaves the catch block before it
// is published, because its bookkeeping belongs to this thread until then.
sync::outcome future_task::fill(threading::worker& self) noexcept {
    std::exception_ptr failure;
    try {
        task_frame here(self);
        call_(arguments(), arguments());
        here.sync();
        return sync::outcome::value;
    } catch (...) {
        failure = std::current_exception();
    }
    keep(self, std::move(failure));
    return sync::outcome::error;
}

void future_task::keep(const threading::worker& self, std::exception_ptr failure) noexcept {
    if (!is_large_) ::new (room_.data()) kept*(current_session()->at(self).kept.add(0));
    kept_here()->failure = std::move(failure);
}

// The functions up to await() are the fast path, inlined into one function.
[[gnu::always_inline]] inline void future_task::require(ticket t) const noexcept {
    if (ticket_.get() != t) [[unlikely]]
        complain_of_second_await();
}

[[gnu::always_inline]] inline void future_task::free(threading::worker& self) noexcept {
    if (is_large_ || how_ == sync::outcome::error) [[unlikely]]
        kept_list::drop(kept_here());
    ticket_.set(ticket::none);
    current_session()->at(self).futures.free(this);
}

// Takes the task back if it is the newest one, and if this stack may run it and is not too deep. So does any wait
// (driver/suspended_waits.hpp). A task that runs in a wait is in no blocking region, because the wait loop leaves it.
[[gnu::always_inline]] inline bool future_task::take_back(threading::worker& self) noexcept {
    if (self.depth() >= threading::deepest_on_one_stack || self.is_blocking()) [[unlikely]]
        return false;
    threading::task* const newest = self.pop();
    if (newest == this) [[likely]]
        return true;
    if (newest != nullptr) self.push(newest);  // the wait begins with it
    return false;
}

[[gnu::always_inline]] inline void future_task::call_here(threading::worker& self, void* result) {
    ticket_.set(ticket::called);
    self.count_task();
    const threading::worker::one_deeper not_the_root(self);
    const struct back {
        future_task* me;
        threading::worker& self;
        ~back() {
            if (me->done_.is_asked_for()) [[unlikely]]
                complain_of_second_await();
            me->free(self);
        }
    } at_end{this, self};
    task_frame here(self);
    call_(arguments(), result);
    here.sync();
}

[[gnu::always_inline]] inline void future_task::await(threading::worker& self, ticket t, void* result) {
    if (!done_.is_complete() && take_back(self)) [[likely]]
        call_here(self, result);
    else await_elsewhere(self, t, result);
}

void future_task::await_elsewhere(threading::worker& self, ticket t, void* result) {
    wait_for_it(self, t);
    if (how_ == sync::outcome::error) [[unlikely]] {
        std::exception_ptr failure = std::exchange(kept_here()->failure, nullptr);
        free(self);
        std::rethrow_exception(std::move(failure));
    }
    if (const std::size_t bytes = result_bytes(); bytes != 0) std::memcpy(result, arguments(), bytes);
    free(self);
}

void future_task::wait_for_it(threading::worker& self, ticket t) noexcept {
    if (!ticket_.move(t, ticket::awaited)) complain_of_second_await();
    if (!done_.announce(threading::waiter_number(self.id()))) return;
    const auto ended = [this] { return done_.is_complete() || ticket_.get() != ticket::awaited; };
    threading::wait_until(self, ended, threading::awaited::future, &done_);
    if (!done_.is_complete()) complain_of_second_await();
}

namespace {

parley_tasking_future make(parley_tasking_future_call call, std::size_t result_bytes, kept* large, session& now,
                           const threading::worker& self) {
    session::place& here = now.at(self);
    const std::uint64_t number = here.next_ticket;
    void* const made = ::new (here.futures.allocate()) future_task(call, ticket{number}, result_bytes, large);
    here.next_ticket += session::ticket_step;
    return {made, number};
}

}  // namespace
}  // namespace parley::inline v0::tasking

using namespace parley;  // NOLINT(google-build-using-namespace): what follows has C's names

extern "C" {

parley_tasking_future parley_tasking_small_future(parley_tasking_future_call call, size_t result_bytes) {
    const threading::worker& self = tasking::this_worker("FUTURE");
    tasking::session& now = *tasking::current_session();
    try {
        return tasking::make(call, result_bytes, nullptr, now, self);
    } catch (const std::bad_alloc&) {
        tasking::complain("there is no memory for a future");
    }
}

parley_tasking_future parley_tasking_large_future(parley_tasking_future_call call, size_t bytes, size_t result_bytes) {
    const threading::worker& self = tasking::this_worker("FUTURE");
    tasking::session& now = *tasking::current_session();
    try {
        tasking::kept* const large = now.at(self).kept.add(bytes > result_bytes ? bytes : result_bytes);
        large->result_bytes = result_bytes;
        return tasking::make(call, 0, large, now, self);
    } catch (const std::bad_alloc&) {
        tasking::complain("there is no memory for a future with %zu bytes of arguments and %zu of result", bytes,
                          result_bytes);
    }
}

void* parley_tasking_arguments(parley_tasking_future made) {
    return static_cast<tasking::future_task*>(made.task)->arguments();
}

void parley_tasking_queue_future(parley_tasking_future made) {
    tasking::queue_always(*threading::current, static_cast<tasking::future_task*>(made.task));
}

void* parley_tasking_await(parley_tasking_future awaited, void* result, size_t bytes) {
    threading::worker& self = tasking::this_worker("AWAIT");
    if (awaited.task == nullptr || awaited.ticket == 0) [[unlikely]]
        tasking::complain("AWAIT of a future that FUTURE has not made");
    if (!tasking::current_session()->has_given(awaited.ticket)) [[unlikely]]
        tasking::complain("AWAIT of a future from before the last TASKING_EXIT");
    auto* const task = static_cast<tasking::future_task*>(awaited.task);
    const tasking::ticket ticket{awaited.ticket};
    task->require(ticket);
    if (task->result_bytes() != bytes) [[unlikely]]
        tasking::complain("AWAIT of %zu bytes where the future's result has %zu: another type than in FUTURE_DECL", bytes,
                          task->result_bytes());
    task->await(self, ticket, result);
    return result;
}

}  // extern "C"
