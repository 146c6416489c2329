// Workers whose thread is about to block in the kernel: nobody waits for them, and nothing waits in them.
#pragma once

#include <parley/detail/runtime/worker.hpp>

#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

// The same for any number of regions inside each other: the first of them begins, the last one ends.
void begin_blocking(worker& self) noexcept;
void end_blocking(worker& self) noexcept;
// The same of one whose thread goes to work in another runtime: nobody works in its place, since it works.
void begin_visit(worker& self) noexcept;
void end_visit(worker& self) noexcept;

// A wait inside a region works like any other, and what it runs is in no region.
class blocking_paused {
public:
    [[gnu::always_inline]] explicit blocking_paused(worker& self) noexcept
        : self_(self), regions_(self.blocking), may_lend_(self.may_lend) {
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
