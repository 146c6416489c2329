// A test that takes too long shows what all runtimes of its process do, and where the requests are, before it is ended.
//
// The alarm's handler does what a handler may not do, and may hang itself: then the next alarm ends the process.
#include "tests/hang_detector.hpp"

#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

constexpr unsigned seconds_for_a_test = PARLEY_TEST_TIMEOUT_S - PARLEY_TEST_TIMEOUT_S / 10;

void show_and_end(int /*signal*/) {
    alarm(5);  // which nobody handles, and nothing blocks: see below
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    std::fprintf(stderr, "\n%s.%s does not end:\n", test == nullptr ? "?" : test->test_suite_name(),
                 test == nullptr ? "?" : test->name());
    parley::dump_state(stderr);
    std::fflush(stderr);
    std::abort();
}

class hang_detector : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo&) override { parley_tests::end_after(seconds_for_a_test); }
    void OnTestEnd(const testing::TestInfo&) override { parley_tests::end_after(0); }
};

// Before any runtime is made that asks the environment. Long against every wait of a test, and short against a test's
// time, so that one that hangs says who waits for what before it is ended.
const bool complains = [] {
    (void)setenv("PARLEY_COMPLAIN_AFTER", std::to_string(parley_tests::complain_after.count()).c_str(), 0);
    return true;
}();

const bool installed = [] {
    testing::UnitTest::GetInstance()->listeners().Append(new hang_detector);
    return true;
}();

}  // namespace

void parley_tests::end_after(unsigned seconds) {
    struct sigaction once{};
    once.sa_handler = &show_and_end;
    once.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    (void)sigaction(SIGALRM, &once, nullptr);
    alarm(seconds);
}
