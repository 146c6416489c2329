// parley broker run: a command that knows nothing of Parley runs where the broker says.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

#include "tests/broker/fake_broker.hpp"
#include "tests/broker/recorder.hpp"
#include "tests/running_command.hpp"

namespace {

using namespace std::chrono_literals;
using broker_tests::eventually;
using broker_tests::fake_broker;
using broker_tests::member;
using parley::broker::core_id;
using parley_tests::run;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;
using cores = std::vector<core_id>;

cores cores_of(pid_t thread) {
    cpu_set_t set{};
    sched_getaffinity(thread, sizeof set, &set);
    cores all;
    for (core_id c = 0; c < CPU_SETSIZE; ++c) {
        if (CPU_ISSET(c, &set)) {
            all.push_back(c);
        }
    }
    return all;
}

cores cores_of_all_threads(pid_t process) {
    cores all;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        for (const core_id c : cores_of(std::stoi(thread.path().filename().string()))) {
            if (std::find(all.begin(), all.end(), c) == all.end()) {
                all.push_back(c);
            }
        }
    }
    return all;
}

std::ptrdiff_t count_threads(pid_t process) {
    namespace fs = std::filesystem;
    return std::distance(fs::directory_iterator("/proc/" + std::to_string(process) + "/task"), fs::directory_iterator());
}

// Ends with the test: killed, it would leave what it leads to itself.
class led {
public:
    explicit led(const std::vector<std::string>& arguments, int end = 128 + SIGTERM) : command_(arguments), end_(end) {}
    ~led() {
        command_.signal(SIGTERM);
        const said end = command_.finish();
        EXPECT_EQ(end.status, end_) << end.err;
    }
    led(const led&) = delete;
    led& operator=(const led&) = delete;

private:
    running_command command_;
    int end_;
};

class BrokerRun : public testing::Test {
protected:
    void SetUp() override {
        if (here.size() < 2) {
            GTEST_SKIP() << "there is one core";
        }
    }

    [[nodiscard]] std::vector<std::string> shell(const std::string& script) const {
        return {"broker", "run", "--socket", socket, "--", "sh", "-c", script};
    }
    // The number that the command has written into a file.
    [[nodiscard]] pid_t number_in(const std::string& file) const {
        std::string text;
        EXPECT_TRUE(eventually([&] { return (text = parley_tests::read(folder.file(file))).ends_with('\n'); })) << file;
        return text.empty() ? 0 : std::stoi(text);
    }
    // A command in the shell that writes its process' number and stays.
    [[nodiscard]] std::string staying(const std::string& file) const {
        return "sh -c 'echo $$ > " + folder.file(file) + "; exec sleep 1000'";
    }

    const cores here = cores_of(0);
    const scratch_folder folder;
    const std::string socket = folder.file("broker.sock");
};

TEST_F(BrokerRun, SaysWhatItLeads) {
    fake_broker broker(socket);
    const led command({"broker", "run", "--socket", socket, "--weight", "7", "--", "/bin/sleep", "1000"});
    const member m = broker.welcome_next();
    EXPECT_EQ(m.who.is_led, 1u);
    EXPECT_EQ(m.who.weight, 7u);
    EXPECT_EQ(m.who.most, here.size());
    EXPECT_STREQ(m.who.name.data(), "sleep");
}

TEST_F(BrokerRun, CommandAndItsDescendantsFollowTheAllotment) {
    fake_broker broker(socket);
    const led command(shell(staying("child") + " & (setsid " + staying("orphan") + " & ) ; " + "(" + staying("grandchild") +
                            "; true) & wait; exec sleep 1000"));
    const std::vector<pid_t> all{number_in("child"), number_in("orphan"), number_in("grandchild")};
    member m = broker.welcome_next();
    for (const core_id core : {here.back(), here.front()}) {
        m.allot({core});
        for (const pid_t process : all) {
            EXPECT_TRUE(eventually([&] { return cores_of(process) == cores{core}; })) << process;
        }
        EXPECT_TRUE(eventually([&] { return m.feedback->followed == m.allotted->generation; }));
    }
    m.allot({here.front()}, {here.back()});
    for (const pid_t process : all) {
        EXPECT_TRUE(eventually([&] { return cores_of(process) == cores({here.front(), here.back()}); })) << process;
        kill(process, SIGKILL);
    }
}

TEST_F(BrokerRun, AllThreadsFollow) {
    fake_broker broker(socket);
    const led command(shell("echo $$ > " + folder.file("it") + "; exec " + PARLEY_BUSY_MEMBER));
    const pid_t process = number_in("it");
    member m = broker.welcome_next();
    EXPECT_TRUE(eventually([&] { return count_threads(process) >= 4; }));
    m.allot({here.back()});
    EXPECT_TRUE(eventually([&] { return cores_of_all_threads(process) == cores{here.back()}; }));
    m.allot({here.front()});
    EXPECT_TRUE(eventually([&] { return cores_of_all_threads(process) == cores{here.front()}; }));
}

// While it moves them, they make new ones.
TEST_F(BrokerRun, NobodyEscapes) {
    fake_broker broker(socket);
    const led command(shell("while :; do sh -c 'nproc >> " + folder.file("counts") + "' & nproc > /dev/null; wait; done"));
    member m = broker.welcome_next();
    for (int i = 0; i < 20; ++i) {
        m.allot({here.front(), here.back()});
        m.allot({here.front()});
    }
    EXPECT_TRUE(eventually([&] { return m.feedback->followed == m.allotted->generation; }));
    std::this_thread::sleep_for(300ms);  // those that were half made when all others were moved
    std::filesystem::resize_file(folder.file("counts"), 0);
    EXPECT_TRUE(eventually([&] { return parley_tests::read(folder.file("counts")).size() > 20; }));
    EXPECT_EQ(parley_tests::read(folder.file("counts")).find('2'), std::string::npos);
}

TEST_F(BrokerRun, ReportsHowLongTheCommandHasRun) {
    fake_broker broker(socket);
    const led command(shell("sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; echo 1 > " + folder.file("ended") +
                            "; while :; do :; done"));
    member m = broker.welcome_next();
    const auto& line = m.feedback->lines[0];
    EXPECT_TRUE(eventually([&] { return line.useful > 0; }));
    EXPECT_EQ(m.feedback->workers, 1u);
    EXPECT_EQ(line.state, static_cast<std::uint32_t>(parley::broker::worker_state::useful));
    EXPECT_EQ(number_in("ended"), 1);
    const std::uint64_t by_now = line.useful;
    EXPECT_TRUE(eventually([&] { return line.useful > by_now + 50'000'000; }));
    EXPECT_EQ(line.version % 2, 0u);
}

TEST_F(BrokerRun, MayUseAllCoresAgainWhenTheBrokerIsLost) {
    auto broker = std::make_unique<fake_broker>(socket);
    const led command(shell("exec " + staying("it")));
    const pid_t process = number_in("it");
    {
        member m = broker->welcome_next();
        m.allot({here.front()});
        EXPECT_TRUE(eventually([&] { return cores_of(process) == cores{here.front()}; }));
        broker.reset();
    }
    EXPECT_TRUE(eventually([&] { return cores_of(process) == here; }));
    broker = std::make_unique<fake_broker>(socket);
    member m = broker->welcome_next();
    m.allot({here.back()});
    EXPECT_TRUE(eventually([&] { return cores_of(process) == cores{here.back()}; }));
}

TEST_F(BrokerRun, WhatItLeavesBehindMayUseAllCores) {
    fake_broker broker(socket);
    running_command command(shell("setsid " + staying("left") + " & read line < " + folder.file("end")));
    ASSERT_EQ(mkfifo(folder.file("end").c_str(), 0600), 0);
    const pid_t left = number_in("left");
    member m = broker.welcome_next();
    m.allot({here.front()});
    EXPECT_TRUE(eventually([&] { return cores_of(left) == cores{here.front()}; }));
    command.signal(SIGTERM);
    EXPECT_EQ(command.finish().status, 128 + SIGTERM);
    EXPECT_EQ(cores_of(left), here);
    EXPECT_TRUE(m.says_bye());
    kill(left, SIGKILL);
}

TEST_F(BrokerRun, EndsAsTheCommandDoes) {
    EXPECT_EQ(run(shell("exit 0")).status, 0);
    EXPECT_EQ(run(shell("exit 7")).status, 7);
    EXPECT_EQ(run(shell("kill -SEGV $$")).status, 128 + SIGSEGV);
    const said answer = run(shell("echo out; echo err >&2"));
    EXPECT_EQ(answer.out, "out\n");
    EXPECT_EQ(answer.err, "err\n");
}

TEST_F(BrokerRun, PassesSignalsOn) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM}) {
        const scratch_folder own;
        running_command command(shell("trap 'exit 5' INT TERM HUP QUIT USR1 USR2 ALRM; echo > " + own.file("ready") +
                                      "; while :; do sleep 0.01; done"));
        EXPECT_TRUE(eventually([&] { return !parley_tests::read(own.file("ready")).empty(); }));
        command.signal(signal);
        EXPECT_EQ(command.finish().status, 5) << signal;
    }
}

// It is in the same process group: the terminal itself tells it.
TEST_F(BrokerRun, ControlCReachesTheCommandOnce) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const std::string script = "trap 'echo x >> " + folder.file("caught") + "' INT; trap 'exit 0' TERM; echo 1 > " +
                               folder.file("ready") + "; while :; do sleep 0.01; done";
    const pid_t process = fork();
    if (process == 0) {
        setsid();
        const int other_end = open(ptsname(terminal), O_RDWR);
        ioctl(other_end, TIOCSCTTY, 0);
        for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            dup2(other_end, standard);
        }
        execl(PARLEY_COMMAND, "parley", "broker", "run", "--socket", socket.c_str(), "--", "sh", "-c", script.c_str(),
              nullptr);
        _exit(127);
    }
    EXPECT_EQ(number_in("ready"), 1);
    ASSERT_EQ(write(terminal, "\x03", 1), 1);
    EXPECT_TRUE(eventually([&] { return !parley_tests::read(folder.file("caught")).empty(); }));
    kill(process, SIGTERM);
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(parley_tests::read(folder.file("caught")), "x\n");
    close(terminal);
}

TEST_F(BrokerRun, WithoutABrokerRunsTheCommandAllTheSame) {
    const said quiet = run({"broker", "run", "--socket", socket, "--", "echo", "done"});
    EXPECT_EQ(quiet.out, "done\n");
    EXPECT_EQ(quiet.err, "");
    const said verbose = run({"broker", "run", "--verbose", "--socket", socket, "--", "echo", "done"});
    EXPECT_EQ(verbose.out, "done\n");
    EXPECT_NE(verbose.err.find("no broker at " + socket), std::string::npos) << verbose.err;
    EXPECT_EQ(run({"broker", "run", "--", "sh", "-c", "exit 3"}, {"PARLEY_BROKER=off"}).status, 3);
    EXPECT_EQ(run({"broker", "run", "--verbose", "--", "true"}, {"PARLEY_BROKER=off"}).err,
              "parley broker run: PARLEY_BROKER is off\n");
}

// One that did would count twice.
TEST_F(BrokerRun, ParleyProgramsBelowItDoNotJoin) { EXPECT_EQ(run(shell("echo $PARLEY_BROKER")).out, "off\n"); }

void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& in_message,
                    const std::vector<std::string>& environment = {}) {
    std::vector<std::string> all{"broker", "run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const said answer = run(all, environment);
    EXPECT_EQ(answer.status, 2) << answer.err;
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    for (const std::string& part : in_message) {
        EXPECT_NE(answer.err.find(part), std::string::npos) << answer.err;
    }
}

TEST(BrokerRunUsage, MistakesAreNamed) {
    expect_refused({}, {"which command", "-- COMMAND"});
    expect_refused({"--"}, {"which command"});
    expect_refused({"--", ""}, {"which command"});
    expect_refused({"make"}, {"'make'", "-- COMMAND"});
    expect_refused({"--wieght", "2", "--", "true"}, {"'--wieght'", "did you mean '--weight'?"});
    for (const char* bad : {"0", "101", "x", "-1", ""}) {
        expect_refused({"--weight", bad, "--", "true"}, {"--weight", std::string("'") + bad + "'", "1 to 100"});
    }
    expect_refused({"--weight", "--", "true"}, {"--weight"});
    expect_refused({"--name", std::string(32, 'x'), "--", "true"}, {"--name", "1 to 31"});
    expect_refused({"--socket", "x", "--", "true"}, {"--socket", "'x'", "with a /"});
    expect_refused({"--socket", "/" + std::string(108, 'x'), "--", "true"}, {"--socket", "107"});
    expect_refused({"--", "true"}, {"PARLEY_BROKER=on", "off, or a path"}, {"PARLEY_BROKER=on"});
    expect_refused({"--", "true"}, {"PARLEY_BROKER=:", "off, or a path"}, {"PARLEY_BROKER="});
}

TEST(BrokerRunUsage, CommandsThatCannotRunAreNamed) {
    expect_refused({"--", "no-such-command"}, {"'no-such-command'", "No such file"});
    expect_refused({"--", "/"}, {"'/'", "ermission denied"});
    expect_refused({"--", "no-such-command"}, {"'no-such-command'", "No such file"}, {"PARLEY_BROKER=off"});
}

TEST(BrokerRunUsage, HelpIsThere) {
    const said answer = run({"broker", "run", "--help"});
    EXPECT_EQ(answer.status, 0);
    for (const char* part : {"--socket", "--weight", "--name", "--verbose", "-- COMMAND"}) {
        EXPECT_NE(answer.out.find(part), std::string::npos) << part;
    }
}

}  // namespace
