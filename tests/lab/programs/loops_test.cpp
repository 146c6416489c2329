// The programs that are loops: each iteration leaves something behind, so that the result shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "lab/peers/parley.hpp"
#include "lab/programs/arrays.hpp"
#include "lab/programs/bpc_loop.hpp"
#include "lab/programs/empty_loop.hpp"
#include "lab/programs/greatest_difference.hpp"
#include "lab/programs/loop.hpp"
#include "lab/programs/mandelbrot.hpp"
#include "lab/programs/matmul.hpp"
#include "lab/programs/n_body.hpp"
#include "lab/programs/nested.hpp"
#include "lab/programs/phases.hpp"
#include "lab/programs/stencil.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;

// Loops of it leave one index out, or call one twice.
struct careless : serial {
    inline static std::uint64_t calls = 0;
    inline static std::uint64_t lost_call = 0;
    inline static std::uint64_t doubled_call = 0;
    static void begin(std::uint64_t lost, std::uint64_t doubled) {
        calls = 0;
        lost_call = lost;
        doubled_call = doubled;
    }
    static int times() {
        ++calls;
        return calls == lost_call ? 0 : calls == doubled_call ? 2 : 1;
    }

    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
        for (; first < last; ++first) {
            for (int n = times(); n > 0; --n) {
                body(first);
            }
        }
    }
    template <class T, class I, class Body>
    static T sum(I first, I last, Body body) {
        T total{};
        for_each_index(first, last, [&](I i) { total += body(i); });
        return total;
    }
};

template <class Run>
void expect_to_show(Run sum_of_run, std::uint64_t calls) {
    careless::begin(0, 0);
    const std::uint64_t right = sum_of_run();
    EXPECT_EQ(careless::calls, calls);
    for (std::uint64_t i = 1; i <= calls; ++i) {
        careless::begin(i, 0);
        EXPECT_NE(sum_of_run(), right) << "lost " << i;
        careless::begin(0, i);
        EXPECT_NE(sum_of_run(), right) << "doubled " << i;
    }
}

template <class Kernel>
std::uint64_t prepared_sum(Kernel& kernel) {
    kernel.prepare();
    kernel();
    return kernel.sum();
}

TEST(Loops, IterationsLostOrDoubledShow) {
    loop_of_lengths<careless> lengths({loop_kind::random, 50, 1.0, 1});
    expect_to_show([&] { return prepared_sum(lengths); }, 50);
    saxpy<careless> scaled({20, 3});
    expect_to_show([&] { return prepared_sum(scaled); }, 60);
    array_sum<careless> added({20, 3});
    expect_to_show([&] { return added(); }, 60);
    dot_product<careless> multiplied({20, 3});
    expect_to_show([&] { return multiplied(); }, 60);
    array_phases<careless> passes({phase_kind::memory, 20, 3, 0.0});
    expect_to_show([&] { return prepared_sum(passes); }, 60);
    array_phases<careless> computed({phase_kind::compute, 20, 3, 1.0});
    expect_to_show([&] { return prepared_sum(computed); }, 60);
    empty_loops<careless> marked(20, 1);
    expect_to_show([&] { return prepared_sum(marked); }, 20);
    mandelbrot<careless> image({20, 10});
    expect_to_show([&] { return prepared_sum(image); }, 20);
}

TEST(Loops, BlocksOfAMatrixLostOrDoubledShow) {
    matmul<careless> product({4, 2}, 1);
    const auto error = [&] {
        product.prepare();
        product.by_loops();
        return static_cast<std::uint64_t>(product.error());
    };
    EXPECT_EQ(error(), 0U);
    expect_to_show(error, tasks_of_matmul(4));
}

// A row that is computed twice is right twice.
TEST(Loops, RowsOfAStencilLostShow) {
    constexpr heat_size size{6, 5, 3};
    stencil<careless> steps(size);
    const auto error = [&] {
        steps.prepare();
        return parley_programs::greatest_difference(steps(), *expected_plate(size));
    };
    for (std::uint64_t lost = 0; lost <= 12; ++lost) {
        careless::begin(lost, 0);
        EXPECT_EQ(error() == 0.0, lost == 0) << lost;
        EXPECT_EQ(careless::calls, 12U);
    }
}

TEST(Loops, BodiesLostOrDoubledShow) {
    n_body<careless> steps(4, 2);
    const auto found = [&] {
        steps.prepare();
        return parley_programs::greatest_difference(steps().x, expected_bodies(4, 2)->x);
    };
    careless::begin(0, 0);
    EXPECT_EQ(found(), 0.0);
    EXPECT_EQ(careless::calls, 16U);
    for (std::uint64_t i = 1; i <= 16; ++i) {
        careless::begin(i, 0);
        EXPECT_GT(found(), 0.0) << "lost " << i;
        careless::begin(0, i);
        EXPECT_GT(found(), 0.0) << "doubled " << i;
    }
}

// Iteration 1 of the outer loop is call 1, those of its inner loop come next.
TEST(Loops, NestedIterationsLostOrDoubledShow) {
    nested_loops<careless> square(nest::square, 6, 0.0);
    nested_loops<careless> triangle(nest::triangle, 6, 0.0);
    careless::begin(0, 0);
    EXPECT_EQ(prepared_sum(square), sum_of_marks(36));
    EXPECT_EQ(careless::calls, 6U + 36U);
    careless::begin(0, 0);
    EXPECT_EQ(prepared_sum(triangle), sum_of_marks(21));
    EXPECT_EQ(careless::calls, 6U + 21U);
    for (std::uint64_t i = 1; i <= 6 + 36; ++i) {
        careless::begin(i, 0);
        EXPECT_NE(prepared_sum(square), sum_of_marks(36)) << i;
        careless::begin(0, i);
        EXPECT_NE(prepared_sum(square), sum_of_marks(36)) << i;
    }
}

TEST(Loops, RepetitionsBeginAnew) {
    for (const char* name : {"loop", "saxpy", "sum", "dot", "mandelbrot", "nested", "triangular", "empty-loop", "phases",
                             "stencil", "n-body"}) {
        const program* p = find_program(name);
        request wanted;
        wanted.given = {{"n", "100"}, {"t", "2"}, {"passes", "3"}, {"loops", "9"}, {"nt", "9"}, {"steps", "9"}};
        const json parameters = p->parameters(wanted);
        const auto job = p->make(parameters, "parley", {2, {}});
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(job->run().result, p->known(parameters)) << name;
        }
    }
}

TEST(Loops, NoIterationsAreRight) {
    for (const char* name : {"loop", "saxpy", "sum", "dot", "nested", "triangular", "bpc-loop", "empty-loop", "phases"}) {
        const program* p = find_program(name);
        request wanted;
        wanted.given = {{"n", "0"}, {"d", "3"}, {"passes", "3"}, {"loops", "3"}};
        const json parameters = p->parameters(wanted);
        for (const std::string& scheduler : schedulers_of(*p)) {
            EXPECT_EQ(p->make(parameters, scheduler, {2, {}})->run().result, p->known(parameters))
                << name << " on " << scheduler;
        }
    }
}

// Section 5.4.1 of the thesis.
TEST(Loops, KindsAreThoseOfTheThesis) {
    const auto of = [](const char* kind) {
        request r;
        r.size = "thesis";
        r.given = {{"kind", kind}};
        const json p = find_program("loop")->parameters(r);
        return loop_shape{*loop_kind_named(kind), p.at("n").get<std::uint64_t>(), p.at("t").get<double>(), 1};
    };
    EXPECT_EQ(of("FG").n, 10'000'000U);
    EXPECT_EQ(of("FG").microseconds(77), 1.0);
    EXPECT_EQ(of("CG").n, 960U);
    EXPECT_EQ(of("CG").microseconds(77), 10'000.0);
    const loop_shape increasing = of("IG");
    EXPECT_EQ(increasing.n, 2000U);
    EXPECT_EQ(increasing.microseconds(0), 1.0);
    EXPECT_EQ(increasing.microseconds(1999), 10'000.0);
    EXPECT_NEAR(increasing.microseconds(501) - increasing.microseconds(500), 5.0, 0.01);
    const loop_shape decreasing = of("DG");
    for (const std::uint64_t i : {0U, 1U, 700U, 1999U}) {
        EXPECT_EQ(decreasing.microseconds(i), increasing.microseconds(1999 - i));
    }
    EXPECT_EQ(loop_kind_named("fg"), std::nullopt);
}

// One third of them 1 us; 26.6% 10 us, 20% 100 us, 13.3% 1 ms, 6.6% 10 ms.
TEST(Loops, RandomLengthsAreMostlyShort) {
    loop_shape shape{loop_kind::random, 10'000, 10'000.0, 1};
    std::map<double, int> found;
    for (std::uint64_t i = 0; i < shape.n; ++i) {
        ++found[shape.microseconds(i)];
    }
    const std::map<double, int> wanted{{1.0, 3333}, {10.0, 2667}, {100.0, 2000}, {1000.0, 1333}, {10'000.0, 667}};
    ASSERT_EQ(found.size(), wanted.size());
    for (const auto& [length, times] : wanted) {
        EXPECT_NEAR(found[length], times, 200) << length;
    }
    loop_shape other = shape;
    other.seed = 2;
    int different = 0;
    for (std::uint64_t i = 0; i < shape.n; ++i) {
        different += shape.microseconds(i) != other.microseconds(i) ? 1 : 0;
    }
    EXPECT_GT(different, 5000);
}

TEST(Loops, PointsOutsideAndInsideOfTheMandelbrotSet) {
    constexpr mandelbrot_size size{3, 1000};  // real parts -2.25, -1.25, -0.25; row 0 is -1.5 i
    std::vector<std::uint32_t> row(3);
    squarings_of_row(size, 0, row.data());
    EXPECT_EQ(row[0], 1U) << "its absolute value is more than 2";
    constexpr mandelbrot_size middle{2, 1000};  // row 1 is on the real axis: -2.25 and -0.75
    std::vector<std::uint32_t> axis(2);
    squarings_of_row(middle, 1, axis.data());
    EXPECT_EQ(axis[0], 1U);
    EXPECT_EQ(axis[1], 1000U) << "it never escapes";
}

TEST(BpcLoop, EachConsumerRuns) {
    for (const auto& [d, n] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 0}, {1, 5}, {5, 0}, {300, 9}, {3, 5000}}) {
        serial::pool plain({});
        bundled_consumers<serial> by_calls(d, n, busy_work(0.0), plain);
        EXPECT_EQ(plain.run([&] { return by_calls(); }), std::uint64_t{d} * (n + 1));
        for (const unsigned workers : {1U, 3U}) {
            parley_peers::parley::pool pool({workers, {}});
            bundled_consumers<parley_peers::parley> tasks(d, n, busy_work(1.0), pool);
            for (int i = 0; i < 2; ++i) {
                EXPECT_EQ(pool.run([&] { return tasks(); }), std::uint64_t{d} * (n + 1)) << workers;
            }
        }
    }
}

// A user of OpenMP chooses a schedule for each loop. With one worker there is nothing to choose.
TEST(Loops, OpenMpTriesSchedulesBeforeTheFirstRun) {
    const json parameters{{"kind", "DG"}, {"n", 200}, {"t", 20}, {"poll", 0}, {"passes", 3}, {"seed", 1}};
    const program* p = find_program("loop");
    const std::vector<std::string> here = schedulers_of(*p);
    if (std::find(here.begin(), here.end(), "openmp") == here.end()) {
        GTEST_SKIP() << "not in this build";
    }
    unsetenv("OMP_SCHEDULE");
    const auto on_one = p->make(parameters, "openmp", {1, {}});
    EXPECT_EQ(on_one->run().result, p->known(parameters));
    EXPECT_EQ(on_one->tuning(), (json{{"schedule", "static"}}));
    const auto on_two = p->make(parameters, "openmp", {2, {}});
    EXPECT_EQ(on_two->tuning(), json::object());
    EXPECT_EQ(on_two->run().result, p->known(parameters));
    const auto chosen = on_two->tuning().at("schedule").get<std::string>();
    const std::string kind = chosen.substr(0, chosen.find(','));
    EXPECT_TRUE(kind == "static" || kind == "dynamic" || kind == "guided") << chosen;
    EXPECT_EQ(on_two->run().result, p->known(parameters));
    EXPECT_EQ(on_two->tuning().at("schedule"), chosen);
}

TEST(Loops, WaysToDivideThemAreTold) {
    const program* p = find_program("nested");
    const json parameters{{"n", 10}, {"ns", 0}};
    const std::map<std::string, json> wanted{{"parley", json::object()},
                                             {"parley-guided", {{"split", "guided"}}},
                                             {"deque", {{"split", "adaptive"}}},
                                             {"deque-eager", {{"split", "eager"}}},
                                             {"serial", json::object()}};
    for (const auto& [scheduler, tuning] : wanted) {
        EXPECT_EQ(p->make(parameters, scheduler, {2, {}})->tuning(), tuning) << scheduler;
    }
}

// Each producer makes two tasks, however many consumers it has.
TEST(BpcLoop, ConsumersAreBundled) {
    parley_peers::parley::pool pool({1, {}});
    bundled_consumers<parley_peers::parley> tasks(100, 50, busy_work(0.0), pool);
    EXPECT_EQ(pool.run([&] { return tasks(); }), 5100U);
    EXPECT_EQ(parley_tests::tasks_of(pool), 200U);
}

TEST(BpcLoop, SizesAreThoseOfFigure516) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("bpc-loop")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"d", 1000}, {"n", 9}, {"t", 10}, {"poll", 0}}));
    for (const char* size : {"ch", "thesis", "ch6"}) {
        EXPECT_EQ(of(size), (json{{"d", 10'000}, {"n", 9}, {"t", 10}, {"poll", 0}}));
    }
}

// As many producers as may be asked for, each of which waits for a loop somewhere: stacks must not grow
// with them.
TEST(BpcLoop, ManyProducersOnEveryScheduler) {
    const program* p = find_program("bpc-loop");
    const json parameters{{"d", 20'000}, {"n", 3}, {"t", 0}, {"poll", 0}};
    for (const std::string& scheduler : schedulers_allowed_for(*p)) {
        EXPECT_EQ(p->make(parameters, scheduler, {3, {}})->run().result, p->known(parameters)) << scheduler;
    }
}

}  // namespace
