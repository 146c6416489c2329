/// @file
/// How a stage gives out any number of items for one: emitter.
#pragma once

#include <parley/farm/row.hpp>

#include <utility>

namespace parley::inline v0 {

/// Gives out items. A stage that takes an `emitter<Out>&` as its second parameter calls it once for each item that it
/// makes. They stay together, in the place and under the token of the item that they come from: order and bound hold,
/// and the memory for what one item becomes is the stage's own affair.
template <class Out>
class emitter {
public:
    /// For the farm.
    explicit emitter(streaming::row<Out>& into) noexcept : into_(into) {}
    /// Gives out an item. Throws std::bad_alloc, and what moving it throws.
    void operator()(Out item) { into_.push_back(std::move(item)); }

private:
    streaming::row<Out>& into_;
};

}  // namespace parley::inline v0
