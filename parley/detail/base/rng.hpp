// A small random number generator for the choice of victims: speed and a short state matter,
// cryptographic strength does not. The output function and constants are those of SplitMix64
// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
#pragma once

#include <cstdint>

namespace parley::inline v0::base {

class rng {
public:
    explicit constexpr rng(std::uint64_t seed) noexcept : state_(seed) {}

    constexpr std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    // Uniform in [0, bound), bound > 0. The bias of the multiplication is below bound / 2^32.
    constexpr std::uint32_t below(std::uint32_t bound) noexcept {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

    friend constexpr bool operator==(const rng&, const rng&) = default;

private:
    std::uint64_t state_;
};

}  // namespace parley::inline v0::base
