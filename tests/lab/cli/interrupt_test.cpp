// Signals: a long run ends within a second and says what was done.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/running_command.hpp"

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using parley_tests::read;
using parley_tests::running_command;
using parley_tests::said;

// 1.6 billion nodes: minutes.
const std::vector<std::string> long_run{"run", "uts", "--tree", "T1XL"};

struct interrupted {
    said answer;
    std::chrono::duration<double> took{};
};

constexpr std::chrono::seconds promised{1};

interrupted interrupt_once(const std::vector<std::string>& arguments, int signal) {
    running_command command(arguments);
    EXPECT_TRUE(command.still_runs_after(300ms));
    const auto start = std::chrono::steady_clock::now();
    command.signal(signal);
    said answer = command.finish();
    return {std::move(answer), std::chrono::steady_clock::now() - start};
}

// A machine that has no processor for it for a while delays it, too: the best of three.
interrupted interrupt(const std::vector<std::string>& arguments, int signal) {
    interrupted run = interrupt_once(arguments, signal);
    for (int i = 0; i < 2 && run.took >= promised; ++i) run = interrupt_once(arguments, signal);
    return run;
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

void expect_polite_end(const interrupted& run) {
    EXPECT_EQ(run.answer.status, 130);
    EXPECT_LT(run.took, promised);
}

TEST(Interrupt, LeavesWithinASecondAndSaysWhatWasDone) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const interrupted run = interrupt(long_run, signal);
        expect_polite_end(run);
        EXPECT_NE(run.answer.out.find("interrupted"), std::string::npos);
        EXPECT_NE(run.answer.out.find("nodes "), std::string::npos);
        EXPECT_EQ(run.answer.out.find("nodes 1,"), std::string::npos);
    }
}

TEST(Interrupt, AlsoWhereNobodyListens) {
    const interrupted run = interrupt(with(long_run, {"--scheduler", "serial"}), SIGINT);
    expect_polite_end(run);
    EXPECT_NE(run.answer.out.find("nodes "), std::string::npos);
}

TEST(Interrupt, AlsoInForkJoin) {
    expect_polite_end(interrupt({"run", "fib", "--n", "55"}, SIGINT));
    expect_polite_end(interrupt({"run", "nqueens", "--n", "16"}, SIGINT));
}

// 10^8 elements are made for seconds before anything runs.
TEST(Interrupt, AlsoWhileDataAreMade) { expect_polite_end(interrupt({"run", "quicksort", "--n", "100000000"}, SIGINT)); }

// What the result must be is computed before, without tasks: here in minutes, and in seconds.
TEST(Interrupt, AlsoWhileTheKnownResultIsComputed) {
    expect_polite_end(interrupt({"run", "mandelbrot", "--n", "16384", "--limit", "100000"}, SIGINT));
    expect_polite_end(interrupt({"bench", "mandelbrot", "--size", "thesis"}, SIGINT));
}

// Tasks of a second each that never look up.
TEST(Interrupt, AlsoInTasksThatNeverPoll) {
    expect_polite_end(interrupt({"run", "spc", "--n", "100", "--t", "1000000"}, SIGINT));
}

TEST(Interrupt, LeavesThePartialFile) {
    const parley_tests::scratch_folder folder;
    const std::string file = folder.file("result.json");
    expect_polite_end(interrupt(with(long_run, {"--json", file}), SIGINT));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"result.json.partial"});
    const json line = json::parse(read(file + ".partial"));
    EXPECT_EQ(line.at("program"), "uts");
    EXPECT_EQ(line.at("verified"), false);
    EXPECT_EQ(line.at("repetitions"), 0);
    EXPECT_TRUE(line.at("seconds").is_null());
    EXPECT_GT(line.at("result").at("nodes"), 1);
}

TEST(Interrupt, StandardOutputStaysJson) {
    const interrupted run = interrupt(with(long_run, {"--json", "-"}), SIGINT);
    expect_polite_end(run);
    EXPECT_EQ(json::parse(run.answer.out).at("verified"), false);
}

TEST(Interrupt, BenchSaysInWhichRunItWas) {
    const interrupted run = interrupt({"bench", "spc", "--size", "thesis", "--scheduler", "parley"}, SIGINT);
    expect_polite_end(run);
    EXPECT_NE(run.answer.out.find("spc: interrupted in round 1, serial"), std::string::npos) << run.answer.out;
}

TEST(Interrupt, BenchShowsTheRoundsThatAreDone) {
    const interrupted run = interrupt({"bench", "spawns", "--scheduler", "parley", "--repeat", "100000"}, SIGINT);
    expect_polite_end(run);
    const std::string& out = run.answer.out;
    EXPECT_NE(out.find("spawns: interrupted in round "), std::string::npos) << out;
    // Serial runs first in round 1; a slow machine gets no further.
    const bool first_is_done = out.find("in round 1,") == std::string::npos;
    EXPECT_EQ(out.find("\n  parley ") != std::string::npos, first_is_done) << out;
}

TEST(Interrupt, BetweenRepetitionsToo) {
    const interrupted run = interrupt({"run", "fib", "--n", "1", "--repeat", "1000000"}, SIGINT);
    expect_polite_end(run);
    EXPECT_NE(run.answer.out.find("complete before: "), std::string::npos);
}

// The second one makes its data first, the third has no workers to show.
TEST(Interrupt, StateIsShownOnRequest) {
    for (const auto& words :
         {long_run, {"run", "quicksort", "--n", "100000000"}, with(long_run, {"--scheduler", "serial"})}) {
        running_command command(words);
        EXPECT_TRUE(command.still_runs_after(300ms));
        command.signal(SIGUSR2);
        while (command.err_so_far().empty() && command.still_runs_after(10ms)) {}
        EXPECT_NE(command.err_so_far().find(words[1] + ": "), std::string::npos);
        command.signal(SIGINT);
        EXPECT_EQ(command.finish().status, 130);
    }
}

TEST(Interrupt, StateIsShownByBenchAndSimToo) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"bench", "spc", "--size", "thesis", "--scheduler", "parley"},
          {"sim", "uts", "--tree", "T1XL", "--workers", "240"}}) {
        running_command command(words);
        EXPECT_TRUE(command.still_runs_after(300ms));
        command.signal(SIGUSR2);
        while (command.err_so_far().empty() && command.still_runs_after(10ms)) {}
        command.signal(SIGINT);
        const said answer = command.finish();
        EXPECT_EQ(answer.status, 130);
        EXPECT_NE(answer.err.find(words[0] == "sim" ? "parley sim: in run 1 of 1" : "spc: round 1, "), std::string::npos)
            << answer.err;
    }
}

// By its number the end would come first where both are pending.
TEST(Interrupt, AQuestionAskedBeforeTheEndIsAnswered) {
    running_command command(long_run);
    EXPECT_TRUE(command.still_runs_after(300ms));
    for (const int signal : {SIGSTOP, SIGUSR2, SIGINT, SIGCONT}) command.signal(signal);
    const said answer = command.finish();
    EXPECT_EQ(answer.status, 130);
    EXPECT_NE(answer.err.find("uts: "), std::string::npos);
}

// What a person at a terminal sees on standard error.
TEST(Terminal, ShowsProgress) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const int other_end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    const pid_t process = fork();
    if (process == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        dup2(other_end, STDERR_FILENO);
        setenv("TERM", "xterm", 1);
        execl(PARLEY_COMMAND, "parley", "run", "uts", "--tree", "T1XL", nullptr);
        _exit(127);
    }
    close(other_end);
    std::string seen;
    std::array<char, 256> part{};
    while (seen.find("nodes ") == std::string::npos) {
        const ssize_t got = ::read(terminal, part.data(), part.size());
        ASSERT_GT(got, 0) << seen;
        seen.append(part.data(), static_cast<std::size_t>(got));
    }
    kill(process, SIGINT);
    int status = 0;
    waitpid(process, &status, 0);
    close(terminal);
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_NE(seen.find("uts: pair 1"), std::string::npos);
}

}  // namespace
