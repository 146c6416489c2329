// What the backend's functions share: where they run, and how they divide.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/detail/base/fp_control.hpp>
#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/fork_join.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace parley::inline v0::detail::std_execution {

// Calls f(worker), and lets waits in it run only what f makes. A standard program may keep a lock while it calls an
// algorithm, so no unrelated call may begin meanwhile on the thread that waits.
template <class F>
decltype(auto) in_isolation(F f) {
    return in_worker([&f](threading::worker& self) -> decltype(auto) {
        const threading::isolation here(self);
        return f(self);
    });
}

// Element `n` of a range of iterators or of numbers.
template <class Index>
[[gnu::always_inline]] inline Index at(Index first, std::uint64_t n) {
    return first + static_cast<decltype(first - first)>(n);
}
template <class Index>
std::uint64_t length_between(Index first, Index last) {
    return first < last ? static_cast<std::uint64_t>(last - first) : 0;
}

// Calls f(arguments...), and keeps it out of the loop around it. With fewer values alive there, compilers make better code
// of the elements' loop in it.
template <class F, class... Arguments>
[[gnu::noinline]] auto call_apart(F& f, Arguments... arguments) {
    return f(std::move(arguments)...);
}

// One worker runs each algorithm as one block: nobody is there to divide it for.
inline bool is_serial() { return this_pool().size() == 1; }

// Calls body(i, j) for blocks that make up [first, last).
template <class Index, class Body>
void for_ranges(Index first, Index last, Body& body) {
    const std::uint64_t count = length_between(first, last);
    if (count == 0) return;
    if (is_serial()) return body(first, last);
    in_isolation([&](threading::worker&) {
        for_blocks(count, [&body, first](std::uint64_t from, std::uint64_t to) {
            call_apart(body, at(first, from), at(first, to));
        });
    });
}

// Calls both, with the caller's rounding mode (docs/guide/inheritance.md).
template <class F, class G>
auto fork_both(F f, G g) {
    const base::fp_control fp = base::fp_control::now();
    return fork_join(std::move(f), [&] {
        const base::fp_in_place as_submitted(fp);
        return g();
    });
}

// Into how many parts something is divided before anybody asks, because joining two parts is work: parts have `shortest`
// elements at least.
inline std::uint64_t parts_of(std::uint64_t count, std::uint64_t for_each_worker, std::uint64_t shortest) {
    return is_serial() ? 1 : std::clamp<std::uint64_t>(count / shortest, 1, this_pool().size() * for_each_worker);
}

// Calls step(from, to) for blocks that make up [0, n), each as long as all before it, and returns n. It goes on as long as
// the rest, if it is like what was done, takes less than `worth_dividing`. So little work pays nothing for what divides more
// of it. Few elements may each be much work, and are left to that: then n is 0.
template <class Step>
std::uint64_t begin_serially(std::uint64_t count, std::chrono::microseconds worth_dividing, Step step) {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::nanoseconds tells_something(500);
    std::uint64_t done = 0;
    const clock::time_point begun = clock::now();
    for (std::uint64_t length = std::min<std::uint64_t>(count / 64, 64); length > 0; length = std::min(done, count - done)) {
        step(done, done + length);
        done += length;
        const std::chrono::duration<double> took = clock::now() - begun;
        if (took >= tells_something &&
            took * (static_cast<double>(count - done) / static_cast<double>(done)) >= worth_dividing)
            break;
    }
    return done;
}

}  // namespace parley::inline v0::detail::std_execution
