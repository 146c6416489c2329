/// @file
/// Gives out any number of items for one: emitter.
#pragma once

#include <parley/farm/row.hpp>

#include <utility>

namespace parley::inline v0 {

/// Gives out items. A stage that takes an `emitter<Out>&` as its second parameter calls it once for each item that it
/// makes. These items stay together, in the place and under the token of the one that they come from. So order and
/// bound hold. The stage must see to the memory for what one item becomes.
template <class Out>
class emitter {
public:
    /// The farm calls this.
    explicit emitter(streaming::row<Out>& into) noexcept : into_(into) {}
    /// Gives out an item. Throws std::bad_alloc, and what moving the item throws.
    void operator()(Out item) { into_.push_back(std::move(item)); }

private:
    streaming::row<Out>& into_;
};

}  // namespace parley::inline v0
