// A suite that was interrupted goes on where it was, and loses nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <utility>

#include "command/usage.hpp"
#include "lab/command/finished.hpp"
#include "tests/lab/cli/suite_lines.hpp"
#include "tests/running_command.hpp"

namespace {

using namespace std::chrono_literals;
using namespace parley_cli;
using parley_tests::made_up_lines;
using parley_tests::options_of;
using parley_tests::read;
using parley_tests::run;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;
using parley_tests::suite_line;

std::string as_text(const std::vector<suite_line>& lines) {
    std::string text;
    for (const suite_line& line : lines) {
        text += line.dump() + "\n";
    }
    return text;
}

void put_in(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

std::vector<std::string> lines_in(const std::string& file) {
    std::vector<std::string> lines;
    std::istringstream in(read(file));
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

// A partial file, and what is made of it.
class Finished : public testing::Test {
protected:
    Finished() { options.json_file = folder.file("f"); }

    finished_programs of(const std::string& partial) {
        put_in(folder.file("f.partial"), partial);
        return finished_programs(options);
    }
    std::string refusal(const std::string& partial) {
        try {
            of(partial);
        } catch (const usage_error& error) {
            EXPECT_EQ(read(folder.file("f.partial")), partial);
            return error.what();
        }
        return "accepted";
    }

    scratch_folder folder;
    bench_options options =
        options_of({"--suite", "chapter6", "--scheduler", "parley,deque", "--workers", "1,2", "--repeat", "3"});
};

TEST_F(Finished, NothingWithoutAFile) {
    EXPECT_EQ(finished_programs(options).finished(), 0U);
    options.json_file = "-";
    EXPECT_EQ(finished_programs(options).finished(), 0U);
}

TEST_F(Finished, ProgramsWhoseLinesAreAllThere) {
    const std::vector<suite_line> lines = made_up_lines(options, 0, 2);
    const finished_programs found = of(as_text(lines));
    EXPECT_EQ(found.finished(), 2U);
    EXPECT_EQ(found.measured_anew(), 0U);
    EXPECT_EQ(found.all_lines(), lines);
    EXPECT_EQ(found.lines_of(1).size(), 4U);
    EXPECT_TRUE(found.lines_of(2).empty());
}

TEST_F(Finished, InWhateverOrder) {
    std::vector<suite_line> lines = made_up_lines(options, 0, 2);
    std::reverse(lines.begin(), lines.end());
    EXPECT_EQ(of(as_text(lines)).finished(), 2U);
}

TEST_F(Finished, NotIfALineIsMissing) {
    std::vector<suite_line> lines = made_up_lines(options, 0, 2);
    lines.pop_back();
    const finished_programs found = of(as_text(lines));
    EXPECT_EQ(found.finished(), 1U);
    EXPECT_EQ(found.measured_anew(), 1U);
    EXPECT_TRUE(found.lines_of(1).empty());
}

TEST_F(Finished, NotIfItWasInterrupted) {
    std::vector<suite_line> lines = made_up_lines(options, 0, 2);
    for (std::size_t i = 4; i < lines.size(); ++i) {
        lines[i]["verified"] = false;
    }
    const finished_programs found = of(as_text(lines));
    EXPECT_EQ(found.finished(), 1U);
    EXPECT_EQ(found.measured_anew(), 0U);
}

TEST_F(Finished, NotFromAnotherBuildOrMachineOrNumberOfRounds) {
    for (const auto& [key, value] :
         {std::pair{"commit", suite_line("another")}, std::pair{"machine", suite_line("another")},
          std::pair{"compiler", suite_line("another")}, std::pair{"repetitions", suite_line(2)}}) {
        std::vector<suite_line> lines = made_up_lines(options, 0, 2);
        lines[5][key] = value;
        const finished_programs found = of(as_text(lines));
        EXPECT_EQ(found.finished(), 1U) << key;
        EXPECT_EQ(found.measured_anew(), 1U) << key;
    }
}

TEST_F(Finished, WithoutRepeatAnyNumberOfRoundsThatSaysSomething) {
    const std::vector<suite_line> lines = made_up_lines(options, 0, 1);
    options.repeat.reset();
    EXPECT_EQ(of(as_text(lines)).finished(), 1U);
    std::vector<suite_line> fewer = lines;
    fewer[0]["repetitions"] = 2;
    EXPECT_EQ(of(as_text(fewer)).finished(), 0U);
}

TEST_F(Finished, ALineThatIsCutShortIsMeasuredAnew) {
    const std::string text = as_text(made_up_lines(options, 0, 2));
    const finished_programs found = of(text.substr(0, text.size() - 20));
    EXPECT_EQ(found.finished(), 1U);
    EXPECT_EQ(found.measured_anew(), 1U);
}

TEST_F(Finished, ResultsOfOtherParametersAreNotLost) {
    std::vector<suite_line> lines = made_up_lines(options, 0, 2);
    lines[6]["parameters"]["n"] = 7;
    const std::string complaint = refusal(as_text(lines));
    EXPECT_NE(complaint.find("f.partial has results that this command does not ask for"), std::string::npos) << complaint;
    EXPECT_NE(complaint.find("\"n\":7"), std::string::npos) << complaint;
    EXPECT_EQ(complaint.find('\n'), std::string::npos);
}

TEST_F(Finished, ResultsOfOtherSchedulersOrWorkersAreNotLost) {
    const std::string text = as_text(made_up_lines(options, 0, 1));
    options.schedulers = {"parley"};
    EXPECT_NE(refusal(text).find("\"deque\""), std::string::npos);
    options.schedulers = {"parley", "deque"};
    options.workers = {1};
    EXPECT_NE(refusal(text).find("workers: 2"), std::string::npos);
}

TEST_F(Finished, OtherFilesAreRefused) {
    const std::string lines = as_text(made_up_lines(options, 0, 1));
    EXPECT_NE(refusal("Dear diary,\nnothing\n").find("in line 1"), std::string::npos);
    EXPECT_NE(refusal(lines + "{\"program\": 3}\n").find("in line 5"), std::string::npos);
    EXPECT_NE(refusal("[]\n" + lines).find("in line 1"), std::string::npos);
}

const std::vector<std::string> resumable{"bench",     "--suite", "chapter6", "--scheduler", "parley",
                                         "--workers", "1",       "--repeat", "3",           "--json"};

bench_options options_of_command() {
    return options_of({"--suite", "chapter6", "--scheduler", "parley", "--workers", "1", "--repeat", "3"});
}

std::vector<std::string> command_to(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = resumable;
    words.push_back(file);
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// All but the last three are made up, so what is in the end can not have been measured.
TEST(Resuming, TakesFinishedLinesAfterAnInterruption) {
    const scratch_folder folder;
    const std::string partial = folder.file("f.partial");
    const std::string made_up = as_text(made_up_lines(options_of_command(), 0, 18));
    put_in(partial, made_up);
    {
        running_command first(command_to(folder.file("f")));
        while (lines_in(partial).size() < 19 && first.still_runs_after(10ms)) {}
        first.signal(SIGINT);
        const said answer = first.finish();
        ASSERT_EQ(answer.status, 130) << answer.err;
        EXPECT_NE(answer.out.find("has the results of 18 of 21 programs"), std::string::npos) << answer.out;
    }
    EXPECT_EQ(folder.names(), std::vector<std::string>{"f.partial"});
    const std::vector<std::string> left = lines_in(partial);
    ASSERT_GE(left.size(), 19U);
    EXPECT_TRUE(suite_line::parse(left[18]).at("verified").get<bool>());

    const said answer = run(command_to(folder.file("f")));
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"f"});
    const std::vector<std::string> all = lines_in(folder.file("f"));
    ASSERT_EQ(all.size(), 21U);
    for (std::size_t i = 0; i < 19; ++i) {
        EXPECT_EQ(all[i], left[i]) << i;
    }
    for (const std::string& line : all) {
        EXPECT_TRUE(suite_line::parse(line).at("verified").get<bool>()) << line;
    }
    EXPECT_EQ(answer.out.find("LU 2048 32: "), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("LU 2048 128: "), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("chapter6 1 worker, 21 workloads"), std::string::npos) << answer.out;
}

TEST(Resuming, ACompleteFileOnlyShowsItsTable) {
    const scratch_folder folder;
    const std::string made_up = as_text(made_up_lines(options_of_command(), 0, 21));
    put_in(folder.file("f.partial"), made_up);
    const said answer = run(command_to(folder.file("f")));
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(read(folder.file("f")), made_up);
    EXPECT_NE(answer.out.find("1. parley"), std::string::npos) << answer.out;
}

TEST(Resuming, AnotherCommandLeavesTheFileAsItIs) {
    const scratch_folder folder;
    const std::string made_up = as_text(made_up_lines(options_of_command(), 0, 18));
    put_in(folder.file("f.partial"), made_up);
    const said answer = run(command_to(folder.file("f"), {"--size", "ch6"}));
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_NE(answer.err.find("does not ask for"), std::string::npos) << answer.err;
    EXPECT_EQ(read(folder.file("f.partial")), made_up);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"f.partial"});
}

TEST(Resuming, PicturesAreOfAllLines) {
    const scratch_folder folder;
    put_in(folder.file("f.partial"), as_text(made_up_lines(options_of_command(), 0, 21)));
    const said answer = run(command_to(folder.file("f"), {"--plot", folder.file("p")}));
    if (answer.status == 2) {
        EXPECT_NE(answer.err.find("python3-matplotlib"), std::string::npos);
        GTEST_SKIP() << "no matplotlib here";
    }
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_GT(read(folder.file("p/chapter6.svg")).size(), 10'000U);
    EXPECT_GT(read(folder.file("p/chapter6.png")).size(), 10'000U);
    EXPECT_EQ(lines_in(folder.file("p/chapter6.jsonl")).size(), 21U);
}

}  // namespace
