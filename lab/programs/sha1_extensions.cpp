// SHA-1 by sha1rnds4, sha1nexte, sha1msg1 and sha1msg2. How they fit together: Gulley et al.,
// "Intel SHA Extensions", 2013. The target is an attribute of these functions, so that the rest
// of the program runs on any x86-64; who calls them has asked supported() first.
#include "lab/programs/sha1.hpp"

#include <utility>

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

namespace parley_programs {
namespace {

#define PARLEY_SHA_TARGET [[gnu::target("sha,sse4.1")]]

// Rounds 4 G to 4 G + 3, where G counts groups of four from 0 to 19. `state` holds a, b, c, d
// with a in the highest lane; `e` the fifth variable, not yet rotated, in the highest lane;
// afterwards `e` is the old `state`, from which sha1nexte takes its next value. The schedule's
// four registers m[0..3] hold w[4 G .. 4 G + 15]; m[G % 4] is used up here and becomes w[4 G + 16
// ..].
template <int Group>
PARLEY_SHA_TARGET [[gnu::always_inline]] inline void group(__m128i& state, __m128i& e, __m128i* m) noexcept {
    __m128i& now = m[Group % 4];
    const __m128i with_e = Group == 0 ? _mm_add_epi32(e, now) : _mm_sha1nexte_epu32(e, now);
    e = state;
    state = _mm_sha1rnds4_epu32(state, with_e, Group / 5);
    if constexpr (Group < 16) {
        const __m128i partial = _mm_xor_si128(_mm_sha1msg1_epu32(now, m[(Group + 1) % 4]), m[(Group + 2) % 4]);
        now = _mm_sha1msg2_epu32(partial, m[(Group + 3) % 4]);
    }
}

template <int... Groups>
PARLEY_SHA_TARGET [[gnu::always_inline]] inline void groups(__m128i& state, __m128i& e, __m128i* m,
                                                            std::integer_sequence<int, Groups...>) noexcept {
    (group<Groups>(state, e, m), ...);
}

constexpr int as_int(std::uint32_t word) noexcept { return static_cast<int>(word); }

}  // namespace

bool sha1_extensions::supported() noexcept {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSE4_1) == 0) {
        return false;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

PARLEY_SHA_TARGET sha1_digest sha1_extensions::child(const sha1_digest& parent, std::uint32_t index) noexcept {
    constexpr int reversed = 0x1b;  // the instructions want the first word in the highest lane
    const __m128i abcd = _mm_set_epi32(as_int(0x67452301U), as_int(0xefcdab89U), as_int(0x98badcfeU), as_int(0x10325476U));
    const __m128i fifth = _mm_set_epi32(as_int(0xc3d2e1f0U), 0, 0, 0);
    const auto* words = reinterpret_cast<const __m128i*>(parent.data());
    __m128i m[4] = {_mm_shuffle_epi32(_mm_loadu_si128(words), reversed),
                    _mm_set_epi32(as_int(parent[4]), as_int(index), as_int(0x80000000U), 0), _mm_setzero_si128(),
                    _mm_set_epi32(0, 0, 0, 24 * 8)};
    __m128i state = abcd;
    __m128i e = fifth;
    groups(state, e, m, std::make_integer_sequence<int, 20>{});
    e = _mm_sha1nexte_epu32(e, fifth);
    state = _mm_shuffle_epi32(_mm_add_epi32(state, abcd), reversed);
    sha1_digest digest;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(digest.data()), state);
    digest[4] = static_cast<std::uint32_t>(_mm_extract_epi32(e, 3));
    return digest;
}

#undef PARLEY_SHA_TARGET

}  // namespace parley_programs

#else  // another architecture: portable only

namespace parley_programs {

bool sha1_extensions::supported() noexcept { return false; }

sha1_digest sha1_extensions::child(const sha1_digest& parent, std::uint32_t index) noexcept {
    return sha1_portable::child(parent, index);
}

}  // namespace parley_programs

#endif
