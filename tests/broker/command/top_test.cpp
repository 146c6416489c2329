// parley top --json: what scripts read.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/broker/command/running_broker.hpp"
#include "tests/broker/service_client.hpp"

namespace {

using parley_tests::read;
using parley_tests::run;
using parley_tests::running_broker;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;

class TopJson : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(program.connect_to(broker.socket()) && program.join(broker_tests::greeting(8, "tested")));
        ASSERT_TRUE(program.gets(8));
    }
    [[nodiscard]] said top(const std::vector<std::string>& more) const {
        std::vector<std::string> all{"top", "--socket", broker.socket()};
        all.insert(all.end(), more.begin(), more.end());
        return run(all);
    }
    // Nobody is judged.
    running_broker broker{{"--sample", "3600000", "--quantum", "3600000"}};
    broker_tests::client program;
    const scratch_folder folder;
    const std::string file = folder.file("rows");
};

void expect_row(const std::string& text) {
    ASSERT_TRUE(parley_tests::is_one_line(text)) << text;
    const auto row = nlohmann::json::parse(text);
    EXPECT_EQ(row.at("name"), "tested");
    EXPECT_EQ(row.at("pid"), getpid());
    EXPECT_EQ(row.at("class"), "satisfied");
    EXPECT_TRUE(row.at("desire").is_number_unsigned());
    EXPECT_EQ(row.at("allotment"), 8);
    EXPECT_EQ(row.at("wasted"), 0.0);
}

TEST_F(TopJson, FileGetsOneObjectForEachProgramWithTheKeysOfTheContract) {
    EXPECT_EQ(top({"--once", "--json", file}).status, 0);
    expect_row(read(file));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"rows"});
}

TEST_F(TopJson, DashIsStandardOutput) {
    const said answer = top({"--once", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    expect_row(answer.out);
}

TEST_F(TopJson, FileThatCannotBeWrittenIsRefused) {
    for (const std::string& bad : {std::string("/no/such/file"), folder.file("")}) {
        const said answer = top({"--once", "--json", bad});
        EXPECT_EQ(answer.status, 2);
        EXPECT_EQ(answer.out, "");
        EXPECT_TRUE(parley_tests::is_one_line(answer.err)) << answer.err;
        EXPECT_NE(answer.err.find("--json"), std::string::npos) << answer.err;
    }
}

TEST_F(TopJson, InterruptedItLeavesThePartialFileWhosePicturesCanBeToldApart) {
    running_command command({"top", "--socket", broker.socket(), "--json", file});
    std::set<nlohmann::json> clocks;
    ASSERT_TRUE(broker_tests::comes_true([&] {
        std::istringstream lines(read(file + ".partial"));
        for (std::string line; std::getline(lines, line) && !lines.eof();) {
            clocks.insert(nlohmann::json::parse(line).at("clock"));
        }
        return clocks.size() >= 2;
    }));
    command.signal(SIGINT);
    EXPECT_EQ(command.finish().status, 130);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"rows.partial"});
}

// The bar, the row and the reason.
TEST_F(TopJson, PictureShowsWhoHasWhatAndWhy) {
    const said answer = top({"--once"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("section 0    aaaa\nsection 1    aaaa\n"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("tested"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("program 1 gets core "), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find(": idle-core\n"), std::string::npos) << answer.out;
}

}  // namespace
