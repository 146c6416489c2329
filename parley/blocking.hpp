/// @file
/// Tasks that block in the kernel.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/blocking.hpp>
#include <parley/runtime.hpp>

#include <functional>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// Held by a task while it calls something that blocks its thread: a read, a lock that another thread has,
/// a join. What its worker has queued, and what has not begun of the loops that it is in, goes to the other
/// workers first, and nobody asks it for tasks until the region ends. With one worker everything waits.
///
/// Legal anywhere; outside a runtime it does nothing. Regions may lie inside each other; the outermost counts.
/// A wait for Parley's work inside a region works as usual: for its time the region is left. Tasks that are
/// made inside a region are not handed on; make them before. Inside isolated() what was made there, and loops,
/// stay. With two workers or more another thread stands in for the one that blocks, where there is something
/// to do and the worker's regions last a tenth of a millisecond or more. Waits that are
/// suspended on this worker (docs/guide/waiting.md) go on after the region.
///
/// Destroyed by the task that made it. Throws nothing. O(1), some 20 ns, when nothing is queued; each queued
/// task costs some 200 ns and, until it runs, 32 bytes of the heap.
class [[nodiscard]] blocking_region {
public:
    /// Begins the region: hands on what is queued.
    [[nodiscard]] blocking_region() noexcept : innermost_(threading::innermost) {
        for (threading::worker* w = innermost_; w != nullptr; w = w->outer) threading::begin_blocking(*w);
    }
    /// Ends it, on the thread that began it.
    ~blocking_region() {
        for (threading::worker* w = innermost_; w != nullptr; w = w->outer) threading::end_blocking(*w);
    }
    blocking_region(const blocking_region&) = delete;
    blocking_region& operator=(const blocking_region&) = delete;

private:
    threading::worker* const innermost_;  // in each runtime that the thread is in
};

/// Calls f in such a region and returns its result or throws its exception.
template <class F>
auto blocking(F&& f) -> std::invoke_result_t<F> {
    const blocking_region here;
    return std::invoke(std::forward<F>(f));
}

}  // namespace parley::inline v0
