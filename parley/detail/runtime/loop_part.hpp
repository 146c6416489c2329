// Parts of a loop that need no more than their two numbers: those in task memory that have not begun, and those that
// run.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/splittable.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/trace/happening.hpp>

#include <array>
#include <cstdint>
#include <new>

namespace parley::inline v0::threading {

// A part that was split off and has not begun. Loop::run_here runs it.
template <class Loop>
struct loop_part : task {
    Loop* of;
    std::uint64_t first, last;
    std::uint32_t chunks;  // splittable::chunks
    float each;            // nanoseconds per iteration; 0: not known
};

// A part that is being run. loop.prepare_parts(worker) is called before loop.count_part(worker), and may throw
// std::bad_alloc. loop.count_part(worker) counts one part more, while a thief waits.
template <class Loop>
struct running_part : splittable {
    static_assert(sizeof(loop_part<Loop>) <= sizeof(cell));

    running_part(Loop& l, worker& w, std::uint64_t first, std::uint64_t last, std::uint32_t into) noexcept
        : splittable{&split_off_here, &prepare_here, first, last, into}, of(l), self(w) {
        prepare_here(*this);
        self.enter_loop(*this);
    }
    ~running_part() {
        self.leave_loop(*this);
        while (ready > 0) self.free_cell(memory[--ready]);
    }
    running_part(const running_part&) = delete;
    running_part& operator=(const running_part&) = delete;

    // Gets the memory that a split needs. Without that memory nothing is split.
    static void prepare_here(splittable& s) noexcept {
        auto& here = static_cast<running_part&>(s);
        if (here.self.home().size() == 1) return;
        try {
            here.of.prepare_parts(here.self);
            for (; here.ready < most_ready; ++here.ready) here.memory[here.ready] = here.self.new_cell();
        } catch (const std::bad_alloc&) {}
    }

    static task* split_off_here(splittable& from, worker& self, protocol::cut c) noexcept {
        auto& here = static_cast<running_part&>(from);
        auto* const p = ::new (here.memory[--here.ready]) loop_part<Loop>;
        p->run = &Loop::run_here;
        p->of = &here.of;
        p->last = here.end;
        p->first = here.end -= c.share;
        p->chunks = c.chunks;
        p->each = here.times.each();
        here.chunks = 2;
        here.of.count_part(self);
        self.count_split();
        self.note(trace::happening::split, c.share);
        return p;
    }

    Loop& of;
    worker& self;
    std::array<void*, most_ready> memory;
};

}  // namespace parley::inline v0::threading
