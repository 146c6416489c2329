// options::complain_after: what hangs is said, and nothing where nothing hangs.
#include "tests/parley/api/captured_errors.hpp"
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>

namespace {

using namespace api_test;
using namespace std::chrono_literals;

using clock_type = std::chrono::steady_clock;

constexpr auto soon = 50ms;

parley::options complaining(unsigned workers) { return {.workers = workers, .complain_after = soon}; }

// Runs what hangs for ever, in a child process, which ends with 7 when those words have been said.
template <class Program>
void expect_complaint(const std::string& words, Program hangs) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            captured_errors errors;
            std::thread([&] {
                const bool said = errors.wait_for(words);
                errors.stop();
                (void)std::fputs(errors.text().c_str(), stderr);
                std::_Exit(said ? 7 : 8);
            }).detach();
            hangs();
        },
        testing::ExitedWithCode(7), "");
}

// Each waits for the other one.
void wait_in_a_circle() {
    std::atomic<bool> both{false};
    parley::future<void> a, b;
    a = parley::async([&] { poll_until([&] { return both.load(); }), b.wait(); });
    b = parley::async([&] { poll_until([&] { return both.load(); }), a.wait(); });
    both = true;
    a.wait();
}

TEST(Complaints, NameACircleOfFuturesOnOneWorker) {
    expect_complaint("parley: worker 0 of a runtime with 1 waits for a future since 0.1 s (its thread sleeps; 0 more waits",
                     [] { parley::runtime(complaining(1)).run(wait_in_a_circle); });
}

TEST(Complaints, NameACircleOfFuturesOnTwoWorkers) {
    expect_complaint(" of a runtime with 2 waits for a future since ",
                     [] { parley::runtime(complaining(2)).run(wait_in_a_circle); });
}

// The worker of the wait hangs in a task that came from elsewhere, and wants a lock that the wait keeps.
TEST(Complaints, NameALockOverAWaitThatIsNotIsolated) {
    expect_complaint(
        "parley: worker 0 of a runtime with 1 waits for a scope since 0.1 s (suspended; its worker is awake and "
        "has begun no task since ",
        [] {
            std::atomic<bool> locked{false};
            parley::runtime(complaining(1)).run([&] {
                locked = true;
                parley::scope s;
                std::thread([&] { s.spawn([&] { block_until([&] { return !locked; }); }); }).join();
                s.wait();
                locked = false;
            });
        });
}

TEST(Complaints, NameAnIsolatedWaitForWhatNobodyElseRuns) {
    expect_complaint(", isolated; 0 more waits are suspended on it; 1 tasks queued)", [] {
        parley::runtime(complaining(1)).run([] {
            auto outside = parley::async([] {});
            parley::isolated([&] { outside.wait(); });
        });
    });
}

// A wait that lasts until the test has read what was said of it.
class Said : public testing::Test {
protected:
    // Waits in a runtime of two workers for what lasts until `words` have been said.
    template <class WaitFor>
    void expect(const std::string& words, WaitFor wait_for) {
        captured_errors errors;
        parley::runtime rt(complaining(2));
        std::atomic<bool> may_end{false};
        std::thread reader([&] {
            EXPECT_TRUE(errors.wait_for(words)) << words;
            may_end = true;
        });
        const auto lasts = [&] { block_until([&] { return may_end.load(); }); };
        rt.run([&] { wait_for(rt, lasts); });
        reader.join();
    }
};

TEST_F(Said, OfAScope) {
    expect("waits for a scope since", [](auto&, const auto& lasts) {
        parley::scope s;
        std::atomic<bool> begun{false};
        s.spawn([&] { begun = true, lasts(); });
        poll_until([&] { return begun.load(); });
        s.wait();
    });
}

TEST_F(Said, OfAForkedCall) {
    expect("waits for a forked call since", [](auto&, const auto& lasts) { forked_elsewhere([] {}, lasts); });
}

TEST_F(Said, OfALoop) {
    expect("waits for the end of a loop since", [](auto&, const auto& lasts) {
        const auto me = std::this_thread::get_id();
        std::atomic<bool> other{false};
        parley::for_each_index(0, 64, [&](int) {
            if (std::this_thread::get_id() == me) return poll_until([&] { return other.load(); });
            if (!other.exchange(true)) lasts();
        });
    });
}

TEST_F(Said, OfABarrier) {
    expect("waits for all tasks at a barrier since", [](auto&, const auto& lasts) {
        std::atomic<bool> begun{false};
        parley::spawn([&] { begun = true, lasts(); });
        poll_until([&] { return begun.load(); });
        parley::barrier();
    });
}

// The thread sleeps as a worker of the first runtime: both waits are named, each in its runtime.
TEST_F(Said, OfAWaitInASecondRuntime) {
    for (const char* const words : {"waits for what its thread waits for in another runtime since",
                                    "worker 0, a visitor from another runtime, of a runtime with 2 waits for a forked call"})
        expect(words, [](auto&, const auto& lasts) {
            parley::runtime second(complaining(2));
            second.run([&] { forked_elsewhere([] {}, lasts); });
        });
}

TEST(Complaints, AreMadeAgainOnlyWhenTheWaitHasLastedTwiceAsLong) {
    captured_errors errors;
    parley::runtime rt(complaining(2));
    const auto begin = clock_type::now();
    rt.run([] { forked_elsewhere([] {}, [] { std::this_thread::sleep_for(600ms); }); });
    const double lasted = std::chrono::duration<double>(clock_type::now() - begin) / soon;
    EXPECT_GE(errors.count("waits for a forked call"), 2U);
    EXPECT_LE(static_cast<double>(errors.count("waits for a forked call")), 1 + std::log2(lasted));
}

TEST(Complaints, AreNotMadeWhereNothingHangs) {
    captured_errors errors;
    {
        parley::runtime rt{{.workers = 2, .complain_after = 500ms}};
        for (int i = 0; i < 20; ++i) EXPECT_EQ(rt.run([] { return fib(12); }), 144U);
        rt.run([] { forked_elsewhere([] {}, [] {}); });
        std::this_thread::sleep_for(1500ms);  // idle workers wait for nothing
    }
    EXPECT_EQ(errors.text(), "");
}

// The wait lasts, and its worker runs what it waits for: small tasks, one after the other, from a thread outside.
TEST(Complaints, AreNotMadeOfAWaitWhoseWorkerRunsTasks) {
    captured_errors errors;
    {
        parley::runtime rt{{.workers = 2, .complain_after = 400ms}};
        rt.run([] {
            std::atomic<bool> open{false}, over{false};
            parley::scope s;
            s.spawn([&] { open = true, block_until([&] { return over.load(); }); });  // worker 1 does nothing else
            poll_until([&] { return open.load(); });
            std::thread feeder([&] {
                const auto end = clock_type::now() + 1200ms;
                for (std::atomic<int> ran{0}, given{0}; clock_type::now() < end; std::this_thread::sleep_for(1ms)) {
                    s.spawn([&] { ++ran; });
                    for (++given; ran < given;) std::this_thread::yield();
                }
                over = true;
            });
            s.wait();
            feeder.join();
        });
    }
    EXPECT_EQ(errors.text(), "");
}

TEST(Complaints, AreOffByDefault) {
    EXPECT_EQ(parley::options().complain_after, 0ms);
    captured_errors errors;
    parley::runtime rt{{.workers = 2}};
    rt.run([] { forked_elsewhere([] {}, [] { std::this_thread::sleep_for(200ms); }); });
    EXPECT_EQ(errors.text(), "");
}

TEST(Complaints, AreNotMadeAfterATimeThatMakesNoSense) {
    EXPECT_THROW(parley::runtime({.workers = 1, .complain_after = -1ms}), parley::usage_error);
    EXPECT_THROW(parley::runtime({.workers = 1, .complain_after = parley::max_complain_after + 1ms}), parley::usage_error);
}

}  // namespace
