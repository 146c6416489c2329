// The states that an exploration has seen, by hash, numbered in the order in which they were found.
//
// Only 64 bits are kept of each (hash compaction, Wolper and Leroy 1993): two of n states are taken
// for one with a probability below n^2 / 2^65, which is 3 in a million for ten million states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

using state_id = std::uint32_t;
inline constexpr state_id no_state = ~state_id{0};

// Never 0. The steps are those of SplitMix64's output function.
inline std::uint64_t hash_of(const std::string& packed) noexcept {
    std::uint64_t h = packed.size();
    for (std::size_t at = 0; at < packed.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, packed.data() + at, packed.size() - at < 8 ? packed.size() - at : 8);
        h = (h ^ word) + 0x9E3779B97F4A7C15u;
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
        h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
        h ^= h >> 31;
    }
    return h != 0 ? h : 1;
}

class state_table {
public:
    state_table() : hashes_(1u << 12, 0), ids_(1u << 12) {}

    [[nodiscard]] state_id size() const noexcept { return size_; }

    // The number of the state, and whether it is new. With `may_grow` false a new one gets none.
    std::pair<state_id, bool> number_of(std::uint64_t hash, bool may_grow) {
        std::size_t i = find(hash);
        if (hashes_[i] == hash) return {ids_[i], false};
        if (!may_grow) return {no_state, false};
        if (std::size_t{size_} * 3 >= hashes_.size() * 2) {
            grow();
            i = find(hash);
        }
        hashes_[i] = hash;
        ids_[i] = size_;
        return {size_++, true};
    }

private:
    [[nodiscard]] std::size_t find(std::uint64_t hash) const noexcept {
        const std::size_t mask = hashes_.size() - 1;
        std::size_t i = hash & mask;
        while (hashes_[i] != 0 && hashes_[i] != hash) i = (i + 1) & mask;
        return i;
    }
    void grow() {
        std::vector<std::uint64_t> hashes(hashes_.size() * 2, 0);
        std::vector<state_id> ids(hashes.size());
        hashes.swap(hashes_);
        ids.swap(ids_);
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            if (hashes[i] == 0) continue;
            const std::size_t to = find(hashes[i]);
            hashes_[to] = hashes[i];
            ids_[to] = ids[i];
        }
    }

    // Open addressing; two arrays take 12 bytes a place, one of pairs would take 16.
    std::vector<std::uint64_t> hashes_;  // 0: free
    std::vector<state_id> ids_;
    state_id size_ = 0;
};

}  // namespace parley::inline v0::sim
