// In place of the runtime's headers of this name, for scopes (runtime/scope_core.cpp) under the explorer of the memory
// model: a worker and a pool that have what a scope uses of them, and no threads, tasks or seats. They notify and sleep as
// the real ones do.
#pragma once

#include <lab/memory/calls.hpp>

#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/runtime/own_state.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/errors.hpp>

#include <array>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

class worker;

inline constexpr std::uint32_t waiter_anybody = 1;
constexpr std::uint32_t waiter_number(std::uint32_t id) noexcept { return id + 2; }

class pool {
public:
    pool() noexcept;
    [[nodiscard]] std::uint32_t size() const noexcept { return workers; }
    [[nodiscard]] bool is_visitor(std::uint32_t id) const noexcept { return id >= workers; }
    [[nodiscard]] worker& at(std::uint32_t id) noexcept;
    void notify(std::uint32_t waiter) noexcept;

    static constexpr std::uint32_t workers = 3;

private:
    std::array<worker*, workers> at_{};
};

class worker {
public:
    worker(pool& home, std::uint32_t id) noexcept : home_(home), id_(id) {}

    struct own_parts {
        current_group group;
        stack_state stack;
        bits_heard heard;
        struct {
            void is_awaited(std::uint64_t) noexcept {}
        } weighs;
        struct {
            [[nodiscard]] bool any_for(const void*) const noexcept { return false; }
        } suspended;
    };
    struct shared_parts {
        sync::attention attention;
    };

    [[nodiscard]] std::uint32_t id() const noexcept { return id_; }
    [[nodiscard]] own_parts& own_part() noexcept { return own_; }
    [[nodiscard]] const own_parts& own_part() const noexcept { return own_; }
    [[nodiscard]] shared_parts& shared_part() noexcept { return shared_; }
    [[nodiscard]] const shared_parts& shared_part() const noexcept { return shared_; }

    [[nodiscard]] std::uint64_t new_group() noexcept { return ++groups_ << 8 | id_; }
    [[nodiscard]] static std::uint64_t some_groups() noexcept { return 255; }
    void turn_away() noexcept {
        if (own_.group.number != 0) leave_group();
    }
    void turn_away_from_others() noexcept {
        if (own_.group.waiter != current_group::nobody) leave_group();
    }
    void has_ended(const void*) noexcept {}

    void raise_news() noexcept { shared_.attention.raise_and_wake(protocol::bits::news); }
    template <class Condition>
    void sleep_until(Condition& holds) {
        sync::parker parker(shared_.attention, protocol::bits::news);
        while (!holds()) {
            if (parker.prepare()) {
                if (holds()) return parker.cancel();
                parker.commit();
            }
            shared_.attention.lower(protocol::bits::news);
            ++own_.heard.news;
        }
    }

    [[nodiscard]] bool needs_care_between_tasks() const noexcept { return false; }
    [[nodiscard]] bool is_to_go() const noexcept { return false; }
    [[nodiscard]] bool is_wanted() const noexcept { return shared_.attention.any(); }
    [[nodiscard]] task* pop() noexcept { return nullptr; }

private:
    void leave_group() noexcept {
        own_.group.number = 0;
        const std::uint32_t whom = std::exchange(own_.group.waiter, current_group::nobody);
        if (whom != current_group::nobody) home_.notify(whom);
    }

    own_parts own_;
    shared_parts shared_;
    pool& home_;
    std::uint32_t id_;
    std::uint64_t groups_ = 0;
};

inline pool::pool() noexcept {
    for (std::uint32_t id = 0; id < workers; ++id) at_[id] = new worker(*this, id);
}
inline worker& pool::at(std::uint32_t id) noexcept { return *at_[id]; }
inline void pool::notify(std::uint32_t waiter) noexcept {
    for (std::uint32_t id = 0; id < workers; ++id)
        if (waiter == waiter_anybody || waiter == waiter_number(id)) at(id).raise_news();
}

// The worker that the running thread of the scene is, if it is one.
struct running_worker {
    std::array<worker*, 4> of_thread{};
    operator worker*() const noexcept { return of_thread[memory::running_thread()]; }  // NOLINT(google-explicit-constructor)
};
inline running_worker current;

struct seated {
    explicit seated(pool&) noexcept {}
    [[nodiscard]] static worker& self() noexcept { return *current; }
};

struct thread_host {
    explicit thread_host(worker& w) noexcept : self(w) {}
    worker& self;
};

// Nothing is weighed here.
inline void has_awaited(thread_host, std::uint64_t) noexcept {}

// Sleeps until there are news, and looks again, as driver/wait_loop.hpp does with a worker that finds no task.
template <class Condition>
void wait_loop(thread_host host, protocol::standing, Condition& holds) {
    host.self.sleep_until(holds);
}

inline void wait_in_task(worker& self, awaited, bool (*done)(const void*), const void* context) {
    const auto holds = [done, context] { return done(context); };
    wait_loop(thread_host(self), protocol::standing::in_task, holds);
}

}  // namespace parley::inline v0::threading
