/// @file
/// Restricted waiting: waits that run no foreign tasks.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/isolation.hpp>
#include <parley/runtime.hpp>

#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// Calls f and returns its result or throws its exception. Waits inside f, on this thread, run only tasks that were
/// made inside f. If none is left they sleep. It is for work that keeps a lock over a wait, or that no other task may
/// disturb in a worker_local.
///
/// Other workers still take tasks that were made inside f, and parts of its loops. They begin such a task at once, and
/// their waits in it run nothing else. So none of them blocks on a lock that f keeps. Tasks of a future or a scope that
/// are left when f returns stay isolated. Of nested calls the outermost counts for that.
///
/// A wait inside f for something that was made outside may last for ever, because nobody else may be there to run it.
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
