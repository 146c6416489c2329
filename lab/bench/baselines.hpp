// Speedups are over serial programs, which therefore have to be good ones. Other ways to do their work:
// a walk through the tree of uts with a stack of one's own, and OpenSSL's hash.
#pragma once

#define OPENSSL_SUPPRESS_DEPRECATED  // what is compared with are the functions it deprecates

#include <openssl/sha.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lab/programs/sha1.hpp"
#include "lab/programs/uts.hpp"

namespace parley_bench {

// What lab/programs/uts.hpp finds by recursion.
template <class Hash>
parley_programs::uts::totals count_with_stack(const parley_programs::uts::branching_law& law,
                                              const parley_programs::uts::node& root) {
    parley_programs::uts::totals sum;
    std::vector<parley_programs::uts::node> waiting{root};
    while (!waiting.empty()) {
        const parley_programs::uts::node here = waiting.back();
        waiting.pop_back();
        const auto row = law.at(here.depth);
        const std::uint32_t value = row.value_of(here.state);
        std::uint32_t index = 0;
        for (; value >= row.bounds[index]; ++index) waiting.push_back({Hash::child(here.state, index), here.depth + 1});
        sum.nodes += 1;
        sum.leaves += index == 0 ? 1 : 0;
        sum.depth = here.depth > sum.depth ? here.depth : sum.depth;
    }
    return sum;
}

// Each hash is of the one before, as in a walk down a tree.
inline parley_programs::sha1_digest chain_of_hashes(std::uint32_t length) {
    parley_programs::sha1_digest digest{1, 2, 3, 4, 5};
    parley_programs::with_best_sha1([&]<class Hash>(Hash) {
        for (std::uint32_t i = 0; i < length; ++i) digest = Hash::child(digest, i);
    });
    return digest;
}

// The same by OpenSSL.
inline parley_programs::sha1_digest chain_of_hashes_by_openssl(std::uint32_t length) {
    std::array<unsigned char, 24> message{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5};
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    for (std::uint32_t i = 0; i < length; ++i) {
        for (std::size_t byte = 0; byte < 4; ++byte) message[20 + byte] = static_cast<unsigned char>(i >> (24 - 8 * byte));
        SHA_CTX context;
        SHA1_Init(&context);
        SHA1_Update(&context, message.data(), message.size());
        SHA1_Final(digest.data(), &context);
        std::memcpy(message.data(), digest.data(), digest.size());
    }
    parley_programs::sha1_digest words{};
    for (std::size_t i = 0; i < digest.size(); ++i) words[i / 4] = (words[i / 4] << 8) | digest[i];
    return words;
}

}  // namespace parley_bench
