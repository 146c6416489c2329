// Programs of many short loops, the schedulers' forms for them, and skynet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <tuple>

#include "lab/programs/n_body.hpp"
#include "lab/programs/program.hpp"

namespace {

using namespace parley_programs;

// Half a mass each, a unit apart, about their middle: the period is 2 pi.
TEST(NBody, TwoBodiesCircleEachOther) {
    bodies two(2);
    two.mass = {0.5, 0.5};
    two.x = {-0.5, 0.5};
    two.vy = {-0.5, 0.5};
    const auto steps = static_cast<int>(std::lround(2 * std::numbers::pi / time_step));
    for (int step = 0; step < steps; ++step) {
        for (const std::size_t i : {0U, 1U}) {
            pull_body(two, i);
        }
        for (const std::size_t i : {0U, 1U}) {
            move_body(two, i);
        }
        const double distance = std::hypot(two.x[1] - two.x[0], two.y[1] - two.y[0]);
        ASSERT_NEAR(distance, 1.0, 0.01) << step;
        if (step == steps / 2) {
            EXPECT_NEAR(two.x[0], 0.5, 0.01) << "half a circle";
        }
    }
    EXPECT_NEAR(two.x[0], -0.5, 0.01);
    EXPECT_NEAR(two.y[0], 0.0, 0.01);
    EXPECT_EQ(two.z[0], 0.0);
}

TEST(NBody, MomentumStaysZero) {
    const auto after = expected_bodies(100, 20);
    double px = 0, py = 0, pz = 0, speed = 0;
    for (std::size_t i = 0; i < after->count(); ++i) {
        px += after->mass[i] * after->vx[i];
        py += after->mass[i] * after->vy[i];
        pz += after->mass[i] * after->vz[i];
        speed = std::max(speed, std::abs(after->vx[i]));
    }
    EXPECT_GT(speed, 0.01) << "they move";
    EXPECT_NEAR(px, 0.0, 1e-12);
    EXPECT_NEAR(py, 0.0, 1e-12);
    EXPECT_NEAR(pz, 0.0, 1e-12);
}

bool runs_on(const char* program_name, const std::string& scheduler) {
    const auto all = schedulers_allowed_for(*find_program(program_name));
    return std::find(all.begin(), all.end(), scheduler) != all.end();
}

TEST(Phases, FormsForShortLoopsAreForThemAlone) {
    for (const char* name : {"empty-loop", "phases", "stencil", "n-body"}) {
        EXPECT_EQ(runs_on(name, "openmp-region"), runs_on(name, "openmp")) << name;
        EXPECT_EQ(runs_on(name, "tbb-affinity"), runs_on(name, "tbb")) << name;
        EXPECT_EQ(runs_on(name, "rayon"), runs_on("fib", "rayon")) << name;
        EXPECT_TRUE(runs_on(name, "deque-half")) << name;
        EXPECT_FALSE(runs_on(name, "chili")) << name << ": chili has no loops";
    }
    for (const char* scheduler : {"openmp-region", "tbb-affinity", "rayon"}) {
        EXPECT_FALSE(runs_on("saxpy", scheduler)) << scheduler;
    }
    const json parameters{{"n", 10}, {"loops", 2}};
    EXPECT_THROW(std::ignore = find_program("empty-loop")->make(parameters, "chili", {}), std::invalid_argument);
    EXPECT_THROW(std::ignore = find_program("empty-loop")->make(parameters, "openmp-parallel", {}), std::invalid_argument);
}

TEST(Phases, ThoseThatComputeAreRightOnEveryScheduler) {
    const program* p = find_program("phases");
    const json parameters{{"kind", "compute"}, {"n", 300}, {"passes", 4}, {"ns", 50}};
    for (const std::string& scheduler : schedulers_of(*p)) {
        EXPECT_EQ(p->make(parameters, scheduler, {3, {}})->run().result, p->known(parameters)) << scheduler;
    }
}

TEST(Skynet, ItsLoopsAreRightOnEveryScheduler) {
    const program* p = find_program("skynet");
    const json parameters{{"form", "loops"}, {"depth", 3}};
    for (const std::string& scheduler : schedulers_of(*p)) {
        EXPECT_EQ(p->make(parameters, scheduler, {3, {}})->run().result, (json{{"sum", 499'500}})) << scheduler;
    }
    for (const char* form : {"loops", "scopes"}) {
        EXPECT_EQ(p->make({{"form", form}, {"depth", 0}}, "parley", {2, {}})->run().result, (json{{"sum", 0}})) << form;
    }
}

}  // namespace
