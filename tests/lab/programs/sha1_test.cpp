#include "lab/programs/sha1.hpp"

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <random>
#include <string_view>
#include <vector>

namespace {

using namespace parley_programs;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

sha1_digest by_openssl(std::span<const std::byte> message) {
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data());
    sha1_digest words{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
        words[i / 4] = (words[i / 4] << 8) | digest[i];
    }
    return words;
}

// The 24 bytes that child() hashes.
std::vector<std::byte> message_of(const sha1_digest& parent, std::uint32_t index) {
    std::vector<std::byte> message;
    const auto append = [&](std::uint32_t word) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            message.push_back(static_cast<std::byte>(word >> shift));
        }
    };
    for (const std::uint32_t word : parent) {
        append(word);
    }
    append(index);
    return message;
}

// The examples of FIPS 180-1, appendices A to C.
TEST(Sha1, PublishedExamples) {
    EXPECT_EQ(sha1(bytes_of("abc")), (sha1_digest{0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d}));
    EXPECT_EQ(sha1(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              (sha1_digest{0x84983e44, 0x1c3bd26e, 0xbaae4aa1, 0xf95129e5, 0xe54670f1}));
    const std::vector<std::byte> million(1'000'000, std::byte{'a'});
    EXPECT_EQ(sha1(million), (sha1_digest{0x34aa973c, 0xd4c4daa4, 0xf61eeb2b, 0xdbad2731, 0x6534016f}));
}

// All lengths around the ends of the first blocks, where padding changes its shape.
TEST(Sha1, EveryLengthIsPaddedRight) {
    std::mt19937 random(1);
    std::vector<std::byte> message;
    for (std::size_t length = 0; length <= 200; ++length) {
        EXPECT_EQ(sha1(message), by_openssl(message)) << length << " bytes";
        message.push_back(static_cast<std::byte>(random()));
    }
}

template <class Hash>
void expect_children_are_hashes() {
    std::mt19937 random(2);
    for (int i = 0; i < 10'000; ++i) {
        sha1_digest parent{};
        for (std::uint32_t& word : parent) {
            word = static_cast<std::uint32_t>(random());
        }
        const auto index = i % 2 == 0 ? static_cast<std::uint32_t>(i) : static_cast<std::uint32_t>(random());
        ASSERT_EQ(Hash::child(parent, index), by_openssl(message_of(parent, index)));
    }
}

TEST(Sha1, PortableChildIsTheHash) { expect_children_are_hashes<sha1_portable>(); }

TEST(Sha1, ExtensionsChildIsTheHash) {
    if (!sha1_extensions::supported()) {
        GTEST_SKIP() << "this processor has no SHA extensions";
    }
    expect_children_are_hashes<sha1_extensions>();
}

TEST(Sha1, BestIsTheExtensionsWhereTheyAre) {
    const std::string_view best = with_best_sha1([]<class H>(H) { return H::name; });
    EXPECT_EQ(best, sha1_extensions::supported() ? sha1_extensions::name : sha1_portable::name);
}

}  // namespace
