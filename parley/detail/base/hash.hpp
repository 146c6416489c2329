// A hash that is the same in every process, for what ranks must agree on. It is not for tables, and not safe against an
// adversary.
#pragma once

#include <parley/detail/base/rng.hpp>

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace parley::inline v0::base {

[[nodiscard]] constexpr std::uint64_t hash_of(std::string_view words,
                                              std::initializer_list<std::uint64_t> numbers = {}) noexcept {
    std::uint64_t sum = words.size();
    for (const char c : words) sum = rng(sum ^ static_cast<unsigned char>(c)).next();
    for (const std::uint64_t n : numbers) sum = rng(sum ^ n).next();
    return sum;
}

}  // namespace parley::inline v0::base
