// The programs on virtual workers: they do what the real ones do, and as often.
#include <gtest/gtest.h>
#include <lab/sim/timed/pool.hpp>

#include "lab/programs/cilksort.hpp"
#include "lab/programs/fib.hpp"
#include "lab/programs/loop.hpp"
#include "lab/programs/lu.hpp"
#include "lab/programs/matmul.hpp"
#include "lab/programs/shapes/farms.hpp"
#include "lab/programs/shapes/shapes.hpp"

namespace {

using namespace parley_programs;
namespace timed = parley::sim::timed;

timed::costs machine() {
    timed::costs c;
    c.places = {1, 1, 8, 1};
    c.line.node = 60 * timed::nanosecond;
    c.push = c.pop = 20 * timed::nanosecond;
    c.turn = c.send_request = c.receive_request = c.send_tasks = c.receive_tasks = 50 * timed::nanosecond;
    c.work.uts_node = c.work.queens_square = c.work.multiply_add = c.work.sort_compare = c.work.merge_element = 1000;
    return c;
}

struct outcome {
    json result;
    timed::run_report report;
};

outcome run(const std::string& name, const json& parameters, std::uint32_t workers = 5) {
    timed::setup s;
    s.workers = workers;
    s.machine = machine();
    const auto shape = shapes::shape_of(name, parameters, s.machine);
    outcome o;
    o.report = timed::pool(s, *shape).run();
    o.result = shape->result();
    return o;
}

// Those of the size "small", with what the options change.
json parameters_of(const std::string& name, const std::map<std::string, std::string>& given) {
    request wanted;
    wanted.given = given;
    return find_program(name)->parameters(wanted);
}

void expect_known_result(const std::string& name, const std::map<std::string, std::string>& given) {
    const json parameters = parameters_of(name, given);
    const outcome found = run(name, parameters);
    const json known = find_program(name)->known(parameters);
    for (const auto& [key, value] : known.items()) {
        if (found.result.contains(key)) {
            EXPECT_TRUE(agrees(found.result.at(key), value)) << name << ": " << key << " is " << found.result.at(key);
        }
    }
}

TEST(FarmShapes, EachIsThatOfAProgramAndTakesItsParameters) {
    for (const std::string& name : shapes::farm_names()) {
        ASSERT_NE(find_program(name), nullptr) << name;
        const shapes::farm_shape shape = shapes::farm_of(name, parameters_of(name, {{"lanes", "3"}}));
        EXPECT_EQ(shape.lanes, 3U) << name;
        EXPECT_GT(shape.items, 0U) << name;
        EXPECT_GT(shape.last, 0) << name;
        EXPECT_EQ(shape.sleeps, name == "farm-sleep") << name;
        EXPECT_EQ(shape.pool != 0, name == "farm-pool") << name;
    }
}

TEST(FarmShapes, ItemsTakeWhatThePaperSays) {
    constexpr timed::duration ms = 1000 * timed::microsecond;
    const auto of = [](const char* name) { return shapes::farm_of(name, parameters_of(name, {})); };
    EXPECT_EQ(of("farm-uniform").item, 280 * timed::microsecond) << "section III-B";
    EXPECT_EQ(of("farm-uniform").last, of("farm-uniform").item);
    const double faster = static_cast<double>(of("farm-fast").item) / static_cast<double>(of("farm-fast").last);
    EXPECT_GT(faster, 5) << "section III-C: 5.8";
    EXPECT_LT(faster, 7);
    EXPECT_EQ(of("farm-slow").last, 3 * of("farm-slow").item);
    EXPECT_EQ(of("farm-sleep").item, 2'800 * timed::microsecond);
    EXPECT_EQ(of("farm-sleep").last, 483 * timed::microsecond);
    EXPECT_EQ(500 * of("farm-pool").item, 70'917 * ms) << "section III-E2: half of 1000 items with RRS";
    EXPECT_EQ(of("farm-md").streams, 5U);
}

TEST(Shapes, EachIsThatOfAProgram) {
    EXPECT_FALSE(shapes::names().empty());
    for (const std::string& name : shapes::names()) {
        EXPECT_NE(find_program(name), nullptr) << name;
    }
    EXPECT_EQ(shapes::shape_of("nosuch", {}, machine()), nullptr);
}

TEST(Shapes, FindTheKnownResults) {
    expect_known_result("spc", {{"n", "500"}});
    expect_known_result("bpc", {{"d", "40"}, {"n", "7"}});
    expect_known_result("bpc-loop", {{"d", "40"}, {"n", "30"}});
    expect_known_result("treerec", {{"n", "14"}});
    expect_known_result("nqueens", {{"n", "7"}});
    for (const char* kind : {"FG", "CG", "RG", "IG", "DG"}) {
        expect_known_result("loop", {{"kind", kind}, {"n", "800"}, {"t", "20"}, {"passes", "2"}});
    }
}

TEST(Shapes, UtsIsTheOfficialTree) {
    const json parameters = parameters_of("uts", {{"tree", "T1"}});
    timed::setup s;
    s.workers = 8;
    s.machine = machine();
    const auto shape = shapes::shape_of("uts", parameters, s.machine);
    const timed::run_report r = timed::pool(s, *shape).run();
    EXPECT_EQ(shape->result(), (json{{"nodes", 4130071}, {"depth", 10}, {"leaves", 3305118}}));
    EXPECT_EQ(r.tasks, 4130071U);
}

TEST(Shapes, HaveAsManyTasksAsThePapersCount) {
    EXPECT_EQ(run("spc", parameters_of("spc", {{"n", "500"}})).report.tasks, 500U);
    EXPECT_EQ(run("bpc", parameters_of("bpc", {{"d", "40"}, {"n", "9"}})).report.tasks, 400U);
    EXPECT_EQ(run("treerec", parameters_of("treerec", {{"n", "15"}})).report.tasks, forks_of_fib(15));
    const outcome product = run("matmul", {{"n", 256}, {"block", 32}, {"seed", 1}});
    EXPECT_EQ(product.report.tasks, tasks_of_matmul(8));
    EXPECT_EQ(product.result.at("products"), tasks_of_matmul(8));
    EXPECT_EQ(run("matmul-loop", {{"n", 256}, {"block", 32}, {"seed", 1}}).result.at("products"), tasks_of_matmul(8));
    const lu_tasks lu = tasks_of_lu(16);
    const outcome decomposition = run("lu", {{"n", 512}, {"block", 32}, {"form", "futures"}, {"seed", 1}});
    EXPECT_EQ(decomposition.report.tasks, lu.all());
    EXPECT_EQ(decomposition.result, (json{{"fwd", lu.fwd}, {"bdiv", lu.bdiv}, {"bmod", lu.bmod}}));
    const sort_calls calls = calls_of_cilksort(1'000'000);
    const outcome sorted = run("cilksort", {{"n", 1'000'000}, {"seed", 1}});
    EXPECT_EQ(sorted.result, (json{{"sorts", calls.sorts}, {"merges", calls.merges}}));
}

TEST(Shapes, IterationsTakeWhatTheRealOnesDo) {
    for (const char* kind : {"FG", "CG", "RG", "IG", "DG"}) {
        const json parameters{{"kind", kind}, {"n", 1000}, {"t", 700}, {"poll", 0}, {"passes", 1}, {"seed", 3}};
        const loop_shape real{*loop_kind_named(kind), 1000, 700.0, 3};
        const auto shape = shapes::loop(parameters);
        for (std::uint64_t i = 0; i < 1000; ++i) {
            EXPECT_NEAR(static_cast<double>(shape->iteration(0, i)), real.microseconds(i) * 1e6, 2.0) << kind << ' ' << i;
        }
    }
}

// The real ones poll after each row of a block (lab/programs/blocks.hpp, lu.hpp). With one worker, whose looks find nothing,
// what takes longer than the work is known.
TEST(Shapes, PollAsOftenAsTheRealOnes) {
    const auto polls = [](const std::string& name, const std::map<std::string, std::string>& given) {
        const json parameters = parameters_of(name, given);
        const auto took = [&](timed::duration poll) {
            timed::setup s;
            s.workers = 1;
            s.machine.work.multiply_add = 11'111;  // no multiple of three
            s.machine.poll = poll;
            const auto shape = shapes::shape_of(name, parameters, s.machine);
            return timed::pool(s, *shape).run().took;
        };
        return (took(1'000'000) - took(0)) / 1'000'000;
    };
    // 4 blocks in each direction, 16 rows in each: 64 products, after each of which, and after each spawn, it looks too.
    EXPECT_EQ(polls("matmul", {{"n", "64"}, {"block", "16"}}), 64 * 16 + 64);
    EXPECT_EQ(polls("loop", {{"kind", "CG"}, {"n", "10"}, {"t", "1000"}, {"poll", "100"}}),
              polls("loop", {{"kind", "CG"}, {"n", "10"}, {"t", "1000"}}) + 10 * 9);
    const auto bundles = [&](const char* poll) {
        return polls("bpc-loop", {{"d", "1"}, {"n", "10"}, {"t", "1000"}, {"poll", poll}});
    };
    EXPECT_EQ(bundles("100"), bundles("0") + 10 * 9);
    const std::map<std::string, std::string> lu{{"n", "64"}, {"block", "16"}};
    const json tasks = run("lu", parameters_of("lu", lu), 1).result;
    const std::int64_t kernels =
        tasks.at("fwd").get<std::int64_t>() + tasks.at("bdiv").get<std::int64_t>() + tasks.at("bmod").get<std::int64_t>();
    EXPECT_EQ(polls("lu", lu), (kernels + 4) * 16 + kernels) << "four blocks on the diagonal; and after each spawn";
}

// Tasks that really compute have the part of a core that threads of it have at work; those of a given time do not.
TEST(Shapes, OnlyThoseThatReallyComputeShareTheirCore) {
    const auto took = [](const char* name, const std::map<std::string, std::string>& given) {
        timed::setup s;
        s.workers = 2;
        s.machine = machine();
        s.machine.places = {1, 1, 1, 2};
        s.machine.thread_percent = {100, 100};
        s.machine.work_percent = {100, 25};
        const auto shape = shapes::shape_of(name, parameters_of(name, given), s.machine);
        const timed::run_report r = timed::pool(s, *shape).run();
        return static_cast<double>(r.took) / static_cast<double>(r.work);
    };
    for (const char* name : {"uts", "nqueens", "cilksort", "matmul", "matmul-loop", "lu", "quicksort"}) {
        EXPECT_GE(took(name, {}), 1.99) << name;
    }
    EXPECT_LT(took("treerec", {{"n", "16"}, {"t", "10"}}), 0.6);
    EXPECT_LT(took("spc", {{"n", "1000"}, {"t", "10"}}), 0.6);
}

TEST(Shapes, TimesMayHaveFractions) {
    const outcome o = run("spc", {{"n", 10}, {"t", 0.5}, {"poll", 0}}, 1);
    EXPECT_EQ(o.report.work, 10 * timed::microsecond / 2);
}

}  // namespace
