// A fork of two calls that return nothing.
#pragma once

#include <tuple>

namespace parley_programs::inline v0 {

template <class S, class F, class G>
void fork_both(const F& first, const G& second) {
    struct nothing {};  // a scheduler's fork_join returns results
    std::ignore = S::fork_join(
        [&first] {
            first();
            return nothing{};
        },
        [&second] {
            second();
            return nothing{};
        });
}

}  // namespace parley_programs::inline v0
