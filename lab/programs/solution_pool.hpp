// A pool of solutions that get better (Moniruzzaman and Idrees 2015, section III-E2): the emitter gives solutions to
// workers, each of which follows a strategy of its own that takes its own time; the collector puts what is promising
// back into the pool. Theirs optimises a material; here, a function with many minima (Rastrigin's).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <parley/detail/base/rng.hpp>
#include <utility>
#include <vector>

#include "lab/peers/streams/plan.hpp"

namespace parley_programs::inline v0 {

// A place, and how high the function is there; 0 at its only global minimum.
class solution {
public:
    // Somewhere, by chance.
    explicit solution(std::uint64_t seed);

    // Tries this many places around, at first far away, at last near by, and goes where it is lower.
    void improve(std::uint64_t trials);

    // Goes where another one is. Its next trials remain its own.
    void move_to(const solution& other) noexcept;
    [[nodiscard]] double height() const noexcept { return height_; }

private:
    static constexpr std::size_t dimensions = 6;
    using place = std::array<double, dimensions>;
    [[nodiscard]] static double height_at(const place&) noexcept;
    [[nodiscard]] double between(double low, double high) noexcept;

    parley::base::rng random_;
    place place_{};
    double height_;
};

struct pool_plan {
    parley_peers::stream_plan stream;  // items: how often a solution is worked on, in all
    std::uint64_t pool = 1;            // solutions, not more than items
    std::uint64_t trials = 1;          // of a lane at each item,
    std::uint64_t trials_of_last = 1;  // and of the last lane
};

// What the search has come to.
struct searched {
    std::uint64_t items = 0;
    double first_height = 0.0;  // the lowest in the pool before
    double height = 0.0;        // and ever after
};

template <class S>
class solution_pool {
public:
    solution_pool(pool_plan plan, typename S::pool& pool) : plan_(std::move(plan)), pool_(pool) {
        for (std::uint64_t i = 0; i < plan_.pool; ++i) start_.emplace_back(i + 1);
    }

    searched operator()() {
        searched all;
        solution best = start_.front();
        double heights = 0.0;  // of all in the pool
        for (const solution& s : start_) {
            if (s.height() < best.height()) best = s;
            heights += s.height();
        }
        all.first_height = best.height();
        std::uint64_t issued = start_.size();
        S::template rounds<visit>(
            pool_, plan_.stream, {start_.begin(), start_.end()},
            [this](unsigned lane, visit& v) {
                v.height_before = v.of.height();
                v.of.improve(lane + 1 == plan_.stream.lanes && lane > 0 ? plan_.trials_of_last : plan_.trials);
            },
            [&](visit v) -> std::optional<visit> {
                ++all.items;
                heights += v.of.height() - v.height_before;
                if (v.of.height() < best.height()) best = v.of;
                if (issued == plan_.stream.items) return std::nullopt;
                ++issued;
                // What is worse than the others are on average is given up for the best.
                if (v.of.height() > heights / static_cast<double>(start_.size())) {
                    heights += best.height() - v.of.height();
                    v.of.move_to(best);
                }
                return v;
            });
        all.height = best.height();
        return all;
    }

private:
    struct visit {
        explicit(false) visit(const solution& s) : of(s) {}
        solution of;
        double height_before = 0.0;
    };

    pool_plan plan_;
    typename S::pool& pool_;
    std::vector<solution> start_;
};

}  // namespace parley_programs::inline v0
