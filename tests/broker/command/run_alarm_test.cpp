// parley broker run and the signals that the kernel itself sends.
#include <gtest/gtest.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "tests/broker/recorder.hpp"
#include "tests/running_command.hpp"

namespace {

using broker_tests::eventually;
using parley_tests::scratch_folder;

// Signals that wait for a process that blocks them: a set in hexadecimal, as the system shows it.
std::uint64_t waiting_for(pid_t process) {
    std::istringstream lines(parley_tests::read("/proc/" + std::to_string(process) + "/status"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("ShdPnd:")) {
            return std::stoull(line.substr(7), nullptr, 16);
        }
    }
    return 0;
}

// The timer goes on where one program becomes another, and ends here, not in the command.
TEST(BrokerRunAlarm, OfATimerReachesTheCommand) {
    const scratch_folder folder;
    const std::string file = folder.file("command"), socket = folder.file("s");
    const std::string script = "echo $$ > " + file + "; exec sleep 1000";
    const pid_t leader = fork();
    if (leader == 0) {
        // The command inherits that, too: so the alarm waits there to be seen, however late the command begins.
        sigset_t alarm;
        sigemptyset(&alarm);
        sigaddset(&alarm, SIGALRM);
        sigprocmask(SIG_BLOCK, &alarm, nullptr);
        const itimerval soon{{0, 0}, {0, 50'000}};
        setitimer(ITIMER_REAL, &soon, nullptr);
        execl(PARLEY_COMMAND, "parley", "broker", "run", "--socket", socket.c_str(), "--", "sh", "-c", script.c_str(),
              nullptr);
        _exit(127);
    }
    std::string number;
    ASSERT_TRUE(eventually([&] { return (number = parley_tests::read(file)).ends_with('\n'); }));
    const pid_t command = std::stoi(number);
    EXPECT_TRUE(eventually([&] { return (waiting_for(command) >> (SIGALRM - 1) & 1) != 0; }));
    kill(command, SIGKILL);
    int status = 0;
    waitpid(leader, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 128 + SIGKILL);
}

}  // namespace
