// What a simulation throws when an invariant of the protocol does not hold.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace parley::inline v0::sim {

struct violation : std::runtime_error {
    violation(std::string invariant_, const std::string& what)
        : std::runtime_error(invariant_ + ": " + what), invariant(std::move(invariant_)) {}
    std::string invariant;  // its name in docs/internals/protocol.md: "I8"
};

[[noreturn, gnu::cold, gnu::noinline]] inline void violated(const char* invariant, const std::string& what) {
    throw violation(invariant, what);
}

}  // namespace parley::inline v0::sim
