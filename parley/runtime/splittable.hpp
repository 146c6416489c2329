// Running loops, as their worker sees them: what has not begun of them can be split off when somebody asks
// (lazy splitting, TH §5.3).
#pragma once

#include <cstdint>

namespace parley::inline v0::threading {

class worker;
struct task;

// One part of a loop that a worker is in. Iterations [next, end) have not begun. Only its worker touches it,
// from the loop itself and from within the handling of steal requests.
struct splittable {
    // Makes a task of the last `count` of the iterations that are left and takes them off. Must not fail:
    // a thief has been promised something.
    task* (*split_off)(splittable& from, worker& self, std::uint64_t count) noexcept;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    bool has_memory = false;  // for the task that split_off() makes

    splittable* outer = nullptr;
    splittable* inner = nullptr;

    [[nodiscard]] bool can_split() const noexcept { return next < end && has_memory; }
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
