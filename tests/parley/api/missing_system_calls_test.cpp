// Kernels, containers and sandboxes that lack system calls: what needs one is done in another way, or an error says so;
// nothing hangs. A filter (seccomp) forbids the call to a process of its own.
#include "tests/parley/api/support.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace {

using namespace api_test;

struct forbidden_call {
    const char* name;
    std::vector<long> numbers;
    int error = ENOSYS;
};

// From now on the calls fail in this process. False: it cannot be had (under QEMU, or another filter forbids filters).
bool forbid(const forbidden_call& call) {
    std::vector<sock_filter> program;
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    for (const long number : call.numbers) {
        program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
        program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(call.error)));
    }
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog all{static_cast<unsigned short>(program.size()), program.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

int fibonacci(int n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([n] { return fibonacci(n - 1); }, [n] { return fibonacci(n - 2); });
    return a + b;
}

// A little of all that waits: it comes to its end, with the right results.
bool works_with(unsigned workers) {
    parley::runtime rt{{.workers = workers, .complain_after = parley_tests::complain_after}};
    bool right = true;
    for (int round = 0; round < 3; ++round) {
        rt.run([&] {
            right &= fibonacci(15) == 610;
            right &= parley::reduce_index(0, 10'000, 0L, std::plus<>{}, [](int i) { return long{i}; }) == 49'995'000;
            std::atomic<int> ran{0};
            parley::scope s;
            for (int i = 0; i < 20; ++i)
                s.spawn([&] {
                    usleep(200);  // the others fall asleep, and nobody looks up
                    ++ran;
                });
            s.wait();
            right &= ran == 20;
            parley::isolated([&] { parley::for_each_index(0, 100, [&](int) { ++ran; }); });
            right &= ran == 120;
            auto waits = parley::async([] { return parley::async([] { return 1; }).get() + 1; });
            (void)parley::blocking([] { return usleep(100); });  // a signal may end it
            right &= waits.get() == 2;
        });
        rt.resize(1);
        rt.resize(workers);
    }
    std::atomic<int> spawned{0};
    for (int i = 0; i < 10; ++i) parley::spawn([&] { ++spawned; });
    std::thread([&] { parley::spawn([&] { ++spawned; }); }).join();
    parley::run([] { parley::barrier(); });
    return right && spawned == 11;
}

class MissingSystemCallDeathTest : public testing::TestWithParam<forbidden_call> {
protected:
    static void SetUpTestSuite() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

// The exit status says what went wrong: 1 a result, 2 an exception, 3 the call is not missing.
TEST_P(MissingSystemCallDeathTest, IsDoneWithout) {
    EXPECT_EXIT(
        {
            parley_tests::end_after(60);
            if (!forbid(GetParam())) std::_Exit(0);
            if (syscall(GetParam().numbers.front(), 0, 0, 0, 0, 0, 0) != -1 || errno != GetParam().error) std::_Exit(3);
            try {
                for (const unsigned n : {1U, 2U, 4U})
                    if (!works_with(n)) std::_Exit(1);
            } catch (const std::exception& e) {
                std::fprintf(stderr, "%s\n", e.what());
                std::_Exit(2);
            }
            std::_Exit(0);
        },
        testing::ExitedWithCode(0), "");
}

std::vector<forbidden_call> each_that_can_be_missing() {
    std::vector<forbidden_call> all{
        {"rt_tgsigqueueinfo", {SYS_rt_tgsigqueueinfo}},
        {"membarrier", {SYS_membarrier}},
        {"sched_getaffinity", {SYS_sched_getaffinity}},
        {"sched_setaffinity", {SYS_sched_setaffinity}, EPERM},
        {"getcpu", {SYS_getcpu}},
        {"sched_yield", {SYS_sched_yield}},
        {"prctl", {SYS_prctl}, EPERM},
        {"sysinfo", {SYS_sysinfo}},
    };
    // Sanitizers need these themselves.
    if (!is_sanitized) {
        all.push_back({"madvise", {SYS_madvise}});
        all.push_back({"clone3", {SYS_clone3}});
        all.push_back({"openat", {SYS_openat, SYS_openat2}, EACCES});  // no /proc, no /sys
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(Each, MissingSystemCallDeathTest, testing::ValuesIn(each_that_can_be_missing()),
                         [](const auto& call) { return std::string(call.param.name); });

TEST(MissingThreadsDeathTest, AreAnErrorOrAreDoneWithout) {
    if (is_sanitized) GTEST_SKIP() << "a sanitizer ends a program that cannot make a thread";
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    std::vector<long> calls{SYS_clone3};
#ifdef SYS_clone
    calls.push_back(SYS_clone);
#endif
    EXPECT_EXIT(
        {
            parley_tests::end_after(60);
            if (!forbid({"clone", calls, EAGAIN})) std::_Exit(0);
            try {
                parley::runtime rt{{.workers = 4}};
                std::_Exit(rt.run([] { return fibonacci(15); }) == 610 ? 0 : 1);
            } catch (const std::system_error& e) {
                std::_Exit(e.code() == std::errc::resource_unavailable_try_again ? 0 : 2);
            }
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
