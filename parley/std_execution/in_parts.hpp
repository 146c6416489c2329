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

// Calls body(i, j) for blocks that make up [first, last).
template <class Index, class Body>
void for_ranges(Index first, Index last, Body& body) {
    const std::uint64_t count = length_between(first, last);
    if (count == 0) return;
    in_isolation([&](threading::worker&) {
        for_blocks(count, [&body, first](std::uint64_t from, std::uint64_t to) { body(at(first, from), at(first, to)); });
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
// elements at least. One worker makes one part.
inline std::uint64_t parts_of(std::uint64_t count, std::uint64_t for_each_worker, std::uint64_t shortest) {
    const unsigned workers = this_pool().size();
    return workers == 1 ? 1 : std::clamp<std::uint64_t>(count / shortest, 1, workers * for_each_worker);
}

// Measures the first of several parts, to learn whether the others are worth dividing.
class sample {
public:
    // Are `others` parts, as long as what was done since, work for two? Tasks must last so long to be given to a thief
    // (docs/internals/weighing.md).
    [[nodiscard]] bool says_divide(std::uint64_t others) const noexcept {
        constexpr std::chrono::nanoseconds shortest_worth_giving(6000);
        return (clock::now() - begun_) * static_cast<clock::rep>(others) >= shortest_worth_giving;
    }

private:
    using clock = std::chrono::steady_clock;
    const clock::time_point begun_ = clock::now();
};

}  // namespace parley::inline v0::detail::std_execution
