// What a worker does before its thread blocks in the kernel, and after that. While the thread blocks, nobody waits for
// the worker, and no task waits in it. The worker itself calls this.
#pragma once

#include <parley/detail/runtime/worker.hpp>

#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

// Called at the beginning and the end of a blocking region. Regions may lie inside each other: the first one that
// begins and the last one that ends count.
void begin_blocking(worker& self) noexcept;
void end_blocking(worker& self) noexcept;
// Called when the worker's thread goes to work in another runtime, and when it comes back. Nobody works in its place
// meanwhile, because the thread itself works.
void begin_visit(worker& self) noexcept;
void end_visit(worker& self) noexcept;

// A wait inside a region works like any other. While such an object lives, the worker counts as in no region.
class blocking_paused {
public:
    [[gnu::always_inline]] explicit blocking_paused(worker& self) noexcept
        : self_(self), regions_(self.own_part().blocked.regions), may_lend_(self.own_part().blocked.may_lend) {
        if (regions_ != 0) [[unlikely]]
            pause();
    }
    [[gnu::always_inline]] ~blocking_paused() {
        if (regions_ != 0) [[unlikely]]
            go_on();
    }
    blocking_paused(const blocking_paused&) = delete;
    blocking_paused& operator=(const blocking_paused&) = delete;

private:
    [[gnu::noinline, gnu::cold]] void pause() noexcept;
    [[gnu::noinline, gnu::cold]] void go_on() noexcept;

    worker& self_;
    const std::uint32_t regions_;
    const bool may_lend_;
};

}  // namespace parley::inline v0::threading
