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

/// A task holds this while it calls something that blocks its thread: a read, a lock that another thread has, a join.
/// Before that its worker hands its queued tasks, and the rest of the loops that it is in, to other workers. Nobody
/// asks it for tasks until the region ends. With one worker everything waits.
///
/// - It may be used anywhere; outside a runtime it does nothing. Of regions inside each other the outermost counts.
/// - A wait for Parley's work inside a region works as usual: the region is left meanwhile.
/// - Tasks that are made inside a region are not handed on, so make them before. Inside isolated() its tasks and loops stay.
/// - With two workers or more another thread stands in for a blocked one. It does so if there is work and the worker's
///   regions last a tenth of a millisecond or more.
/// - Waits that are suspended on this worker (docs/guide/waiting.md) go on after the region.
///
/// The task that made it must destroy it. Throws nothing. O(1), about 20 ns, when nothing is queued. Each queued task
/// costs about 200 ns and, until it runs, 32 bytes of the heap.
class [[nodiscard]] blocking_region {
public:
    /// Begins the region and hands on what is queued.
    [[nodiscard]] blocking_region() noexcept : innermost_(threading::innermost) {
        for (threading::worker* w = innermost_; w != nullptr; w = w->outer()) threading::begin_blocking(*w);
    }
    /// Ends the region, on the thread that began it.
    ~blocking_region() {
        for (threading::worker* w = innermost_; w != nullptr; w = w->outer()) threading::end_blocking(*w);
    }
    blocking_region(const blocking_region&) = delete;
    blocking_region& operator=(const blocking_region&) = delete;

private:
    threading::worker* const innermost_;  // the first of the workers that the thread is, one per runtime
};

/// Calls f in a blocking region, and returns its result or throws its exception.
template <class F>
auto blocking(F&& f) -> std::invoke_result_t<F> {
    const blocking_region here;
    return std::invoke(std::forward<F>(f));
}

}  // namespace parley::inline v0
