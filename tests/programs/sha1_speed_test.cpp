// uts is only as honest as its hash: one slower than everybody's would hide what scheduling costs.
#define OPENSSL_SUPPRESS_DEPRECATED  // what is compared with are the functions it deprecates

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "programs/sha1.hpp"
#include "tests/programs/measure.hpp"

namespace {

using namespace parley_programs;

constexpr std::uint32_t hashes = 20'000;  // one burst: about a millisecond

// Each hash is of the one before, as in a walk down a tree.
sha1_digest ours() {
    sha1_digest digest{1, 2, 3, 4, 5};
    with_best_sha1([&]<class Hash>(Hash) {
        for (std::uint32_t i = 0; i < hashes; ++i) {
            digest = Hash::child(digest, i);
        }
    });
    return digest;
}

sha1_digest theirs() {
    std::array<unsigned char, 24> message{0, 0, 0, 1, 0, 0, 0, 2, 0, 0,
                                          0, 3, 0, 0, 0, 4, 0, 0, 0, 5};
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    for (std::uint32_t i = 0; i < hashes; ++i) {
        for (std::size_t byte = 0; byte < 4; ++byte) {
            message[20 + byte] = static_cast<unsigned char>(i >> (24 - 8 * byte));
        }
        SHA_CTX context;
        SHA1_Init(&context);
        SHA1_Update(&context, message.data(), message.size());
        SHA1_Final(digest.data(), &context);
        std::memcpy(message.data(), digest.data(), digest.size());
    }
    sha1_digest words{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
        words[i / 4] = (words[i / 4] << 8) | digest[i];
    }
    return words;
}

TEST(Sha1Speed, WithinAFifthOfOpenSsl) {
    EXPECT_EQ(ours(), theirs());
    if (!parley_tests::is_measurable) {
        GTEST_SKIP() << "not an optimised build";
    }
    sha1_digest ignored{};
    const auto [our_time, their_time] =
        parley_tests::best_of(100, [&] { ignored = ours(); }, [&] { ignored = theirs(); });
    std::printf("ns per hash: ours %.1f, OpenSSL's %.1f\n", our_time * 1e9 / hashes,
                their_time * 1e9 / hashes);
    EXPECT_LE(our_time, 1.2 * their_time);
}

}  // namespace
