// Futures as the thesis has them (sections 4.3 and 4.4.2): a task on the heap that refers to a channel.
// Its result goes through the channel whoever runs it, the worker that waits for it included.
#pragma once

#include <parley/detail/runtime/wait.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "lab/peers/parley/future_channels.hpp"

namespace parley_peers::inline v0::eager {

namespace threading = ::parley::threading;
using ::parley::sync::outcome;

// In the worker's task memory, as spawned tasks are, if it fits into a cell.
template <class R, class F>
struct future_task : threading::task {
    template <class G>
    future_task(channel<R>& c, G&& g) : task{&run_here}, result(&c), function(std::forward<G>(g)) {}

    static constexpr bool fits() noexcept {
        return sizeof(future_task) <= sizeof(threading::cell) && alignof(future_task) <= alignof(void*);
    }
    template <class G>
    [[nodiscard]] static future_task* make(threading::worker& self, channel<R>& c, G&& g) {
        if constexpr (fits()) {
            void* const memory = self.new_cell();
            try {
                return ::new (memory) future_task(c, std::forward<G>(g));
            } catch (...) {
                self.free_cell(memory);
                throw;
            }
        } else {
            std::unique_ptr<void, heap_memory> memory(::operator new(sizeof(future_task), alignment()));
            auto* const t = ::new (memory.get()) future_task(c, std::forward<G>(g));
            (void)memory.release();
            return t;
        }
    }
    // Without the destructor: see run_here().
    static void free_memory(void* memory, threading::worker& self) noexcept {
        if constexpr (fits()) self.free_cell(memory);
        else heap_memory()(memory);
    }

    static void run_here(threading::task* t, threading::worker& self) {
        auto* const me = static_cast<future_task*>(t);
        self.turn_away();
        self.count_task();
        channel<R>* const c = me->result;
        threading::worker* const receiver = c->word.receiver();
        const outcome how = self.cancelling() ? c->slot.drop() : c->slot.fill(me->function);
        std::destroy_at(me);    // before sending: what it refers to may go away after that
        c->word.send(how);      // the last access to the channel
        free_memory(me, self);  // after sending: until then nobody else's task has this address
        if (receiver != &self) receiver->raise_and_wake(::parley::protocol::bits::news);
    }

    channel<R>* result;
    F function;

private:
    static constexpr std::align_val_t alignment() noexcept { return std::align_val_t{alignof(future_task)}; }
    struct heap_memory {
        void operator()(void* memory) const noexcept { ::operator delete(memory, alignment()); }
    };
};

// FUTURE of the thesis: makes the task and queues it. `made`, if wanted: the task.
template <class Channels, class R, class F>
[[nodiscard]] channel<R>* begin(threading::worker& self, F&& f, threading::task** made = nullptr) {
    using task = future_task<R, std::decay_t<F>>;
    channel<R>* const c = Channels::template make<R>(self);
    task* t = nullptr;
    try {
        t = task::make(self, *c, std::forward<F>(f));
        self.push(t);
    } catch (...) {
        if (t != nullptr) {
            std::destroy_at(t);
            task::free_memory(t, self);
        }
        Channels::free(c);
        throw;
    }
    if (made != nullptr) *made = t;
    return c;
}

// rts_force_future (listing 4.4): own tasks first, the newest ones being children; then those of others,
// by Parley's wait loop.
template <class R>
void await(threading::worker& self, const channel<R>& c) noexcept {
    while (!c.has_result()) {
        threading::task* const t = self.is_wanted() ? nullptr : self.pop();
        if (t == nullptr) {
            threading::wait_until(self, [&c] { return c.has_result(); });
            return;
        }
        self.run(t);
        self.turn_away_from_others();  // back in a task that may be of another group, or long
    }
}

// A future in a frame, for forks.
template <class R, class Channels>
class future {
public:
    template <class F>
    future(threading::worker& self, F&& f) : self_(self), channel_(begin<Channels, R>(self, std::forward<F>(f), &task_)) {
        using task = future_task<R, std::decay_t<F>>;
        drop_ = [](threading::task* t, threading::worker& w) {
            std::destroy_at(static_cast<task*>(t));
            task::free_memory(t, w);
        };
    }
    future(const future&) = delete;
    future& operator=(const future&) = delete;
    // After an exception in between: not run if nobody took it, else awaited and forgotten.
    ~future() {
        if (channel_ != nullptr) abandon();
    }

    // AWAIT of the thesis. Once. Throws what the task has thrown, `cancelled` if it was dropped.
    [[nodiscard]] threading::stored<R> force() {
        await(self_, *channel_);
        const struct freed {
            channel<R>* c;
            ~freed() { Channels::free(c); }
        } after{std::exchange(channel_, nullptr)};
        return after.c->slot.take(after.c->word.get());
    }

private:
    [[gnu::noinline, gnu::cold]] void abandon() noexcept {
        if (!channel_->has_result() && self_.pop_if_newest(task_)) {
            drop_(task_, self_);
        } else {
            await(self_, *channel_);
            channel_->slot.discard(channel_->word.get());
        }
        Channels::free(channel_);
    }

    threading::worker& self_;
    threading::task* task_ = nullptr;
    channel<R>* channel_;
    void (*drop_)(threading::task*, threading::worker&) = nullptr;
};

// As many futures as are spawned, forced one after the other. Used by the task that made it.
template <class Channels>
class scope {
public:
    scope() : self_(*threading::current) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
        while (first_ != nullptr) (void)force_first();
    }

    template <class F, class... Args>
    void spawn(F&& f, Args&&... args) {
        channel<void>* const c = begin_call(std::forward<F>(f), std::forward<Args>(args)...);
        *end_ = c;
        end_ = &c->next;
        self_.poll();
    }

    // Throws the first exception in the order of spawning, after all have ended.
    void wait() {
        std::exception_ptr failure;
        while (first_ != nullptr) {
            std::exception_ptr thrown = force_first();
            if (failure == nullptr) failure = std::move(thrown);
        }
        if (failure != nullptr) std::rethrow_exception(std::move(failure));
    }

private:
    template <class F, class... Args>
    channel<void>* begin_call(F&& f, Args&&... args) {
        if constexpr (sizeof...(Args) == 0) {
            return begin<Channels, void>(self_, std::forward<F>(f));
        } else {
            return begin<Channels, void>(self_, [f = std::forward<F>(f), ... args = std::forward<Args>(args)]() mutable {
                std::invoke(f, std::move(args)...);
            });
        }
    }

    std::exception_ptr force_first() noexcept {
        await(self_, *first_);
        channel<void>* const c = std::exchange(first_, first_->next);
        if (first_ == nullptr) end_ = &first_;
        std::exception_ptr thrown;
        try {
            (void)c->slot.take(c->word.get());
        } catch (...) {
            thrown = std::current_exception();
        }
        Channels::free(c);
        return thrown;
    }

    threading::worker& self_;
    channel<void>* first_ = nullptr;
    channel<void>** end_ = &first_;
};

}  // namespace parley_peers::inline v0::eager
