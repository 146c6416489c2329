// Bad usage: exit status 2, one line on standard error that names the culprit and what is allowed,
// nothing on standard output, nothing written.
#include "command/usage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "lab/programs/program.hpp"
#include "tests/running_command.hpp"

namespace {

using parley_tests::run;
using parley_tests::said;

struct mistake {
    std::vector<std::string> arguments;
    std::vector<std::string> in_message;  // the culprit, and what is allowed
    std::vector<std::string> environment = {};
};

void expect_refused(const mistake& m) {
    const said answer = run(m.arguments, m.environment);
    SCOPED_TRACE(parley_cli::join(m.arguments) + " said: " + answer.err);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    EXPECT_TRUE(answer.err.ends_with('\n'));
    EXPECT_EQ(answer.err.find("parley: parley: "), std::string::npos) << "who speaks is said once";
    for (const std::string& part : m.in_message) {
        EXPECT_NE(answer.err.find(part), std::string::npos) << part;
    }
}

TEST(Usage, VerbsAreNeeded) {
    expect_refused({{}, {"verb", "run", "info"}});
    expect_refused({{"nosuch"}, {"'nosuch'", "run", "info"}});
    expect_refused({{"rnu"}, {"'rnu'", "did you mean 'run'?"}});
    expect_refused({{""}, {"''", "run"}});
}

TEST(Usage, ProgramsAreNeeded) {
    expect_refused({{"run"}, {"program", "uts, fib, nqueens"}});
    expect_refused({{"run", "nosuch"}, {"'nosuch'", "uts, fib, nqueens"}});
    expect_refused({{"run", "fbi"}, {"'fbi'", "did you mean 'fib'?"}});
    expect_refused({{"run", "--workers", "2"}, {"'--workers'", "uts, fib, nqueens"}});
}

TEST(Usage, WorkersAreAPositiveNumber) {
    for (const char* bad : {"0", "-1", "banana", "", "1.5", "2x", " 2", "4097", "0x2", "99999999999999999999999999"}) {
        expect_refused({{"run", "uts", "--workers", bad}, {"--workers", std::string("'") + bad + "'", "1 to 4096"}});
    }
}

TEST(Usage, OtherNumbersAreChecked) {
    expect_refused({{"run", "fib", "--n", "61"}, {"--n", "'61'", "0 to 60"}});
    expect_refused({{"run", "nqueens", "--n", "0"}, {"--n", "'0'", "1 to 16"}});
    expect_refused({{"run", "uts", "--repeat", "0"}, {"--repeat", "'0'", "1 to "}});
    expect_refused({{"run", "uts", "--seed", "-1"}, {"--seed", "'-1'", "0 to "}});
    expect_refused({{"run", "uts", "--watchdog", "no"}, {"--watchdog", "'no'", "on, off"}});
}

TEST(Usage, WordsAreChecked) {
    expect_refused({{"run", "uts", "--tree", "X9"}, {"--tree", "'X9'", "T1, T2, T3", "T3XXL"}});
    expect_refused({{"run", "uts", "--size", "big"}, {"--size", "'big'", "small, ch, thesis, ch6"}});
    expect_refused({{"run", "uts", "--scheduler", "magic"}, {"--scheduler", "'magic'", "parley, deque"}});
}

// Built or not, the answer says why it cannot be.
TEST(Usage, SchedulersInRustRunProgramsInRust) {
    const std::vector<std::string>& built = parley_programs::scheduler_names();
    for (const std::string scheduler : {"rayon", "chili"}) {
        const bool is_built = std::find(built.begin(), built.end(), scheduler) != built.end();
        const std::string reason = is_built ? "heat is not" : "needs cargo";
        const std::string culprit = "'" + scheduler + "'";
        expect_refused({{"run", "heat", "--scheduler", scheduler}, {"--scheduler", culprit, reason, "parley, deque"}});
        expect_refused({{"bench", "fib", "heat", "--scheduler", "parley," + scheduler},
                        {"--scheduler", culprit, reason, "parley, deque"}});
    }
}

TEST(Usage, OptionsAreKnownAndHaveValues) {
    expect_refused({{"run", "uts", "--tre", "T1"}, {"'--tre'", "did you mean '--tree'?"}});
    expect_refused({{"run", "fib", "--tree", "T1"}, {"'--tree'", "--n"}});
    expect_refused({{"run", "uts", "surplus"}, {"'surplus'", "--tree"}});
    expect_refused({{"run", "uts", "--workers"}, {"--workers", "1 to 4096"}});
    expect_refused({{"run", "uts", "--json"}, {"--json", "file"}});
    expect_refused({{"info", "surplus"}, {"'surplus'"}});
}

TEST(Usage, EnvironmentIsChecked) {
    const std::vector<std::string> banana{"PARLEY_WORKERS=banana"};
    expect_refused({{"run", "fib"}, {"PARLEY_WORKERS", "banana"}, banana});
    expect_refused({{"run", "fib", "--workers", "1"}, {"PARLEY_WORKERS", "banana"}, banana});
    expect_refused({{"info"}, {"PARLEY_WORKERS", "banana"}, banana});
    expect_refused({{"run", "fib"}, {"PARLEY_WORKERS", "0"}, {"PARLEY_WORKERS=0"}});
    expect_refused({{"run", "fib"}, {"PARLEY_DRY", "open", "there are PARLEY_BIND,"}, {"PARLEY_DRY=open"}});
    expect_refused({{"run", "fib"}, {"PARLEY_STEAL", "most", "one of one, half, adaptive"}, {"PARLEY_STEAL=most"}});
    expect_refused({{"bench", "fib"}, {"PARLEY_VICTIM", "me"}, {"PARLEY_VICTIM=me"}});
    const std::vector<std::string> serial{"PARLEY_SERIAL=banana"};
    expect_refused({{"run", "fib"}, {"PARLEY_SERIAL", "banana", "0 or 1"}, serial});
    expect_refused({{"info"}, {"PARLEY_SERIAL", "banana", "0 or 1"}, serial});
    expect_refused({{"bench", "fib"}, {"PARLEY_SERIAL=1"}, {"PARLEY_SERIAL=1"}});
}

TEST(Usage, JsonFileIsCheckedBeforeAnythingRuns) {
    const parley_tests::scratch_folder folder;
    // This tree takes minutes: the answer comes because the file is tried first.
    const auto with_json = [](const std::string& file) {
        return std::vector<std::string>{"run", "uts", "--tree", "T1XL", "--json", file};
    };
    expect_refused({with_json(folder.file("nosuch/file")), {"--json", "nosuch/file", "writable"}});
    expect_refused({with_json(folder.file("")), {"--json", "directory"}});
    EXPECT_TRUE(folder.names().empty());
}

TEST(Usage, NothingIsWrittenAfterAMistake) {
    const parley_tests::scratch_folder folder;
    expect_refused({{"run", "uts", "--json", folder.file("x"), "--tree", "X9"}, {"'X9'"}});
    EXPECT_TRUE(folder.names().empty());
}

TEST(Usage, WhatWasTypedStaysOnOneLine) {
    expect_refused({{"run", "a\nb"}, {"'a?b'"}});
    expect_refused({{"run", std::string(5000, 'x')}, {"xxx...'"}});
}

TEST(Usage, HelpIsNoMistake) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                      {"run", "--help"},
                                                      {"info", "--help"},
                                                      {"run", "uts", "--help"},
                                                      {"run", "fib", "-h"},
                                                      {"--version"}}) {
        const said answer = run(arguments);
        EXPECT_EQ(answer.status, 0) << parley_cli::join(arguments);
        EXPECT_EQ(answer.err, "");
        EXPECT_NE(answer.out, "");
    }
}

TEST(Usage, HelpListsEveryProgramOnALineOfItsOwn) {
    const std::string help = run({"run", "--help"}).out;
    for (const parley_programs::program& p : parley_programs::all_programs()) {
        const std::size_t name = help.find("\n  " + std::string(p.name) + " ");
        ASSERT_NE(name, std::string::npos) << p.name;
        const std::string line = help.substr(name + 1, help.find('\n', name + 1) - name - 1);
        EXPECT_NE(line.find(p.summary), std::string::npos) << p.name;
    }
}

TEST(Usage, HelpOfAProgramHasItsDefaults) {
    const std::string help = run({"run", "uts", "--help"}).out;
    for (const char* part : {"--tree", "(default: T1)", "--workers", "--json", "--size", "(default: small)", "--seed",
                             "--repeat", "--scheduler", "--watchdog"}) {
        EXPECT_NE(help.find(part), std::string::npos) << part;
    }
    EXPECT_NE(run({"run", "nqueens", "--help"}).out.find("(default: 12)"), std::string::npos);
}

TEST(Usage, SuggestsOnlyWhatIsNear) {
    const std::vector<std::string> known{"uts", "fib", "nqueens"};
    EXPECT_EQ(parley_cli::nearest("ust", known), "uts");
    EXPECT_EQ(parley_cli::nearest("queens", known), "nqueens");
    EXPECT_EQ(parley_cli::nearest("nosuch", known), "");
    EXPECT_EQ(parley_cli::nearest("", known), "");
    EXPECT_EQ(parley_cli::nearest("x", known), "");
}

}  // namespace
