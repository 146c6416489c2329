// The three classes of programs [BI §2.3].
#pragma once

#include <cstdint>

namespace parley::inline v0::broker {

enum class program_class : std::uint8_t {
    inefficient,  // wastes what it holds: the desire was too high
    satisfied,    // efficient, and holds what it desires: the desire may be too low
    deprived,     // efficient, and holds less than it desires: others want the rest
};

// `efficiency`: useful part of the held time; `least`: below it a program is inefficient.
[[nodiscard]] constexpr program_class classify(double efficiency, std::uint32_t allotment, std::uint32_t desire,
                                               double least) noexcept {
    if (efficiency < least) return program_class::inefficient;
    return allotment < desire ? program_class::deprived : program_class::satisfied;
}

[[nodiscard]] constexpr const char* name_of(program_class c) noexcept {
    return c == program_class::inefficient ? "inefficient" : c == program_class::satisfied ? "satisfied" : "deprived";
}

}  // namespace parley::inline v0::broker
