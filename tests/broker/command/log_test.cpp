// parley broker --log and parley broker replay: of a broker that has had programs, and of logs that are damaged.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "tests/broker/command/running_broker.hpp"
#include "tests/broker/service_client.hpp"

namespace {

using nlohmann::json;
using parley_tests::read;
using parley_tests::run;
using parley_tests::running_broker;
using parley_tests::said;
using parley_tests::scratch_folder;

class BrokerLogFile : public testing::Test {
protected:
    // Two programs come, one works, both go.
    void write_log(const std::vector<std::string>& policy = {}) {
        std::vector<std::string> options{"--log", log, "--sample", "2", "--quantum", "5", "--leave-threads"};
        options.insert(options.end(), policy.begin(), policy.end());
        running_broker broker(options);
        {
            broker_tests::client one(broker.socket()), other(broker.socket());
            ASSERT_TRUE(one.join(broker_tests::greeting(8, "one")) && other.join(broker_tests::greeting(8, "other")));
            one.works(8);
            ASSERT_TRUE(broker_tests::comes_true([&] {
                return one.cores() > 0 && other.cores() > 0 && broker.row("other").value("class", "") == "inefficient";
            }));
        }
        ASSERT_TRUE(broker_tests::comes_true([&] { return broker.rows().empty(); }));
        EXPECT_EQ(broker.end(SIGTERM).status, 0);
        std::istringstream text(read(log));
        for (std::string line; std::getline(text, line);) {
            lines.push_back(json::parse(line));
        }
        ASSERT_GT(lines.size(), 5u);
    }

    void expect_same() const {
        const said answer = run({"broker", "replay", log});
        EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
        EXPECT_EQ(answer.out, std::to_string(lines.size() - 1) + " records, the same\n");
    }

    void expect_no_log(const std::string& text, const std::string& what) const {
        std::ofstream(log) << text;
        const said answer = run({"broker", "replay", log});
        EXPECT_EQ(answer.status, 2) << what << ": " << answer.out << answer.err;
        EXPECT_EQ(answer.out, "") << what;
        EXPECT_TRUE(parley_tests::is_one_line(answer.err)) << what << ": " << answer.err;
        EXPECT_NE(answer.err.find(log), std::string::npos) << answer.err;
    }

    [[nodiscard]] std::string text_with(std::size_t line, const json& instead) const {
        std::string text;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            text += (i == line ? instead : lines[i]).dump() + "\n";
        }
        return text;
    }
    // The first message of that name, with another value of a field.
    [[nodiscard]] std::string with_message(const std::string& name, const std::string& field, const json& value) const {
        for (std::size_t i = 1; i < lines.size(); ++i) {
            json line = lines[i];
            if (line["in"][0] == "message" && line["in"][1]["what"][0] == name) {
                line["in"][1]["what"][1].at(json::json_pointer(field)) = value;
                return text_with(i, line);
            }
        }
        ADD_FAILURE() << "no " << name;
        return "";
    }

    const scratch_folder folder;
    const std::string log = folder.file("log");
    std::vector<json> lines;
};

TEST_F(BrokerLogFile, ReplaysTheSameWithPrograms) {
    write_log();
    expect_same();
}

TEST_F(BrokerLogFile, OfThePapersPolicyReplaysTheSameAndOtherwiseWithTheOther) {
    write_log({"--policy", "paper"});
    expect_same();
    EXPECT_EQ(run({"broker", "replay", log, "--policy", "paper"}).status, 0);
    const said other = run({"broker", "replay", log, "--policy", "fair-share"});
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.out.find("comes out otherwise"), std::string::npos);
}

TEST_F(BrokerLogFile, NumbersAndWordsThatCannotBeAreRefused) {
    write_log();
    for (const json& core : {json(8), json(999), json(4294967296), json(-1), json(0.5), json("0"), json(nullptr)}) {
        expect_no_log(with_message("core", "/core", core), "core " + core.dump());
    }
    expect_no_log(with_message("claim", "/row/weight", 0), "weight");
    expect_no_log(with_message("claim", "/row/judged", 3), "class");
    for (const auto& [field, value] :
         {std::pair<std::string, json>{"section", 2}, {"section", -1}, {"section", 4294967296}}) {
        json line = lines[1];
        line[field] = value;
        expect_no_log(text_with(1, line), field + value.dump());
    }
    for (const auto& [field, value] : {std::pair<std::string, json>{"policy", "best"},
                                       {"policy", ""},
                                       {"near", json::array()},
                                       {"owners", {0, 0, 0, 7}},
                                       {"parley_broker_log", 2}}) {
        json head = lines[0];
        head[field] = value;
        expect_no_log(text_with(0, head), field);
    }
}

TEST_F(BrokerLogFile, MissingFieldsAreRefused) {
    write_log();
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        for (const auto& [field, value] : lines[i].items()) {
            json line = lines[i];
            line.erase(field);
            expect_no_log(text_with(i, line), field);
        }
    }
}

TEST_F(BrokerLogFile, CutOrEmptyItIsRefused) {
    write_log();
    expect_no_log("", "empty");
    const std::string first = lines[0].dump();
    expect_no_log(first.substr(0, first.size() / 2), "cut in its first line");
    const std::string second = lines[1].dump();
    expect_no_log(first + "\n" + second.substr(0, second.size() / 2) + "\n" + lines[2].dump() + "\n", "a line is cut");
}

// Its broker was killed while it wrote.
TEST_F(BrokerLogFile, LastLineMayBeCut) {
    write_log();
    std::string text = text_with(lines.size(), {});
    text.resize(text.size() - 5);
    std::ofstream(log) << text;
    lines.pop_back();
    expect_same();
}

}  // namespace
