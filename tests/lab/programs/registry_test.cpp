#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "lab/programs/program.hpp"

namespace {

using namespace parley_programs;

json farm_of(int n, const char* schedule, const json& own) {
    json all{{"n", n}, {"lanes", 3}, {"schedule", schedule}, {"depth", 1}, {"chunk", 20}, {"order", "ordered"}};
    all.update(own);
    return all;
}

// Each with work for milliseconds.
const std::vector<std::pair<std::string, json>> little_work{
    {"fib", {{"n", 20}}},
    {"nqueens", {{"n", 8}}},
    {"uts", {{"tree", "T1"}, {"seed", 5}}},  // 63,144 nodes
    {"treerec", {{"n", 15}, {"t", 1}}},
    {"spc", {{"n", 1000}, {"t", 1}, {"poll", 0}}},
    {"bpc", {{"d", 100}, {"n", 9}, {"t", 2}, {"poll", 1}}},
    {"spawns", {{"n", 10'000}}},
    {"heat", {{"nx", 100}, {"ny", 50}, {"nt", 10}}},
    {"cilksort", {{"n", 50'000}, {"seed", 1}}},
    {"loop", {{"kind", "RG"}, {"n", 500}, {"t", 50}, {"poll", 0}, {"passes", 1}, {"seed", 1}}},
    {"saxpy", {{"n", 20'001}, {"passes", 3}}},
    {"sum", {{"n", 20'001}, {"passes", 3}}},
    {"dot", {{"n", 20'001}, {"passes", 3}}},
    {"mandelbrot", {{"n", 50}, {"limit", 100}}},
    {"nested", {{"n", 60}, {"ns", 100}}},
    {"triangular", {{"n", 80}, {"ns", 100}}},
    {"bpc-loop", {{"d", 100}, {"n", 9}, {"t", 2}, {"poll", 1}}},
    {"empty-loop", {{"n", 1000}, {"loops", 4}}},
    {"phases", {{"kind", "memory"}, {"n", 20'001}, {"passes", 3}, {"ns", 0}}},
    {"stencil", {{"nx", 40}, {"ny", 50}, {"nt", 3}}},
    {"n-body", {{"n", 30}, {"steps", 2}}},
    {"skynet", {{"form", "scopes"}, {"depth", 4}}},
    {"farm-uniform", farm_of(300, "stealing", {{"upto", 200}})},
    {"farm-fast", farm_of(700, "adaptive", {{"upto", 200}, {"fast", 50}})},
    {"farm-slow", farm_of(300, "round-robin", {{"upto", 200}, {"slow", 3}})},
    {"farm-md", {{"side", 6}, {"steps", 3}, {"lanes", 2}, {"schedule", "on-demand"}, {"depth", 1}, {"chunk", 20}}},
    {"farm-pool",
     {{"n", 200},
      {"pool", 50},
      {"trials", 50},
      {"fast", 10},
      {"lanes", 3},
      {"schedule", "adaptive"},
      {"depth", 1},
      {"chunk", 20}}},
    {"fft", {{"n", 12'000}, {"seed", 1}}},
    {"knapsack", {{"n", 16}, {"seed", 1}}},
    {"stress", {{"grain", "fine"}, {"leaf", 50}, {"depth", 6}, {"repeat-tree", 100}}},
    {"matmul", {{"n", 96}, {"block", 16}, {"seed", 1}}},
    {"matmul-loop", {{"n", 96}, {"block", 16}, {"seed", 1}}},
    {"lu", {{"form", "futures"}, {"n", 160}, {"block", 8}, {"seed", 1}}},
    {"quicksort", {{"n", 50'000}, {"seed", 1}}},
    {"strassen", {{"n", 256}, {"seed", 1}}},
    {"farm-sleep", farm_of(100, "on-demand", {{"t", 100}, {"fast-t", 20}})},
};

TEST(Registry, LittleWorkNamesEveryProgram) { EXPECT_EQ(all_programs().size(), little_work.size()); }

TEST(Registry, EveryProgramIsRightOnEveryScheduler) {
    for (const auto& [name, parameters] : little_work) {
        const program* p = find_program(name);
        ASSERT_NE(p, nullptr) << name;
        const json expected = p->make(parameters, "serial", {})->run().result;
        const json known = p->known(parameters);
        for (const auto& [key, value] : known.items()) {
            EXPECT_TRUE(agrees(expected.at(key), value)) << name << ": " << expected;
        }
        for (const std::string& scheduler : schedulers_allowed_for(*p)) {
            const auto made = p->make(parameters, scheduler, {2, {}});
            const timed_result done = made->run();
            EXPECT_GT(done.seconds, 0.0);
            EXPECT_EQ(done.result, expected) << name << " on " << scheduler;
        }
    }
}

TEST(Registry, OnlyProgramsThatAreInRustRunOnSchedulersThatAre) {
    EXPECT_EQ(schedulers_of(*find_program("fib")), scheduler_names());
    for (const std::string& scheduler : scheduler_names()) {
        const std::vector<std::string> of_heat = schedulers_of(*find_program("heat"));
        if (std::find(of_heat.begin(), of_heat.end(), scheduler) == of_heat.end()) {
            EXPECT_TRUE(scheduler == "rayon" || scheduler == "chili") << scheduler;
            EXPECT_THROW(std::ignore = find_program("heat")->make({{"nx", 10}, {"ny", 10}, {"nt", 1}}, scheduler, {}),
                         std::invalid_argument);
        }
    }
}

// Such as deque-half.
TEST(Registry, OnlyProgramsWithLoopsRunOnSchedulersWithSplits) {
    const std::vector<std::string>& with_splits = schedulers_with_splits();
    EXPECT_EQ(with_splits, (std::vector<std::string>{"parley-half", "parley-guided", "parley-adaptive", "deque-eager",
                                                     "deque-half", "deque-guided", "deque-adaptive"}));
    for (const auto& [name, parameters] : little_work) {
        const program* p = find_program(name);
        const std::vector<std::string> allowed = schedulers_allowed_for(*p);
        EXPECT_EQ(allowed.size() > schedulers_of(*p).size() + 1, p->has_loops || p->forks) << name;  // and parley-papers
        for (const std::string& scheduler : {std::string("deque-half"), std::string("deque-nosuch")}) {
            if (!p->has_loops || scheduler == "deque-nosuch") {
                EXPECT_THROW(std::ignore = p->make(parameters, scheduler, {}), std::invalid_argument)
                    << name << " on " << scheduler;
            }
        }
    }
    EXPECT_TRUE(find_program("loop")->has_loops);
    EXPECT_FALSE(find_program("heat")->has_loops) << "it is divided and conquered";
}

TEST(Registry, EveryProgramRunsOnThePapersProtocolWhereItIsNamed) {
    for (const program& p : all_programs()) {
        const std::vector<std::string> usual = schedulers_of(p), allowed = schedulers_allowed_for(p);
        EXPECT_EQ(std::find(usual.begin(), usual.end(), "parley-papers"), usual.end()) << p.name;
        EXPECT_NE(std::find(allowed.begin(), allowed.end(), "parley-papers"), allowed.end()) << p.name;
    }
}

TEST(Registry, OnlyProgramsThatForkRunOnSchedulersWithFutures) {
    EXPECT_EQ(schedulers_with_futures(), (std::vector<std::string>{"parley-channel", "parley-free-list"}));
    std::vector<std::string> forking;
    for (const auto& [name, parameters] : little_work) {
        const program* p = find_program(name);
        const std::vector<std::string> allowed = schedulers_allowed_for(*p);
        for (const std::string& scheduler : schedulers_with_futures()) {
            EXPECT_EQ(std::find(allowed.begin(), allowed.end(), scheduler) != allowed.end(), p->forks) << name;
            if (!p->forks) {
                EXPECT_THROW(std::ignore = p->make(parameters, scheduler, {}), std::invalid_argument)
                    << name << " on " << scheduler;
            }
        }
        if (p->forks) {
            forking.push_back(name);
        }
    }
    EXPECT_EQ(forking, (std::vector<std::string>{"fib", "nqueens", "treerec", "heat", "cilksort", "fft", "knapsack",
                                                 "stress", "lu", "quicksort", "strassen"}));
}

TEST(Registry, EachSchedulerIsBuiltOrNeedsSomething) {
    for (const std::string name : {"tbb", "tbb-affinity", "openmp", "openmp-region", "rayon", "chili"}) {
        std::vector<std::string> built = scheduler_names();
        const std::vector<std::string> of_phases = schedulers_of(*find_program("phases"));
        built.insert(built.end(), of_phases.begin(), of_phases.end());
        const bool is_built = std::find(built.begin(), built.end(), name) != built.end();
        EXPECT_EQ(needs_of_unbuilt(name).empty(), is_built) << name;
    }
    EXPECT_TRUE(needs_of_unbuilt("nosuch").empty());
}

TEST(Registry, OfDefaultsEverythingIsKnown) {
    for (const program& p : all_programs()) {
        EXPECT_FALSE(p.known(p.parameters({})).empty()) << p.name;
    }
}

TEST(Registry, InlinedSerialProgramIsRight) {
    for (const auto& [name, parameters] : little_work) {
        const program* p = find_program(name);
        if (p->make_inlined != nullptr) {
            EXPECT_EQ(p->make_inlined(parameters)->run().result, p->known(parameters));
        }
    }
    EXPECT_NE(find_program("fib")->make_inlined, nullptr);
}

TEST(Registry, UnknownNamesAreRefused) {
    EXPECT_EQ(find_program("nosuch"), nullptr);
    EXPECT_THROW(std::ignore = find_program("fib")->make({{"n", 1}}, "nosuch", {}), std::invalid_argument);
}

TEST(Registry, SizesAreThoseOfThePapers) {
    const auto of = [](const char* program, const char* size) {
        request r;
        r.size = size;
        return find_program(program)->parameters(r);
    };
    EXPECT_EQ(of("uts", "small").at("tree"), "T1");
    EXPECT_EQ(of("uts", "small").at("seed"), 19);
    for (const char* size : {"ch", "thesis", "ch6"}) {
        EXPECT_EQ(of("uts", size).at("tree"), "T1L");
        EXPECT_EQ(of("nqueens", size).at("n"), 14);
        EXPECT_EQ(of("fib", size).at("n"), 40);
    }
}

TEST(Registry, OptionsWinOverSizes) {
    request r;
    r.size = "thesis";
    r.given = {{"n", "9"}, {"tree", "T4"}};
    EXPECT_EQ(find_program("fib")->parameters(r).at("n"), 9);
    EXPECT_EQ(find_program("nqueens")->parameters(r).at("n"), 9);
    EXPECT_EQ(find_program("uts")->parameters(r).at("tree"), "T4");
    EXPECT_EQ(find_program("uts")->parameters(r).at("seed"), 1);
}

TEST(Registry, OfAnotherSeedNothingIsKnown) {
    request r;
    r.seed = 7;
    const json parameters = find_program("uts")->parameters(r);
    EXPECT_EQ(parameters.at("seed"), 7);
    EXPECT_TRUE(find_program("uts")->known(parameters).empty());
}

}  // namespace
