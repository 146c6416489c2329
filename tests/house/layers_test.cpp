// The rules of the house hold for the project, and each rule sees a breach when there is one.

#include "tests/house/rules.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace house;

const breaches none;

const source_tree& project() {
    static const source_tree tree =
        read_tree(PARLEY_SOURCE_DIR, {"parley", "broker", "cluster", "lab", "command", "tests", "examples", "cmake", ".ci"});
    return tree;
}

// A library with one file in it, and what the file may include.
source_tree library(const std::string& path, const std::string& text) {
    source_tree tree = {
        {"parley/version.hpp", ""},
        {"parley/parley.hpp", ""},
        {"parley/detail/base/rng.hpp", ""},
        {"parley/detail/sync/spsc.hpp", ""},
        {"parley/detail/protocol/core.hpp", ""},
        {"parley/detail/trace/profile.hpp", ""},
        {"parley/farm/emitter.hpp", ""},
        {"parley/detail/runtime/worker.hpp", ""},
        {"parley/detail/policy/gain.hpp", ""},
        {"command/main.cpp", ""},
    };
    tree[path] = text;
    return tree;
}

std::size_t layers(const std::string& path, const std::string& target) {
    return layer_breaches(library(path, "#include <" + target + ">\n")).size();
}

TEST(House, ProjectIsSeen) {
    EXPECT_TRUE(project().contains("CMakeLists.txt"));
    EXPECT_TRUE(project().contains("parley/version.hpp"));
    EXPECT_TRUE(project().contains("tests/house/rules.cpp"));
    EXPECT_GT(count_inner_includes(project()), 0U);
}

TEST(House, IncludesPointDown) { EXPECT_EQ(layer_breaches(project()), none); }
TEST(House, IncludesHaveNoCycle) { EXPECT_EQ(cycle_breaches(project()), none); }
TEST(House, SimulatorTakesPurePartsOnly) { EXPECT_EQ(sim_breaches(project()), none); }
TEST(House, AtomicsLiveInChannel) { EXPECT_EQ(atomic_breaches(project()), none); }
TEST(House, ProtocolAndBaseArePure) { EXPECT_EQ(purity_breaches(project()), none); }
TEST(House, NoConstantIsTypedTwice) { EXPECT_EQ(constant_breaches(project()), none); }
TEST(House, FilesAreShort) { EXPECT_EQ(length_breaches(project()), none); }
TEST(House, FilesIncludeWhatTheyUseOfTheStandardLibrary) { EXPECT_EQ(standard_include_breaches(project()), none); }
TEST(House, TheEnvironmentIsReadInOnePlace) { EXPECT_EQ(environment_breaches(project()), none); }
TEST(House, PublicHeadersCanBeIncludedAlone) { EXPECT_EQ(header_test_breaches(project()), none); }
TEST(House, NothingIsLeftForLater) { EXPECT_EQ(mark_breaches(project()), none); }

TEST(HouseRules, LayersAllowWhatThePlanAllows) {
    EXPECT_EQ(layers("parley/detail/base/x.hpp", "parley/version.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/base/x.hpp", "parley/detail/base/rng.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/base/x.hpp", "vector"), 0U);
    EXPECT_EQ(layers("parley/detail/sync/x.hpp", "parley/detail/base/rng.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/protocol/x.hpp", "parley/detail/base/rng.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/driver/x.hpp", "parley/detail/policy/gain.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/driver/x.hpp", "parley/detail/sync/spsc.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/driver/x.hpp", "parley/detail/runtime/worker.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/runtime/x.cpp", "parley/detail/protocol/core.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/runtime/x.cpp", "parley/detail/sync/spsc.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/runtime/x.cpp", "parley/detail/trace/profile.hpp"), 0U);
    EXPECT_EQ(layers("parley/farm/x.hpp", "parley/detail/runtime/worker.hpp"), 0U);
    EXPECT_EQ(layers("parley/scope.hpp", "parley/detail/runtime/worker.hpp"), 0U);
    EXPECT_EQ(layers("parley/scope.hpp", "parley/farm/emitter.hpp"), 0U);
    EXPECT_EQ(layers("lab/sim/x.hpp", "parley/detail/protocol/core.hpp"), 0U);
    EXPECT_EQ(layers("lab/sim/x.hpp", "parley/farm/emitter.hpp"), 0U);
    EXPECT_EQ(layers("lab/sim/x.hpp", "lab/papers/x.hpp"), 0U);
    EXPECT_EQ(layers("lab/papers/x.hpp", "parley/detail/protocol/core.hpp"), 0U);
    EXPECT_EQ(layers("lab/sim/x.hpp", "parley/detail/policy/gain.hpp"), 0U);
    EXPECT_EQ(layers("parley/detail/runtime/x.hpp", "parley/detail/policy/gain.hpp"), 0U);
}

TEST(HouseRules, LayersForbidTheRest) {
    EXPECT_EQ(layers("parley/version.hpp", "parley/detail/base/rng.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/base/x.hpp", "parley/detail/sync/spsc.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/sync/x.hpp", "parley/detail/protocol/core.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/protocol/x.hpp", "parley/detail/sync/spsc.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/protocol/x.hpp", "parley/detail/trace/profile.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/trace/x.hpp", "parley/detail/runtime/worker.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/runtime/x.cpp", "parley/parley.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/runtime/x.cpp", "parley/farm/emitter.hpp"), 1U);
    EXPECT_EQ(layers("lab/sim/x.hpp", "parley/detail/runtime/worker.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/policy/gain.hpp", "parley/detail/runtime/worker.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/policy/gain.hpp", "parley/detail/sync/spsc.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/runtime/x.cpp", "command/main.cpp"), 1U);
    EXPECT_EQ(layers("parley/detail/protocol/x.hpp", "lab/papers/x.hpp"), 1U);
    EXPECT_EQ(layers("parley/detail/runtime/x.hpp", "lab/papers/x.hpp"), 1U);
    EXPECT_EQ(layers("lab/papers/x.hpp", "parley/detail/policy/gain.hpp"), 1U);
    EXPECT_EQ(layers("parley/attic/x.hpp", "vector"), 1U);
}

TEST(HouseRules, LayersSeeEveryWayToWriteAnInclude) {
    const auto count = [](const std::string& text) {
        return layer_breaches(library("parley/detail/base/x.hpp", text)).size();
    };
    EXPECT_EQ(count("#include \"parley/detail/sync/spsc.hpp\"\n"), 1U);
    EXPECT_EQ(count("#include \"../sync/spsc.hpp\"\n"), 1U);
    EXPECT_EQ(count("  #  include <parley/detail/base/../sync/spsc.hpp> // why\n"), 1U);
    EXPECT_EQ(count("/* a */ #include <parley/detail/sync/spsc.hpp>"), 1U);
    EXPECT_EQ(count("// #include <parley/detail/sync/spsc.hpp>\n"), 0U);
    EXPECT_EQ(count("/*\n#include <parley/detail/sync/spsc.hpp>\n*/\n"), 0U);
}

TEST(HouseRules, CyclesAreSeen) {
    EXPECT_EQ(cycle_breaches({{"parley/detail/base/a.hpp", "#include \"b.hpp\"\n"},
                              {"parley/detail/base/b.hpp", "#include <parley/detail/base/c.hpp>\n"},
                              {"parley/detail/base/c.hpp", "#include \"parley/detail/base/a.hpp\"\n"}})
                  .size(),
              1U);
    EXPECT_EQ(cycle_breaches({{"parley/detail/base/a.hpp", "#include \"b.hpp\"\n#include \"c.hpp\"\n"},
                              {"parley/detail/base/b.hpp", "#include \"c.hpp\"\n"},
                              {"parley/detail/base/c.hpp", ""}}),
              none);
}

TEST(HouseRules, SimulatorMustNotReachThreads) {
    source_tree tree = library("lab/sim/x.hpp", "#include <parley/farm/emitter.hpp>\n");
    EXPECT_EQ(sim_breaches(tree), none);
    tree["parley/farm/emitter.hpp"] = "#include <parley/detail/runtime/worker.hpp>\n";
    EXPECT_EQ(sim_breaches(tree).size(), 1U);
}

TEST(HouseRules, AtomicsAreSeen) {
    for (const std::string bad : {"#include <atomic>", "std::atomic<int> x;", "std::atomic_ref r(x);", "std::atomic_flag f;",
                                  "atomic_signal_fence(order);", "auto a = __atomic_load_n(&x, 0);", "__sync_synchronize();",
                                  "volatile int ready;", "x.load(std::memory_order_relaxed);", "syscall(SYS_futex, p);",
                                  "#include <linux/futex.h>", "#include \"linux/futex.h\"", "int op = FUTEX_WAIT_PRIVATE;",
                                  "int flags = FUTEX2_SIZE_U32;", "syscall(__NR_futex, p);", "_Atomic int x;"}) {
        EXPECT_EQ(atomic_breaches(library("parley/detail/runtime/x.cpp", bad + "\n")).size(), 1U) << bad;
        EXPECT_EQ(atomic_breaches(library("parley/x.hpp", bad + "\n")).size(), 1U) << bad;
        EXPECT_EQ(atomic_breaches(library("parley/detail/sync/x.hpp", bad + "\n")), none) << bad;
        EXPECT_EQ(atomic_breaches(library("lab/programs/x.cpp", bad + "\n")), none) << bad;
    }
    for (const std::string good : {"// std::atomic is not used", "/* volatile */", "auto s = \"std::atomic\";",
                                   "int subatomic;", "asm volatile(\"\" ::: \"memory\");",
                                   "volatile std::sig_atomic_t stop;", "auto n = 1'000; auto c = 'v'; // volatile"}) {
        EXPECT_EQ(atomic_breaches(library("parley/detail/runtime/x.cpp", good + "\n")), none) << good;
    }
    EXPECT_EQ(atomic_breaches(library("parley/detail/base/x.hpp", "// a\n\nvolatile int x;\n")),
              (breaches{"parley/detail/base/x.hpp:3: volatile"}));
}

TEST(HouseRules, ImpureProtocolIsSeen) {
    for (const std::string bad :
         {"#include <thread>", "#include <chrono>", "#include <mutex>", "#include <atomic>", "#include <sys/socket.h>"}) {
        EXPECT_EQ(purity_breaches(library("parley/detail/protocol/x.hpp", bad)).size(), 1U) << bad;
        EXPECT_EQ(purity_breaches(library("parley/detail/base/x.hpp", bad)).size(), 1U) << bad;
        EXPECT_EQ(purity_breaches(library("parley/detail/runtime/x.hpp", bad)), none) << bad;
    }
    for (const std::string bad : {"auto p = new int;", "void* p = std::malloc(8);"}) {
        EXPECT_EQ(purity_breaches(library("parley/detail/protocol/x.hpp", bad)).size(), 1U) << bad;
        EXPECT_EQ(purity_breaches(library("parley/detail/base/x.hpp", bad)), none) << bad;
    }
    EXPECT_EQ(purity_breaches(library("parley/detail/protocol/x.hpp", "::new (place) int(1); // new one")), none);
}

TEST(HouseRules, ConstantsThatAreTypedTwiceAreSeen) {
    source_tree tree = {
        {"parley/detail/driver/x.hpp",
         "static constexpr std::size_t many = 64;\n"
         "inline constexpr auto pause = std::chrono::milliseconds(16);\n"
         "constexpr unsigned few = 8;\n"},
    };
    for (const std::string bad : {"constexpr std::size_t enough = 64;", "constexpr std::size_t enough = 1U << 6;",
                                  "inline constexpr duration longest = 16'000 * microsecond;"}) {
        tree["lab/sim/timed/y.cpp"] = bad + "\n";
        EXPECT_EQ(constant_breaches(tree).size(), 1U) << bad;
    }
    tree = {{"parley/detail/driver/x.hpp", tree["parley/detail/driver/x.hpp"]},
            {"lab/sim/timed/time.hpp", "inline constexpr duration unit = 16'000 * microsecond;\n"}};
    EXPECT_EQ(constant_breaches(tree), none) << "a unit of time";
    for (const std::string good : {"constexpr std::size_t enough = 65;", "constexpr unsigned ways = 8;",
                                   "constexpr duration longest = 16 * microsecond;", "// constexpr int many = 64;"}) {
        tree["lab/sim/timed/y.cpp"] = good + "\n";
        EXPECT_EQ(constant_breaches(tree), none) << good;
    }
}

TEST(HouseRules, LongFilesAreSeen) {
    const auto lines = [](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) {
            text += "\n";
        }
        return text;
    };
    EXPECT_EQ(length_breaches(library("parley/detail/base/x.hpp", lines(600))), none);
    EXPECT_EQ(length_breaches(library("parley/detail/base/x.hpp", lines(601))).size(), 1U);
}

TEST(HouseRules, MarksAreSeen) {
    const std::string to_do = std::string("TO") + "DO";
    const std::string fix_me = std::string("FIX") + "ME";
    EXPECT_EQ(mark_breaches(library("lab/command/x.cpp", "// " + to_do + ": later\n")).size(), 1U);
    EXPECT_EQ(mark_breaches(library("parley/x.hpp", "int x; /* " + fix_me + " */\n")).size(), 1U);
    EXPECT_EQ(mark_breaches(library("parley/x.hpp", "int TODOS;\n")), none);
}

}  // namespace
