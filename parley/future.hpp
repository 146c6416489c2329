// async and future: one call whose result is fetched later.
#pragma once

#include <parley/base/errors.hpp>
#include <parley/channel/oneshot.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/runtime/result.hpp>
#include <parley/runtime/wait.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// What a future and its task share: a one-shot channel for the result (TH §4.3, futures as channels). It
// belongs to the future, which does not go away before it has seen `done`.
template <class R>
struct future_state : threading::job {
    channel::outcome how = channel::outcome::pending;  // ordered by `done`
    threading::result_slot<R> slot;
    channel::completion done;
    void (*destroy)(future_state*) = nullptr;

    // The task's last access: whoever sees `done` may free this.
    void complete(channel::outcome result, threading::pool& home) noexcept {
        how = result;
        const std::uint32_t waiter = done.complete();
        if (waiter != channel::completion::nobody) home.notify(waiter);
    }
};

template <class R, class F, class... Args>
struct async_task : future_state<R> {
    struct call {
        F function;
        std::tuple<Args...> arguments;
    };

    template <class G, class... As>
    explicit async_task(G&& g, As&&... as)
        : wanted(call{std::forward<G>(g), std::tuple<Args...>(std::forward<As>(as)...)}) {
        this->run = &run_here;
        this->destroy = [](future_state<R>* s) { delete static_cast<async_task*>(s); };
    }
    static void run_here(threading::task* t, threading::worker& self) {
        auto* const me = static_cast<async_task*>(t);
        self.turn_away();
        self.count.tasks.add();
        auto bound = [me]() -> R {
            return std::apply(std::move(me->wanted->function), std::move(me->wanted->arguments));
        };
        const channel::outcome how = self.cancelling() ? me->slot.drop() : me->slot.fill(bound);
        me->wanted.reset();  // before completion: what it refers to may go away after that
        me->complete(how, self.home);
    }
    std::optional<call> wanted;
};

}  // namespace detail

// The result of async(). Moved, not copied. Its destructor waits for the task (and drops what it
// returned or threw), so nothing that the task refers to can go away under it.
template <class R>
class [[nodiscard]] future {
public:
    future() noexcept = default;
    future(future&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)), home_(other.home_) {}
    future& operator=(future&& other) noexcept {
        if (this != &other) {
            finish();
            state_ = std::exchange(other.state_, nullptr);
            home_ = other.home_;
        }
        return *this;
    }
    ~future() { finish(); }

    // Has it a result to come? Not after get(), nor when default-constructed or moved from.
    [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }
    [[nodiscard]] bool is_ready() const noexcept {
        return state_ != nullptr && state_->done.is_complete();
    }

    // Works until the result is there. Throws usage_error if there is none to come.
    void wait() const {
        require();
        await();
    }

    // Waits, then moves the result out (void, references and move-only types too) or throws the
    // task's exception, `cancelled` if it was dropped. Once: the future is empty afterwards.
    R get() {
        require();
        await();
        const struct emptied {
            detail::future_state<R>* state;
            ~emptied() { state->destroy(state); }
        } after{std::exchange(state_, nullptr)};
        if constexpr (std::is_void_v<R>) (void)after.state->slot.take(after.state->how);
        else return after.state->slot.take(after.state->how);
    }

private:
    template <class F, class... Args>
    friend auto async(priority p, F&& f, Args&&... args)
        -> future<std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>>;

    future(detail::future_state<R>* state, threading::pool& home) noexcept
        : state_(state), home_(&home) {}

    void require() const {
        if (state_ == nullptr)
            throw usage_error("parley: the future has no result to come (get() was called before, "
                              "or it was moved from)");
    }

    void await() const noexcept {
        channel::completion& done = state_->done;
        if (done.is_complete()) return;
        if (threading::worker* const self = threading::worker_in(*home_)) {
            if (done.announce(threading::waiter_number(self->id)))
                threading::wait_until(*self, [&done] { return done.is_complete(); });
        } else if (done.announce(threading::waiter_outside)) {
            home_->wait_outside(
                [](const void* d) { return static_cast<const channel::completion*>(d)->is_complete(); },
                &done);
        }
    }

    void finish() noexcept {
        if (state_ == nullptr) return;
        await();
        state_->slot.discard(state_->how);
        state_->destroy(state_);
        state_ = nullptr;
    }

    detail::future_state<R>* state_ = nullptr;
    threading::pool* home_ = nullptr;
};

// Makes a task that calls f(args...); both are moved or copied into it (std::ref for references, as
// with std::async). Throws std::bad_alloc, `cancelled`, and what the copying throws. From a worker
// the task goes into its deque, that of high tasks if so given (priority.hpp); from outside into the
// default runtime, in its turn. With options::serial it is called before async() returns.
template <class F, class... Args>
[[gnu::always_inline]] inline auto async(priority p, F&& f, Args&&... args)
    -> future<std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>> {
    using result = std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>;
    using task = detail::async_task<result, std::decay_t<F>, std::decay_t<Args>...>;
    threading::worker* const self = threading::current;
    threading::pool& home = detail::this_pool();
    // What may throw comes before the task exists: `cancelled`, a thread that does not start.
    if (self != nullptr) self->poll();
    else home.start_threads();
    auto made = std::make_unique<task>(std::forward<F>(f), std::forward<Args>(args)...);
    if (home.serial()) [[unlikely]] {
        task* const now = made.release();
        future<result> handle(now, home);
        detail::call_at_once(self, now);
        return handle;
    }
    if (self == nullptr) home.submit(made.get());
    else if (p == priority::high) self->push_high(made.get());
    else self->tasks.push(made.get());
    future<result> handle(made.release(), home);
    if (self != nullptr) self->serve();
    return handle;
}
template <class F, class... Args>
auto async(F&& f, Args&&... args)
    -> future<std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>> {
    return async(priority::normal, std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace parley::inline v0
