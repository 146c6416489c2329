// SHA-1 (FIPS 180-4) for the one message that UTS hashes: the 20 bytes of a node followed by the
// index of a child, 24 bytes in all, which with their padding fill exactly one block. A digest is
// kept as its five 32-bit words, so that it is the next message's beginning without any byte swap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace parley_programs {

using sha1_digest = std::array<std::uint32_t, 5>;

// SHA-1 of a message of any length; portable. For roots and for tests, not for speed.
[[nodiscard]] sha1_digest sha1(std::span<const std::byte> message) noexcept;

// The hash of (parent, index) in plain C++.
struct sha1_portable {
    static constexpr const char* name = "portable";
    [[nodiscard]] static sha1_digest child(const sha1_digest& parent, std::uint32_t index) noexcept;
};

// The same by the SHA extensions of x86 (Intel, July 2013). Call it only where supported().
struct sha1_extensions {
    static constexpr const char* name = "SHA extensions";
    [[nodiscard]] static bool supported() noexcept;
    [[nodiscard]] static sha1_digest child(const sha1_digest& parent, std::uint32_t index) noexcept;
};

// The best of this processor, or the one that every processor has: about 150 ns per hash instead of
// 50, what one pays where there are no such instructions.
enum class sha1_choice { best, portable };

// Calls `visitor` with the chosen hash: decide once per run, not once per hash.
template <class Visitor>
decltype(auto) with_sha1(sha1_choice choice, Visitor&& visitor) {
    if (choice == sha1_choice::best && sha1_extensions::supported()) {
        return std::forward<Visitor>(visitor)(sha1_extensions{});
    }
    return std::forward<Visitor>(visitor)(sha1_portable{});
}
template <class Visitor>
decltype(auto) with_best_sha1(Visitor&& visitor) {
    return with_sha1(sha1_choice::best, std::forward<Visitor>(visitor));
}

}  // namespace parley_programs
