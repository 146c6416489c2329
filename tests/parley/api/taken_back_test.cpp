// A thief that stands still is given a piece of work, and the one who waits for it takes it back. Nobody else could run it:
// each of these tests ends only for that.
#include "tests/parley/api/support.hpp"

#include <parley/detail/runtime/exchange.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>

namespace {

using namespace api_test;

// Stops another thread by a signal whose handler waits. The thread goes on when this object ends.
class standing_still {
public:
    explicit standing_still(pthread_t whom) {
        has_stopped = may_go_on = goes_on = false;
        struct sigaction stop{};
        stop.sa_handler = [](int) {
            const int kept = errno;
            has_stopped = true;
            const timespec pause{0, 100'000};
            while (!may_go_on) nanosleep(&pause, nullptr);
            goes_on = true;
            errno = kept;
        };
        sigaction(SIGUSR1, &stop, &before_);
        pthread_kill(whom, SIGUSR1);
        while (!has_stopped) std::this_thread::yield();
    }
    ~standing_still() {
        may_go_on = true;
        while (!goes_on) std::this_thread::yield();
        sigaction(SIGUSR1, &before_, nullptr);
    }
    // Workers block signals. Returns the calling thread, which lets this one through.
    static pthread_t may_stop_this() {
        sigset_t that_one;
        sigemptyset(&that_one);
        sigaddset(&that_one, SIGUSR1);
        pthread_sigmask(SIG_UNBLOCK, &that_one, nullptr);
        return pthread_self();
    }
    standing_still(const standing_still&) = delete;
    standing_still& operator=(const standing_still&) = delete;

private:
    inline static std::atomic<bool> has_stopped, may_go_on, goes_on;
    struct sigaction before_{};
};

// ThreadSanitizer delivers signals in calls of the C library only, and a sleeper calls the kernel itself.
class TakenBack : public testing::Test {
protected:
    void SetUp() override {
        if (parley_tests::has_thread_sanitizer) GTEST_SKIP() << "a sleeper is not stopped there";
    }

    // Calls body() as a root task while the other worker stands still, with its request in the lobby. Then that worker
    // must come for tasks again. Without a watchdog nothing is kept back from a thief that does not run.
    template <class Body>
    static void with_a_thief_that_stands_still(Body body) {
        parley::runtime rt{
            {.workers = 2, .watchdog = parley::watchdogs::off, .complain_after = parley_tests::complain_after}};
        rt.run([&] {
            const auto other = std::get<1>(forked_elsewhere([] { return 0; }, &standing_still::may_stop_this));
            while (!the_other_rests()) std::this_thread::yield();
            {
                const standing_still meanwhile(other);
                body();
            }
            EXPECT_EQ(std::get<1>(forked_elsewhere([] { return 0; }, [] { return 7; })), 7);
        });
    }
    // By a task: until the other worker has all that is queued.
    static void give_all() {
        poll_until([] { return parley::threading::current->queued() == 0; });
    }

private:
    static bool the_other_rests() {
        parley::threading::worker& self = *parley::threading::current;
        const auto state = self.home().at(1).request_part(0).state.get();
        return self.is_wanted_for(parley::protocol::bits::lobby) && !self.home().exchange().lobby.empty() &&
               state == parley::protocol::request_state::resting;
    }
};

TEST_F(TakenBack, TheSecondCallOfAFork) {
    with_a_thief_that_stands_still([] {
        const auto [a, b] = parley::fork_join([] { return give_all(), 1; }, [] { return 2; });
        EXPECT_EQ(a + b, 3);
    });
}

TEST_F(TakenBack, ATaskOfAScope) {
    with_a_thief_that_stands_still([] {
        int ran = 0;
        parley::scope s;
        s.spawn([&ran] { ++ran; });
        give_all();
        s.wait();
        EXPECT_EQ(ran, 1);
    });
}

// The exception comes out where the result is fetched.
TEST_F(TakenBack, ACallThatThrows) {
    with_a_thief_that_stands_still([] {
        auto x = parley::async([]() -> int { throw boom(3); });
        give_all();
        EXPECT_THROW((void)x.get(), boom);
    });
}

TEST_F(TakenBack, TheRestOfALoop) {
    with_a_thief_that_stands_still([] {
        std::array<int, 100> ran{};
        const auto splits = [] { return parley::threading::current->counted().splits; };
        const auto before = splits();
        parley::for_each_index(0, 100, [&](int i) {
            if (i == 0) poll_until([&] { return splits() > before; });
            ++ran[static_cast<std::size_t>(i)];
        });
        EXPECT_GT(splits(), before);
        for (const int r : ran) EXPECT_EQ(r, 1);
    });
}

// What it makes goes on to others, once somebody runs.
TEST_F(TakenBack, ATaskThatForks) {
    with_a_thief_that_stands_still([] {
        auto x = parley::async([] { return fib(12); });
        give_all();
        EXPECT_EQ(x.get(), fib(12));
    });
}

TEST_F(TakenBack, ATaskThatWasMadeInAnIsolatedRegion) {
    with_a_thief_that_stands_still([] {
        bool is_isolated = false;
        parley::scope s;
        parley::isolated([&] {
            s.spawn([&] { is_isolated = parley::threading::current->is_isolated(); });
            give_all();
        });
        s.wait();
        EXPECT_TRUE(is_isolated);
    });
}

}  // namespace
