// parley sim with workers that come and go, and with several barriers.
#include "tests/lab/cli/sim_command.hpp"

namespace parley_tests::sim_command {
namespace {

TEST(SimFaults, WorkersGoOnlyWhereRequestsRest) {
    const words some{"spc", "--n", "200", "--workers", "6", "--t", "50us", "--seed", "3"};
    const auto with = [&](const words& more) {
        words all = some;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    for (const char* by : {"manager", "dedicated", "counter"}) {
        expect_refused(with({"--faults", "resizes", "--termination", by}), {"--faults", "resizes", "--termination scan"});
        const json line = lines_of(with({"--faults", "all", "--termination", by})).at(0);
        EXPECT_FALSE(line.contains("resizes")) << by;
        EXPECT_EQ(line.at("tuning").at("faults"), "all");
        EXPECT_EQ(line.at("verified"), true);
    }
    for (const char* faults : {"resizes", "all"}) {
        const json line = lines_of(with({"--faults", faults})).at(0);
        EXPECT_EQ(line.at("tuning").at("faults"), faults);
        EXPECT_EQ(line.at("verified"), true);
        EXPECT_EQ(line.at("counters").at("tasks"), 200);
        EXPECT_GT(line.at("resizes").at("times"), 0);
        EXPECT_GT(line.at("resizes").at("departures"), 0);
        EXPECT_GE(line.at("resizes").at("fewest_workers"), 1);
        EXPECT_LT(line.at("resizes").at("fewest_workers"), 6);
        const std::string report = simulate(with({"--faults", faults})).out;
        EXPECT_NE(report.find(std::string("; faults: ") + faults), std::string::npos) << report;
        EXPECT_NE(report.find(" at the least: resized "), std::string::npos) << report;
    }
    EXPECT_FALSE(lines_of(some).at(0).at("tuning").contains("faults"));
    EXPECT_EQ(simulate(some).out.find("faults"), std::string::npos);
}

TEST(SimFaults, AreNamedWhereAFarmHasThem) {
    const words some{"farm-uniform", "--n", "200", "--lanes", "3"};
    words with = some;
    with.insert(with.end(), {"--faults", "stalls"});
    EXPECT_EQ(lines_of(with).at(0).at("tuning").at("faults"), "stalls");
    EXPECT_NE(simulate(with).out.find("; faults: stalls"), std::string::npos);
    EXPECT_FALSE(lines_of(some).at(0).at("tuning").contains("faults"));
    EXPECT_EQ(simulate(some).out.find("faults"), std::string::npos);
}

TEST(SimBarriers, SeveralAtTheEnd) {
    const words some{"spc", "--n", "20", "--workers", "6", "--ends", "barrier"};
    words many = some;
    many.insert(many.end(), {"--barriers", "11"});
    const json line = lines_of(many).at(0);
    const json& barriers = line.at("barriers");
    EXPECT_EQ(line.at("tuning").at("ends"), "barrier");
    EXPECT_EQ(barriers.at("number"), 11);
    EXPECT_GT(barriers.at("first_to_last"), barriers.at("first_detected_after"));
    for (const char* part : {"detected_after", "worker_0_goes_on_after"}) {
        double last = 0;
        for (const char* which : {"min", "p10", "median", "p90", "max"}) {
            EXPECT_GE(barriers.at(part).at(which).get<double>(), last) << part << " " << which;
            last = barriers.at(part).at(which).get<double>();
        }
        EXPECT_GT(last, 0.0);
    }
    EXPECT_LE(line.at("end_detected_after"), barriers.at("detected_after").at("max")) << "of the last one alone";
    EXPECT_NE(simulate(many).out.find("  barriers    11: "), std::string::npos);
    EXPECT_FALSE(lines_of(some).at(0).contains("barriers")) << "one is no statistics";
    expect_refused({"spc", "--barriers", "0"}, {"--barriers", "'0'", "1 to "});
}

TEST(SimBarriers, InsteadOfEachWait) {
    const json line = lines_of({"matmul", "--workers", "6", "--ends", "barriers"}).at(0);
    EXPECT_EQ(line.at("tuning").at("ends"), "barriers");
    EXPECT_GT(line.at("barriers").at("number"), 2);
    expect_refused({"spc", "--ends", "barierrs"}, {"--ends", "barriers"});
}

}  // namespace
}  // namespace parley_tests::sim_command
