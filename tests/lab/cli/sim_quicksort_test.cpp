// parley sim quicksort: listed, with the real program's options, and a function of its arguments.
#include "tests/lab/cli/sim_command.hpp"

namespace parley_tests::sim_command {
namespace {

TEST(SimQuicksort, IsListedWithItsOptions) {
    const said all = simulate({"--help"});
    EXPECT_EQ(all.status, 0);
    EXPECT_NE(all.out.find("\n  quicksort "), std::string::npos) << all.out;
    const said own = simulate({"quicksort", "--help"});
    EXPECT_EQ(own.status, 0);
    for (const char* part : {"--n", "(default: 2000000)", "--size", "--seed"}) {
        EXPECT_NE(own.out.find(part), std::string::npos) << part << " in " << own.out;
    }
}

TEST(SimQuicksort, IsAFunctionOfItsArguments) {
    const words some{"quicksort", "--n", "30000", "--workers", "6", "--profile", "--json", "-", "--seed"};
    const auto with_seed = [&](const char* seed) {
        words all = some;
        all.emplace_back(seed);
        return simulate(all);
    };
    const said first = with_seed("4");
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(with_seed("4").out, first.out);
    const json one = json::parse(first.out);
    const json other = json::parse(with_seed("5").out);
    EXPECT_NE(one.at("result").at("checksum"), other.at("result").at("checksum")) << "other elements";
    EXPECT_NE(one.at("counters").at("tasks"), other.at("counters").at("tasks"));
}

TEST(SimQuicksort, SaysWhetherAllIsSorted) {
    const json line = lines_of({"quicksort", "--n", "20000", "--workers", "12", "--faults", "all"}).at(0);
    EXPECT_EQ(line.at("result").at("sorted"), true);
    EXPECT_EQ(line.at("verified"), true);
    EXPECT_EQ(line.at("parameters"), (json{{"n", 20'000}, {"seed", 1}}));
}

TEST(SimQuicksort, RefusesBadValues) {
    for (const char* bad : {"-1", "1000000001", "x", "", "1e6"}) {
        expect_refused({"quicksort", "--n", bad}, {"--n", std::string("'") + bad + "'", "0 to 1000000000"});
    }
    expect_refused({"quicksort", "--size", "large"}, {"--size", "'large'", "small"});
    expect_refused({"quicksort", "--seed", "-1"}, {"--seed", "'-1'"});
    expect_refused({"quicksort", "--t", "1"}, {"'--t'"});
    expect_refused({"quicksrot"}, {"did you mean 'quicksort'?"});
}

}  // namespace
}  // namespace parley_tests::sim_command
