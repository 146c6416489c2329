// Which cores a program may use at all (taskset, cgroups), by the numbers of the ownership table. Most programs may use
// all: that is an empty object, and nothing is looked up.
#pragma once

#include <broker/policy/ids.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

class usable_cores {
public:
    usable_cores() = default;  // all
    explicit usable_cores(std::vector<std::uint64_t> words) : words_(std::move(words)) {}
    // Those of a machine with `cores` cores of which `may_use` is true. All, if it is true of none: nobody could
    // be given anything else.
    template <class MayUse>
    usable_cores(std::uint32_t cores, MayUse may_use) : words_((cores + 63) / 64, 0) {
        std::uint32_t count = 0;
        for (core_id c = 0; c < cores; ++c) {
            if (!may_use(c)) continue;
            words_[c / 64] |= std::uint64_t{1} << (c % 64);
            ++count;
        }
        if (count == 0 || count == cores) words_.clear();
    }

    [[nodiscard]] bool are_all() const noexcept { return words_.empty(); }
    [[nodiscard]] bool has(core_id c) const noexcept {
        return are_all() || (c / 64 < words_.size() && (words_[c / 64] >> (c % 64) & 1) != 0);
    }
    // Of a machine with so many.
    [[nodiscard]] std::uint32_t count(std::uint32_t cores) const noexcept {
        if (are_all()) return cores;
        std::uint32_t n = 0;
        for (const std::uint64_t word : words_) n += static_cast<std::uint32_t>(std::popcount(word));
        return std::min(n, cores);
    }
    // For logs: bit c % 64 of word c / 64 is core c. None: all.
    [[nodiscard]] const std::vector<std::uint64_t>& words() const noexcept { return words_; }

    friend bool operator==(const usable_cores&, const usable_cores&) = default;

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace parley::inline v0::broker
