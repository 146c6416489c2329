/// @file
/// Who may talk to whom: a sparse graph on the ring of ranks. Kleinberg's small world (STOC 2000) keeps routes short
//// with few connections; TITUS_DLB steals along it (Fontenaille et al. 2018, §4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parley::inline v0::cluster {

/// A rank's place on the ring, 0 to ranks - 1.
using position = std::uint32_t;

/// Which ranks are neighbours.
enum class graph : std::uint8_t {
    small_world,  ///< the ring, and chords of length D with a chance proportional to 1 / D
    random,       ///< the ring, and chords of any length alike
    ring,         ///< the ring alone
    complete,     ///< any two ranks
};

/// The graph over whose edges ranks talk; all ranks have the same.
struct overlay_options {
    graph kind = graph::small_world;  ///< which edges there are
    std::uint32_t degree = 0;         ///< neighbours of a rank on average; 0: 4 log2 of the number of ranks
    std::uint64_t seed = 1;           ///< of the chords
};

/// @cond
[[nodiscard]] constexpr position ring_distance(position a, position b, position ranks) noexcept {
    const position clockwise = a < b ? b - a : a - b;
    return clockwise < ranks - clockwise ? clockwise : ranks - clockwise;
}

// The whole graph as a function: whether there is an edge follows from the two ends alone, by hashing. So every rank
// knows its own neighbours, and anybody else's, without a table and without a message.
class overlay_graph {
public:
    // `ranks` >= 1. O(ranks).
    overlay_graph(position ranks, const overlay_options&);

    [[nodiscard]] position ranks() const noexcept { return ranks_; }
    [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }
    // Symmetric; `a` and `b` differ.
    [[nodiscard]] bool has_edge(position a, position b) const noexcept;
    // In ascending order. O(ranks).
    [[nodiscard]] std::vector<position> neighbours(position of) const;
    // Of every rank. O(ranks^2), but each pair is looked at once.
    [[nodiscard]] std::vector<std::vector<position>> all_neighbours() const;
    // Where what is for `to` goes from `from`: the neighbour that is nearest to it on the ring; of two, the lower one.
    // Along the ring it gets nearer with each hop, so routes end. O(distance of the answer from `to`).
    [[nodiscard]] position next_hop(position from, position to) const noexcept;

private:
    [[nodiscard]] double chance(position distance) const noexcept;
    // One of its own, so that all edges are as random as the seed.
    [[nodiscard]] std::uint64_t key() const noexcept;
    // Where no chance decides.
    [[nodiscard]] std::vector<position> ring_or_all(position of) const;

    position ranks_;
    graph kind_;
    std::uint64_t seed_;
    bool is_complete_;
    double weight_ = 0.0;  // a chord of length D is there with the chance weight / D, at most 1
};

// What one rank knows of it: O(degree).
class overlay {
public:
    overlay(position self, const overlay_graph&);

    // What every rank knows. Where all ranks are in one process, that is far less work than one after the other:
    // O(ranks^2) in all.
    [[nodiscard]] static std::vector<overlay> of_all(const overlay_graph&);

    [[nodiscard]] position self() const noexcept { return self_; }
    [[nodiscard]] position ranks() const noexcept { return ranks_; }
    [[nodiscard]] std::span<const position> neighbours() const noexcept { return neighbours_; }
    // As overlay_graph::next_hop() from here. O(log degree). `to` is not this rank.
    [[nodiscard]] position next_hop(position to) const noexcept;

    // A tree over all ranks with 0 as its root, whose edges are the graph's: the first hop of the route to 0. Where
    // the graph is complete, a tree with four children each.
    [[nodiscard]] bool is_root() const noexcept { return self_ == 0; }
    [[nodiscard]] position parent() const noexcept { return parent_; }
    [[nodiscard]] std::span<const position> children() const noexcept { return children_; }

private:
    overlay(position self, position ranks, std::vector<position> neighbours);

    position self_;
    position ranks_;
    std::vector<position> neighbours_;
    position parent_ = 0;
    std::vector<position> children_;
};

/// @endcond

}  // namespace parley::inline v0::cluster
