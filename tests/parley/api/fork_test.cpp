// fork(2): what a child can do with the runtimes of its parent, and with its own.
#include "tests/fork_at_rest.hpp"
#include "tests/parley/api/support.hpp"

#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace api_test;

// Runs f in a child, which must end with what f returns and may not take more than 20 s.
template <class F>
void expect_in_child(F f) {
    const pid_t child = parley_tests::fork_at_rest();
    ASSERT_NE(child, -1);
    if (child == 0) {
        alarm(20);
        _exit(f() ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

template <class F>
bool is_refused(F f) {
    try {
        f();
        return false;
    } catch (const parley::usage_error& e) {
        return std::string(e.what()).find("fork()") != std::string::npos;
    }
}

class Fork : public testing::Test {
protected:
    void SetUp() override {
        if (!parley_tests::children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    }
};

TEST_F(Fork, TheParentsRuntimeIsRefusedInTheChild) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_EQ(rt.run([] { return fib(10U); }), 55U);
        expect_in_child(
            [&] { return is_refused([&] { rt.run([] {}); }) && is_refused([&] { parley::scope(rt).spawn([] {}); }); });
        EXPECT_EQ(rt.run([] { return fib(10U); }), 55U);
    });
}

TEST_F(Fork, TheChildHasADefaultRuntimeOfItsOwn) {
    EXPECT_EQ(fib(10U), 55U);
    expect_in_child([] {
        bool right = fib(15U) == 610U;
        parley::scope s;
        std::atomic<int> done{0};
        for (int i = 0; i < 100; ++i) s.spawn([&] { ++done; });
        s.wait();
        return right && done == 100 && parley::async([] { return 7; }).get() == 7;
    });
}

TEST_F(Fork, TheChildMayMakeRuntimes) {
    parley::runtime parents{{.workers = 3}};
    EXPECT_EQ(parents.run([] { return fib(10U); }), 55U);
    expect_in_child([] {
        parley::runtime own{{.workers = 3}};
        return own.run([] { return fib(15U); }) == 610U;
    });
}

TEST_F(Fork, TheParentsRuntimeEndsInTheChildWithoutItsThreads) {
    auto rt = std::make_unique<parley::runtime>(parley::options{.workers = 3});
    EXPECT_EQ(rt->run([] { return fib(10U); }), 55U);
    expect_in_child([&] {
        rt.reset();
        return true;
    });
}

TEST_F(Fork, AlsoFromInsideATask) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            expect_in_child([&] {
                return is_refused([&] { rt.run([] {}); }) && fib(15U) == 610U && is_refused([&] { rt.run([] {}); });
            });
            EXPECT_EQ(fib(10U), 55U);
        });
    });
}

}  // namespace
