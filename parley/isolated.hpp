/// @file
/// Restricted waiting: waits that run nothing foreign.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/isolation.hpp>
#include <parley/runtime.hpp>

#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// Calls f and returns its result or throws its exception. Waits inside f, on this thread, run only tasks that were made
/// inside f; with none left they sleep. For work that keeps a lock over a wait, or that a worker_local must survive
/// unchanged.
///
/// Others still take what was made inside f, and parts of its loops. They begin it at once, and their waits in it run
/// nothing else: so none of them blocks on a lock that f keeps. What is left over when f returns, of a future or a scope,
/// stays isolated. Of nested calls the outermost counts for that.
///
/// Waiting inside f for what was made outside may wait for ever: nobody else may be there to run it.
template <class F>
auto isolated(F&& f) -> std::invoke_result_t<F&> {
    threading::worker* const self = threading::current;
    if (self == nullptr)
        return detail::enter_and_run(detail::default_pool(),
                                     [&](threading::worker&) -> std::invoke_result_t<F&> { return isolated(f); });
    const threading::isolation here(*self);
    return f();
}

}  // namespace parley::inline v0
