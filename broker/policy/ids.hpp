// The names that all of the broker's parts have for things. What is pure in this room (all but the service) has no
// thread, clock or socket: time comes in as a number, messages go out as values.
#pragma once

#include <cstdint>

namespace parley::inline v0::broker {

using core_id = std::uint32_t;
// A section's number is its priority, too: of two, the higher one leads [BI §2.5].
using section_id = std::uint32_t;
// Never used again while the broker lives.
using program_id = std::uint64_t;
using user_id = std::uint32_t;
using nanoseconds = std::uint64_t;

inline constexpr std::uint32_t unlimited = ~std::uint32_t{0};

}  // namespace parley::inline v0::broker
