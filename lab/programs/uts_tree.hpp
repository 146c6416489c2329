// UTS, the unbalanced tree search (Olivier et al., LCPC 2006): its official trees and what is known
// of them, and the law by which a node tells how many children it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/programs/sha1.hpp"

namespace parley_programs::uts {

enum class family { geometric, binomial, hybrid };
enum class shape { linear, cyclic, fixed };  // of the official trees; no one uses expdec

// What a search found, and what is published about a tree; a fact that is not known is empty.
struct facts {
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> depth;
    std::optional<std::uint64_t> leaves;
};

struct tree {
    std::string_view name;
    family kind;
    shape form;             // of the geometric part
    unsigned depth_limit;   // D
    double root_branching;  // b0
    std::uint32_t seed;     // r
    double child_chance;    // q: that a binomial node has children
    unsigned children;      // m: how many it has then
    facts known;
};

// T1 to T5 (about 4 million nodes), T1L to T3L (about 100 million), T1XL, T1XXL, T3XXL.
[[nodiscard]] std::span<const tree> official_trees() noexcept;

// Null where there is none of that name.
[[nodiscard]] const tree* find_tree(std::string_view name) noexcept;

struct node {
    sha1_digest state;
    std::uint32_t depth;
};

[[nodiscard]] node root_of(const tree& which) noexcept;

// Bits 0 to 30 of a node's last word: its random value times 2^31.
[[nodiscard]] inline std::uint32_t random_value(const sha1_digest& state) noexcept { return state[4] & 0x7fffffffU; }

// How many children a node has: one row of bounds for each depth. The rows are made from the
// published formula by bisection over the 2^31 random values, once; so a search computes no
// logarithm, and yet its counts are the formula's.
class branching_law {
public:
    // A node has more than k children exactly when its flipped value reaches bound k. A few
    // children are what a geometric node has for small values, a binomial one for large values:
    // hence the flip.
    struct row {
        std::uint32_t flip;
        const std::uint32_t* bounds;  // ends with one that no value reaches

        [[nodiscard]] std::uint32_t value_of(const sha1_digest& state) const noexcept { return random_value(state) ^ flip; }
    };

    explicit branching_law(const tree& which);

    [[nodiscard]] row at(std::uint32_t depth) const noexcept { return rows_[depth < last_ ? depth : last_]; }

    // By depth; the last is that of all greater depths too.
    [[nodiscard]] std::span<const row> rows() const noexcept { return rows_; }

private:
    std::vector<std::vector<std::uint32_t>> bounds_;
    std::vector<row> rows_;
    std::uint32_t last_;
};

}  // namespace parley_programs::uts
