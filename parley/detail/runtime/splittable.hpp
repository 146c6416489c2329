// Running loops, as their worker sees them. The iterations that have not begun can be split off when somebody asks
// (lazy splitting, TH §5.3).
#pragma once

#include <parley/detail/base/compiler_fence.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

class worker;
struct task;

// One part of a loop that a worker is in. Iterations [next, end) have not begun. Only its worker touches it: from the
// loop, and when it handles steal requests, which may interrupt the loop anywhere (docs/internals/watchdog.md).
struct splittable {
    // Takes off the last of the iterations that are left, and makes a task of them. What is left is to be cut into two
    // chunks from then on. This must not fail, because a thief has been promised a task. It allocates nothing, but uses
    // up memory that is ready.
    task* (*split_off)(splittable& from, worker& self, protocol::cut c) noexcept;
    // Makes memory ready for as many tasks as can be made before this is called again, if there is memory.
    void (*prepare)(splittable& s) noexcept;
    // A handler that interrupts the loop gives the first thief its share, and the next one all that is left. So nobody
    // starves until the loop polls.
    static constexpr unsigned most_ready = 2;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    std::uint32_t chunks = 2;  // the number of chunks that [next, end) is to be cut into
    unsigned ready = 0;        // the number of tasks that split_off() has memory for
    std::uint64_t region = 0;  // of the isolation that it runs in, or 0. Its parts do, too, whatever worker runs them
    loop_times times = {};
    own_share own = {};

    splittable* outer = nullptr;
    splittable* inner = nullptr;

    [[nodiscard]] bool can_split() const noexcept { return next < end && ready > 0; }
    [[nodiscard]] bool is_own_share() const noexcept { return own.lasts(left()); }
    [[nodiscard]] bool looks_away() noexcept { return is_own_share() || times.looks_away(); }

    // Called after each block. `length` has measured its time.
    template <class BlockLength>
    void block_ends(BlockLength& length) noexcept {
        if (!length.block_ends()) return;
        times.notes(length);
        own.learns(left(), times, length.first() + length.so_far());
    }

    // The worker has done something else since the last block, for so long. That is no iteration's time.
    template <class BlockLength>
    void leave_out(std::chrono::nanoseconds other, BlockLength& length) noexcept {
        length.leave_out(other);
        times.notes(length);
    }

    [[nodiscard]] std::uint64_t left() const noexcept { return end - next; }

    [[nodiscard]] protocol::cut all() const noexcept { return {end - next, chunks}; }
    [[nodiscard]] protocol::cut last_half() const noexcept { return {end - next - (end - next) / 2, chunks}; }

    task* split(worker& self, protocol::cut c) noexcept {
        task* const t = split_off(*this, self, c);
        prepare(*this);
        return t;
    }

    // Begins at most `count` iterations, and returns the end of those that begin. If others have all that was left,
    // none begin. The iterations are taken off before `end` is read. A handler that interrupts the loop before that may
    // take some of them, and lowers `end`. A handler that comes later does not see them.
    [[nodiscard, gnu::always_inline]] std::uint64_t begin(std::uint64_t count) noexcept {
        const std::uint64_t from = next;
        next = from + std::min(count, end - from);
        base::compiler_fence();
        if (end < next) [[unlikely]]
            next = end;
        return next;
    }
};

// The loops of one worker, on all of its stacks.
class running_loops {
public:
    void enter(splittable& s) noexcept {
        s.outer = innermost_;
        s.inner = nullptr;
        (innermost_ != nullptr ? innermost_->inner : outermost_) = &s;
        innermost_ = &s;
    }
    // Loops leave in any order, because stacks take turns.
    void leave(const splittable& s) noexcept {
        (s.outer != nullptr ? s.outer->inner : outermost_) = s.inner;
        (s.inner != nullptr ? s.inner->outer : innermost_) = s.outer;
    }
    // The worker has ended a part of a loop, or its own part of one that others have parts of. It has run so many tasks.
    void end_part(std::uint64_t tasks_run) noexcept { left_at_ = tasks_run; }
    // Has the worker begun no task since then?
    [[nodiscard]] bool were_left_last(std::uint64_t tasks_run) const noexcept { return left_at_ == tasks_run; }
    void prepare_all() noexcept {
        for (splittable* s = outermost_; s != nullptr; s = s->inner) s->prepare(*s);
    }
    // Returns the loop that was entered first of those whose rest lasts at least so long and is no own share, or null.
    [[nodiscard]] splittable* to_split(std::chrono::nanoseconds least, loop_times::time_point now) const noexcept {
        return first([&](const splittable& s) {
            return s.can_split() && !s.own.lasts(s.left(), now) && s.times.last(s.left(), now) >= least;
        });
    }
    // Returns the loop that was entered first of those that can be split, or null. In nested loops its iterations are
    // the largest.
    [[nodiscard]] splittable* to_split() const noexcept {
        return first([](const splittable& s) { return s.can_split(); });
    }
    // Returns the loop that was entered first of those that can be split and do not run inside an isolation, or null.
    [[nodiscard]] splittable* to_split_outside() const noexcept {
        return first([](const splittable& s) { return s.can_split() && s.region == 0; });
    }

private:
    template <class Wanted>
    [[nodiscard]] splittable* first(const Wanted& is_wanted) const noexcept {
        splittable* s = outermost_;
        while (s != nullptr && !is_wanted(*s)) s = s->inner;
        return s;
    }

    splittable* outermost_ = nullptr;
    splittable* innermost_ = nullptr;
    std::uint64_t left_at_ = ~std::uint64_t{0};  // so many tasks had been run
};

}  // namespace parley::inline v0::threading
