// Running loops, as their worker sees them: what has not begun of them can be split off when somebody asks
// (lazy splitting, TH §5.3).
#pragma once

#include <parley/detail/protocol/splitting.hpp>
#include <parley/detail/sync/compiler_fence.hpp>

#include <algorithm>
#include <cstdint>

namespace parley::inline v0::threading {

class worker;
struct task;

// One part of a loop that a worker is in. Iterations [next, end) have not begun. Only its worker touches it,
// from the loop itself and from within the handling of steal requests, which may interrupt the loop anywhere
// (docs/internals/watchdog.md).
struct splittable {
    // Makes a task of the last of the iterations that are left and takes them off; what is left is to be cut into two
    // chunks from then on. Must not fail: a thief has been promised something. Allocates nothing: it uses the memory up.
    task* (*split_off)(splittable& from, worker& self, protocol::cut c) noexcept;
    // Makes memory ready for as many as can be made before this is called again, if there is any.
    void (*prepare)(splittable& s) noexcept;
    // What interrupts the loop gives a thief its share first, and the next one all that is left: nobody need starve
    // until the loop polls.
    static constexpr unsigned most_ready = 2;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    std::uint32_t chunks = 2;  // that it is to be cut into
    unsigned ready = 0;        // tasks that split_off() has memory for
    bool isolated = false;     // does it run inside an isolation? Then its parts do, too, wherever they run

    splittable* outer = nullptr;
    splittable* inner = nullptr;

    [[nodiscard]] bool can_split() const noexcept { return next < end && ready > 0; }

    [[nodiscard]] protocol::cut all() const noexcept { return {end - next, chunks}; }
    [[nodiscard]] protocol::cut last_half() const noexcept { return {end - next - (end - next) / 2, chunks}; }

    task* split(worker& self, protocol::cut c) noexcept {
        task* const t = split_off(*this, self, c);
        prepare(*this);
        return t;
    }

    // At most `count` iterations begin, those up to what is returned; none, if all are with others. They are
    // taken off before it is looked at how many are left: what interrupts the loop before that may take some
    // of them, and `end` is lower; after that it does not see them.
    [[nodiscard, gnu::always_inline]] std::uint64_t begin(std::uint64_t count) noexcept {
        const std::uint64_t from = next;
        next = from + std::min(count, end - from);
        sync::compiler_fence();
        if (end < next) [[unlikely]]
            next = end;
        return next;
    }
};

// Those of one worker, on whichever of its stacks they are.
class running_loops {
public:
    void enter(splittable& s) noexcept {
        s.outer = innermost_;
        s.inner = nullptr;
        (innermost_ != nullptr ? innermost_->inner : outermost_) = &s;
        innermost_ = &s;
    }
    // In any order: stacks take turns.
    void leave(const splittable& s) noexcept {
        (s.outer != nullptr ? s.outer->inner : outermost_) = s.inner;
        (s.inner != nullptr ? s.inner->outer : innermost_) = s.outer;
    }
    void prepare_all() noexcept {
        for (splittable* s = outermost_; s != nullptr; s = s->inner) s->prepare(*s);
    }
    // The one that was entered first of those that can be split, or null: its iterations are, in nested
    // loops, the largest.
    [[nodiscard]] splittable* to_split() const noexcept {
        splittable* s = outermost_;
        while (s != nullptr && !s->can_split()) s = s->inner;
        return s;
    }

private:
    splittable* outermost_ = nullptr;
    splittable* innermost_ = nullptr;
};

}  // namespace parley::inline v0::threading
