// Through which a stage gives out any number of items for one.
#pragma once

#include <utility>
#include <vector>

namespace parley::inline v0 {

// A stage that takes an `emitter<Out>&` as its second parameter calls it once for each item that it makes. They stay
// together, in the place and under the token of the item that they come from: order and bound hold, and the memory
// for what one item becomes is the stage's own affair.
template <class Out>
class emitter {
public:
    explicit emitter(std::vector<Out>& into) noexcept : into_(into) {}
    void operator()(Out item) { into_.push_back(std::move(item)); }

private:
    std::vector<Out>& into_;
};

}  // namespace parley::inline v0
