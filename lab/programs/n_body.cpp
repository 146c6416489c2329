#include "lab/programs/n_body.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"
#include "lab/programs/greatest_difference.hpp"
#include "lab/programs/loop_job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {

[[gnu::noinline]] void pull_body(bodies& all, std::size_t i) noexcept {
    // Added to squares of distances: bodies that meet do not fly off, and a body does not pull itself.
    constexpr double softening = 1e-6;
    const std::size_t n = all.count();
    double ax = 0.0, ay = 0.0, az = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        const double dx = all.x[k] - all.x[i], dy = all.y[k] - all.y[i], dz = all.z[k] - all.z[i];
        const double square = dx * dx + dy * dy + dz * dz + softening;
        const double pull = all.mass[k] / (square * std::sqrt(square));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
    }
    all.vx[i] += time_step * ax;
    all.vy[i] += time_step * ay;
    all.vz[i] += time_step * az;
}

[[gnu::noinline]] void move_body(bodies& all, std::size_t i) noexcept {
    all.x[i] += time_step * all.vx[i];
    all.y[i] += time_step * all.vy[i];
    all.z[i] += time_step * all.vz[i];
}

bodies bodies_at_rest(std::size_t n) {
    bodies all(n);
    parley::base::rng random(1);
    const auto from_0_to_1 = [&random] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
    std::fill(all.mass.begin(), all.mass.end(), 1.0 / static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
        all.x[i] = from_0_to_1();
        all.y[i] = from_0_to_1();
        all.z[i] = from_0_to_1();
    }
    return all;
}

std::shared_ptr<const bodies> expected_bodies(std::size_t n, unsigned steps) {
    static std::mutex mutex;
    static std::size_t last_n = 0;
    static unsigned last_steps = 0;
    static std::shared_ptr<const bodies> last;
    const std::lock_guard lock(mutex);
    if (last == nullptr || last_n != n || last_steps != steps) {
        bodies all = bodies_at_rest(n);
        for (unsigned step = 0; step < steps; ++step) {
            for (std::size_t i = 0; i < n; ++i) {
                pull_body(all, i);
            }
            for (std::size_t i = 0; i < n; ++i) {
                move_body(all, i);
            }
        }
        last = std::make_shared<const bodies>(std::move(all));
        last_n = n;
        last_steps = steps;
    }
    return last;
}

namespace {

template <class S>
class n_body_kernel {
public:
    n_body_kernel(const json& parameters, typename S::pool&)
        : n_(parameters.at("n").get<std::size_t>()), steps_(parameters.at("steps").get<unsigned>()), bodies_(n_, steps_) {}
    void prepare() { bodies_.prepare(); }
    const bodies* operator()() { return &bodies_(); }
    json describe(const bodies* found) const {
        const auto expected = expected_bodies(n_, steps_);
        return {{"error", std::max({greatest_difference(found->x, expected->x), greatest_difference(found->y, expected->y),
                                    greatest_difference(found->z, expected->z)})}};
    }
    static json so_far() { return nullptr; }

private:
    std::size_t n_;
    unsigned steps_;
    n_body<S> bodies_;
};

// The papers have no bodies: with their sizes there are a million loops.
json parameters(const request& wanted) {
    return {{"n", given_or(wanted, "n", 128)},
            {"steps", given_or(wanted, "steps", wanted.size == "small" ? 1000 : 500'000)}};
}

json known(const json&) { return {{"error", 0.0}}; }

}  // namespace

program n_body_program() {
    program p{};
    p.name = "n-body";
    p.summary = "few bodies that attract each other, each of many steps a loop for velocities and one for positions";
    p.options = {{"n", "bodies", 1, 16'384, {}}, {"steps", "how many", 0, 10'000'000, {}}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_phases_job<n_body_kernel>;
    p.has_loops = true;
    p.has_phases = true;
    p.loops = [](const json& parameters) { return 2 * parameters.at("steps").get<std::uint64_t>(); };
    return p;
}

}  // namespace parley_programs::inline v0
