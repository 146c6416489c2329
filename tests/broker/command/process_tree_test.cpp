// Which processes are below this one, and how long they have run, while they come and go.
#include "broker/command/process_tree.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

using parley_cli::descendants;
using parley_cli::run_time_of;

TEST(ProcessTree, HasChildrenAndTheirs) {
    const pid_t child = fork();
    if (child == 0) {
        fork();
        for (;;) {
            pause();
        }
    }
    std::vector<parley_cli::seen_process> seen;
    for (int i = 0; i < 10'000 && seen.size() < 2; ++i) {
        seen = descendants();
        usleep(1000);
    }
    EXPECT_EQ(seen.size(), 2u);
    EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [&](const auto& p) { return p.id == child; }));
    for (const auto& process : seen) {
        kill(process.id, SIGKILL);
    }
    waitpid(child, nullptr, 0);
}

// One may end between any two steps of reading about it.
TEST(ProcessTree, IsReadWhileProcessesEnd) {
    std::atomic<bool> over = false;
    std::thread parent([&] {
        while (!over) {
            const pid_t child = fork();
            if (child == 0) {
                _exit(0);
            }
            waitpid(child, nullptr, 0);
        }
    });
    std::size_t seen = 0;
    for (int i = 0; i < 100'000 && seen < 300; ++i) {
        for (const auto& process : descendants()) {
            static_cast<void>(run_time_of(process.id));
            ++seen;
        }
    }
    EXPECT_GE(seen, 300u);
    over = true;
    parent.join();
}

}  // namespace
