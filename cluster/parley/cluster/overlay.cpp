#include <parley/cluster/overlay.hpp>
#include <parley/detail/base/contract.hpp>
#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {
namespace {

constexpr position tree_width = 4;  // of a complete graph's tree
constexpr double chances = 0x1p53;  // a hash is below it

// How many chords a rank has on average when the chance of one of length D is weight / D, at most 1. Only +, / and
// comparisons: every rank must find the same weight, whatever its compiler makes of the rest.
double mean_chords(position ranks, double weight) noexcept {
    double sum = 0.0;
    for (position d = 2; d <= ranks / 2; ++d) {
        const double one = std::min(1.0, weight / d);
        sum += 2 * d == ranks ? one : one + one;
    }
    return sum;
}

// Of a pair, the lower one first: below 2^53.
std::uint64_t hash_of(position low, position high, std::uint64_t key) noexcept {
    return base::rng((std::uint64_t{low} << 32 | high) ^ key).next() >> 11;
}

double weight_for(position ranks, double chords) noexcept {
    double low = 0.0;
    double high = ranks;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (mean_chords(ranks, middle) < chords ? low : high) = middle;
    }
    return high;
}

}  // namespace

overlay_graph::overlay_graph(position ranks, const overlay_options& wanted)
    : ranks_(ranks), kind_(wanted.kind), seed_(wanted.seed), is_complete_(wanted.kind == graph::complete) {
    PARLEY_REQUIRE(ranks >= 1);
    if (is_complete_ || kind_ == graph::ring) return;
    const double logarithm = ranks > 1 ? std::log2(ranks) : 0.0;
    const std::uint32_t degree = wanted.degree != 0 ? wanted.degree : static_cast<std::uint32_t>(std::lround(4 * logarithm));
    is_complete_ = degree + 1 >= ranks;
    if (is_complete_) return;
    const double chords = degree > 2 ? degree - 2 : 0;
    weight_ = kind_ == graph::random ? chords / (ranks - 3) : weight_for(ranks, chords);
}

double overlay_graph::chance(position distance) const noexcept {
    return kind_ == graph::random ? weight_ : weight_ / distance;
}

std::uint64_t overlay_graph::key() const noexcept { return base::rng(seed_).next(); }

bool overlay_graph::has_edge(position a, position b) const noexcept {
    if (is_complete_) return true;
    const position distance = ring_distance(a, b, ranks_);
    if (distance == 1) return true;
    if (kind_ == graph::ring) return false;
    return static_cast<double>(hash_of(std::min(a, b), std::max(a, b), key())) < chance(distance) * chances;
}

std::vector<position> overlay_graph::neighbours(position of) const {
    std::vector<position> found;
    for (position other = 0; other < ranks_; ++other)
        if (other != of && has_edge(of, other)) found.push_back(other);
    return found;
}

std::vector<std::vector<position>> overlay_graph::all_neighbours() const {
    std::vector<std::vector<position>> of(ranks_);
    if (is_complete_ || kind_ == graph::ring) {  // no chance decides
        for (position p = 0; p < ranks_; ++p) of[p] = ring_or_all(p);
        return of;
    }
    // As has_edge(), whose comparison of numbers below 2^53 may be one of integers.
    std::vector<std::uint64_t> bound(ranks_, std::uint64_t{1} << 53);
    for (position d = 2; d + 2 <= ranks_; ++d)
        bound[d] = static_cast<std::uint64_t>(std::ceil(std::min(1.0, chance(ring_distance(0, d, ranks_))) * chances));
    const std::uint64_t k = key();
    // Whoever is below p has come before: all lists ascend.
    for (position p = 0; p < ranks_; ++p)
        for (position other = p + 1; other < ranks_; ++other)
            if (hash_of(p, other, k) < bound[other - p]) {
                of[p].push_back(other);
                of[other].push_back(p);
            }
    return of;
}

std::vector<position> overlay_graph::ring_or_all(position of) const {
    std::vector<position> found;
    if (is_complete_ || ranks_ <= 3) {
        for (position p = 0; p < ranks_; ++p)
            if (p != of) found.push_back(p);
    } else {
        found = {(of + ranks_ - 1) % ranks_, (of + 1) % ranks_};
        std::ranges::sort(found);
    }
    return found;
}

position overlay_graph::next_hop(position from, position to) const noexcept {
    for (position d = 0;; ++d) {
        const position left = (to + ranks_ - d) % ranks_;
        const position right = (to + d) % ranks_;
        for (const position p : {std::min(left, right), std::max(left, right)})
            if (p != from && has_edge(from, p)) return p;
    }
}

overlay::overlay(position self, const overlay_graph& g) : self_(self), ranks_(g.ranks()), neighbours_(g.neighbours(self)) {
    if (ranks_ == 1) return;
    if (g.is_complete()) {
        parent_ = self == 0 ? 0 : (self - 1) / tree_width;
        for (position c = self * tree_width + 1; c <= self * tree_width + tree_width && c < ranks_; ++c)
            children_.push_back(c);
        return;
    }
    if (self != 0) parent_ = next_hop(0);
    for (const position n : neighbours_)
        if (n != 0 && g.next_hop(n, 0) == self) children_.push_back(n);
}

overlay::overlay(position self, position ranks, std::vector<position> neighbours)
    : self_(self), ranks_(ranks), neighbours_(std::move(neighbours)) {}

std::vector<overlay> overlay::of_all(const overlay_graph& g) {
    std::vector<overlay> all;
    all.reserve(g.ranks());
    std::vector<std::vector<position>> neighbours = g.all_neighbours();
    for (position p = 0; p < g.ranks(); ++p) all.push_back(overlay(p, g.ranks(), std::move(neighbours[p])));
    for (position p = 1; p < g.ranks(); ++p) {
        const position parent = g.is_complete() ? (p - 1) / tree_width : all[p].next_hop(0);
        all[p].parent_ = parent;
        all[parent].children_.push_back(p);
    }
    return all;
}

position overlay::next_hop(position to) const noexcept {
    // The nearest neighbours of `to` on both sides; the ring goes on beyond the ends of the list.
    const auto right = std::ranges::lower_bound(neighbours_, to);
    const position above = right == neighbours_.end() ? neighbours_.front() : *right;
    const position below = right == neighbours_.begin() ? neighbours_.back() : *std::prev(right);
    const position to_above = ring_distance(above, to, ranks_);
    const position to_below = ring_distance(below, to, ranks_);
    if (to_above == to_below) return std::min(above, below);
    return to_above < to_below ? above : below;
}

}  // namespace parley::inline v0::cluster
