// Molecular dynamics as a farm of pairs (Moniruzzaman and Idrees 2015, section III-E1): a task is the force between two
// molecules, the collector adds it to both. Theirs is the code CMD; here, Lennard-Jones molecules from a lattice on,
// in reduced units.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lab/peers/streams/plan.hpp"

namespace parley_programs::inline v0 {

using vector3 = std::array<double, 3>;

// The molecules of a box that repeats itself in all directions.
class molecules {
public:
    // side^3 of them, each a little off its place in a cubic lattice.
    explicit molecules(unsigned side);

    struct pair {
        std::uint32_t first, second;
    };
    // Those that are near enough to feel each other, and some that may come near within a few steps. O(n^2).
    [[nodiscard]] const std::vector<pair>& pairs() const noexcept { return pairs_; }

    struct interaction {
        pair of{};
        vector3 force{};  // on the first one
        double energy = 0.0;
    };
    [[nodiscard]] interaction between(pair p) const noexcept;

    void add(const interaction& i) noexcept;
    // One step by leapfrog, with the forces that were added since the last one.
    void move() noexcept;
    // Kinetic and potential, as of the last step.
    [[nodiscard]] double energy() const noexcept { return energy_; }

private:
    [[nodiscard]] vector3 distance(std::uint32_t a, std::uint32_t b) const noexcept;

    double length_;  // of the box
    std::vector<vector3> places_, speeds_, forces_;
    std::vector<pair> pairs_;
    double potential_ = 0.0;
    double energy_ = 0.0;
};

// What the steps have come to.
struct simulated {
    std::uint64_t pairs = 0;
    bool in_order = true;
    double energy = 0.0;
};

template <class S>
class pair_farm {
public:
    pair_farm(unsigned side, unsigned steps, parley_peers::stream_plan plan, typename S::pool& pool)
        : start_(side), steps_(steps), plan_(std::move(plan)), pool_(pool) {
        plan_.items = start_.pairs().size();
    }

    simulated operator()() {
        molecules now = start_;
        simulated all;
        for (unsigned step = 0; step < steps_; ++step) {
            struct result {
                std::uint64_t item = 0;
                molecules::interaction of{};
            };
            std::uint64_t next = 0;
            S::template stream<result>(
                pool_, plan_, [&now](unsigned, std::uint64_t item) { return result{item, now.between(now.pairs()[item])}; },
                [&](const result& r) {
                    all.in_order = all.in_order && r.item == next++;
                    ++all.pairs;
                    now.add(r.of);
                });
            now.move();
        }
        all.energy = now.energy();
        return all;
    }

private:
    const molecules start_;
    unsigned steps_;
    parley_peers::stream_plan plan_;
    typename S::pool& pool_;
};

}  // namespace parley_programs::inline v0
