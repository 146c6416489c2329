// How programs of many short loops, one after another, say that those belong together. Most schedulers make nothing of it.
#pragma once

#include <utility>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// Calls `phases`, which runs one loop after another. A scheduler may have all its threads call it: what it does between its
// loops must have no effect but on its own variables.
template <class S, class F>
void in_phases(F&& phases) {
    if constexpr (requires { S::region(phases); }) {
        S::region(phases);
    } else {
        phases();
    }
}

// A loop that is run again and again, each time over about the same range. A scheduler may remember who had what.
template <class S>
class repeated_loop {
public:
    template <class I, class Body>
    void operator()(I first, I last, Body body) {
        S::for_each_index(first, last, std::move(body));
    }
};

template <class S>
    requires requires { typename S::repeated_loop; }
class repeated_loop<S> : public S::repeated_loop {};

}  // namespace parley_programs::inline v0
