// Few bodies that attract each other, for many steps: two loops in each, of which one is over within a microsecond.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "lab/programs/phased.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

struct bodies {
    explicit bodies(std::size_t n) : mass(n), x(n), y(n), z(n), vx(n), vy(n), vz(n) {}

    [[nodiscard]] std::size_t count() const noexcept { return mass.size(); }

    std::vector<double> mass, x, y, z, vx, vy, vz;
};

// A step is semi-implicit Euler: velocities first, then positions. The constant of gravitation is 1.
constexpr double time_step = 0.001;

// The two halves of a step for body i. The first reads all positions and writes i's velocity, the second reads that and
// writes i's position. They are compiled once and called by all: results of different schedulers are the same to the last
// bit.
void pull_body(bodies& all, std::size_t i) noexcept;
void move_body(bodies& all, std::size_t i) noexcept;

// n bodies at rest in a cube, whose masses are 1 together; the same each time.
[[nodiscard]] bodies bodies_at_rest(std::size_t n);

// What so many steps make of bodies_at_rest(n), by plain loops; the last answer is kept, as the jobs of a measurement all
// ask the same.
[[nodiscard]] std::shared_ptr<const bodies> expected_bodies(std::size_t n, unsigned steps);

template <class S>
class n_body {
public:
    n_body(std::size_t n, unsigned steps) : steps_(steps), bodies_(bodies_at_rest(n)) {}

    // Not timed.
    void prepare() { bodies_ = bodies_at_rest(bodies_.count()); }

    const bodies& operator()() {
        in_phases<S>([this] {
            for (unsigned step = 0; step < steps_; ++step) {
                pull_(std::size_t{0}, bodies_.count(), [&all = bodies_](std::size_t i) { pull_body(all, i); });
                move_(std::size_t{0}, bodies_.count(), [&all = bodies_](std::size_t i) { move_body(all, i); });
            }
        });
        return bodies_;
    }

private:
    unsigned steps_;
    repeated_loop<S> pull_, move_;
    bodies bodies_;
};

}  // namespace parley_programs::inline v0
