/// @file
/// Runs programs that are written with ParlayLib on Parley: its parallel_for, par_do, num_workers and worker_id.
///
/// It must come before ParlayLib's headers, or be put there by the compiler's option `-include parley/parlaylib.hpp`. Then
/// everything of ParlayLib runs on the calling worker's runtime, or else on the default one, and ParlayLib's own scheduler
/// starts no threads. Both libraries are needed. docs/guide/coming-from-parlaylib.md has the rest.
#pragma once

#include <parley/version.hpp>

// What this header relies on, of ParlayLib's parlay/parallel.h since its version 2:
//   1. It declares the four functions, and includes a scheduler that defines them. A macro says which one.
//   2. The include guard of the serial one keeps that out. So this header defines them.
#if !__has_include(<parlay/parallel.h>)
#error "parley/parlaylib.hpp needs ParlayLib: its folder `include` must be among those that the compiler looks into"
#include <the_compiler_stops_here>  // there is no such file: nothing that follows would help
#elif defined(PARLAY_PARALLEL_H_)
#error \
    "parley/parlaylib.hpp must come before the headers of ParlayLib: include it first, or compile with -include parley/parlaylib.hpp"
#include <the_compiler_stops_here>
#endif
#define PARLAY_SEQUENTIAL
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_H_
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_HPP_

#include <parlay/parallel.h>

#include <parley/fork_join.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/runtime.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace parlay {

/// How many workers the calling worker's runtime has, or the default one.
inline std::size_t num_workers() { return parley::detail::this_pool().size(); }

/// The calling worker's number, less than num_workers(). A thread outside has the number 0. So have threads that are in a
/// runtime beside its workers. So two of these, or one and the first worker, must not use ParlayLib at once if they index
/// something by it.
inline std::size_t worker_id() {
    const auto index = parley::worker_index();
    return index.has_value() && *index < num_workers() ? *index : 0;
}

/// Calls f(i) for every i in [start, end), as parley::for_each_index(), or one after the other if these are no more than
/// `granularity`. While a `conservative` loop waits, its worker does only what the loop has made (parley::isolated()).
/// The first exception is thrown here.
template <typename F>
inline void parallel_for(std::size_t start, std::size_t end, F&& f, long granularity, bool conservative) {
    static_assert(std::is_invocable_v<F&, std::size_t>);
    if (start >= end) return;
    if (granularity > 0 && end - start <= static_cast<std::size_t>(granularity)) {
        for (std::size_t i = start; i != end; ++i) f(i);
        return;
    }
    const auto loop = [&] { parley::for_each_index(start, end, [&f](std::size_t i) { f(i); }); };
    if (conservative) parley::isolated(loop);
    else loop();
}

/// Calls left() and right(), perhaps in parallel. `conservative` is as in parallel_for(). The first exception is thrown
/// here.
template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool conservative) {
    static_assert(std::is_invocable_v<Lf&&> && std::is_invocable_v<Rf&&>);
    const auto both = [&] {
        (void)parley::fork_join([&left] { std::invoke(std::forward<Lf>(left)); },
                                [&right] { std::invoke(std::forward<Rf>(right)); });
    };
    if (conservative) parley::isolated(both);
    else both();
}

/// Calls f() in a runtime of its own with `workers` workers, which ends with the call.
template <typename F>
void execute(unsigned workers, F&& f) {
    parley::runtime own({.workers = workers});
    own.run([&f] { std::invoke(std::forward<F>(f)); });
}

}  // namespace parlay
