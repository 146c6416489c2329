#include "lab/programs/sha1.hpp"

#include <bit>
#include <utility>

namespace parley_programs {
namespace {

using words = std::array<std::uint32_t, 16>;

// FIPS 180-4, sections 4.2.1 and 5.3.1.
constexpr sha1_digest initial{0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U};
constexpr std::array<std::uint32_t, 4> constants{0x5a827999U, 0x6ed9eba1U, 0x8f1bbcdcU, 0xca62c1d6U};

// Section 4.1.1: one function for each twenty rounds.
template <std::size_t Quarter>
constexpr std::uint32_t mix(std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
    if constexpr (Quarter == 0) {
        return d ^ (b & (c ^ d));
    } else if constexpr (Quarter == 2) {
        return (b & c) | (d & (b | c));
    } else {
        return b ^ c ^ d;
    }
}

template <std::size_t Round>
constexpr std::uint32_t schedule(words& w) noexcept {
    if constexpr (Round >= 16) {
        w[Round % 16] = std::rotl(w[(Round + 13) % 16] ^ w[(Round + 8) % 16] ^ w[(Round + 2) % 16] ^ w[Round % 16], 1);
    }
    return w[Round % 16];
}

// The five variables stay where they are; the round number says which of them plays which part.
template <std::size_t Round>
constexpr void round(sha1_digest& v, words& w) noexcept {
    constexpr auto at = [](std::size_t part) { return (part + 80 - Round) % 5; };
    std::uint32_t& e = v[at(4)];
    std::uint32_t& b = v[at(1)];
    e += std::rotl(v[at(0)], 5) + mix<Round / 20>(b, v[at(2)], v[at(3)]) + constants[Round / 20] + schedule<Round>(w);
    b = std::rotl(b, 30);
}

template <std::size_t... Rounds>
constexpr void rounds(sha1_digest& v, words& w, std::index_sequence<Rounds...>) noexcept {
    (round<Rounds>(v, w), ...);
}

// Section 6.1.2.
constexpr sha1_digest compress(const sha1_digest& before, words w) noexcept {
    sha1_digest v = before;
    rounds(v, w, std::make_index_sequence<80>{});
    for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] += before[i];
    }
    return v;
}

// Byte i of the padded message (section 5.1.1): a one bit, zeros, the length in bits.
std::uint32_t padded_byte(std::span<const std::byte> message, std::size_t i, std::size_t total) {
    if (i < message.size()) {
        return std::to_integer<std::uint32_t>(message[i]);
    }
    if (i == message.size()) {
        return 0x80U;
    }
    const std::size_t from_end = total - 1 - i;
    const std::uint64_t bits = std::uint64_t{message.size()} * 8;
    return from_end < 8 ? static_cast<std::uint32_t>((bits >> (8 * from_end)) & 0xffU) : 0U;
}

}  // namespace

sha1_digest sha1(std::span<const std::byte> message) noexcept {
    const std::size_t total = (message.size() + 8) / 64 * 64 + 64;
    sha1_digest digest = initial;
    for (std::size_t block = 0; block < total; block += 64) {
        words w{};
        for (std::size_t i = 0; i < 64; ++i) {
            w[i / 4] = (w[i / 4] << 8) | padded_byte(message, block + i, total);
        }
        digest = compress(digest, w);
    }
    return digest;
}

sha1_digest sha1_portable::child(const sha1_digest& parent, std::uint32_t index) noexcept {
    constexpr std::uint32_t end_of_message = 0x80000000U;
    constexpr std::uint32_t bits = 24 * 8;
    return compress(initial, {parent[0], parent[1], parent[2], parent[3], parent[4], index, end_of_message, 0, 0, 0, 0, 0, 0,
                              0, 0, bits});
}

}  // namespace parley_programs
