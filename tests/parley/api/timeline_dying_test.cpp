// The timeline of a process that dies, has children, or writes while it is read.
#include "tests/fork_at_rest.hpp"
#include "tests/parley/api/timeline.hpp"

#include <parley/detail/trace/recorder.hpp>
#include <parley/detail/trace/timeline_file.hpp>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace api_test;
using namespace timeline_test;
using parley::runtime;

// Of a process that dies while a task runs on worker 1.
class TimelineOfTheDying : public TimelineOfItsOwn {
protected:
    static void die_in_a_task(void (*how)()) {
        runtime rt(traced(2));
        rt.run([how] { (void)forked_elsewhere([] { return 1; }, [how] { return how(), 2; }); });
    }
    static void expect_an_open_task() {
        const auto lines = lines_of(where());
        EXPECT_EQ(count(lines, "B", "task"), 1U);
        EXPECT_GE(count(lines, "s", "steal"), 1U);
        EXPECT_EQ(count(lines, "B", "run"), 1U);
    }
};

TEST_F(TimelineOfTheDying, IsWrittenOnAbort) {
    EXPECT_EXIT(die_in_a_task([] { std::abort(); }), testing::KilledBySignal(SIGABRT), "");
    expect_an_open_task();
}

[[gnu::noinline]] void throw_boom() { throw boom{}; }

TEST_F(TimelineOfTheDying, IsWrittenOnAnExceptionThatNobodyCatches) {
    EXPECT_EXIT(die_in_a_task([]() noexcept { throw_boom(); }), testing::KilledBySignal(SIGABRT), "");
    expect_an_open_task();
}

TEST_F(TimelineOfTheDying, IsWrittenOnAFaultThatSomebodyElseSends) {
    if (is_sanitized) GTEST_SKIP() << "the sanitizers take that signal";
    EXPECT_EXIT(die_in_a_task([] {
                    (void)::kill(::getpid(), SIGSEGV);
                    ::pause();
                }),
                testing::KilledBySignal(SIGSEGV), "");
    expect_an_open_task();
}

[[gnu::noinline]] int run_out_of_stack(int depth) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : run_out_of_stack(depth + 1) + frame[0];
}

TEST_F(TimelineOfTheDying, IsWrittenWhenAStackRunsOut) {
    if (is_sanitized) GTEST_SKIP() << "the sanitizers take that signal";
    EXPECT_EXIT(die_in_a_task([] { (void)run_out_of_stack(0); }), testing::KilledBySignal(SIGSEGV), "");
    expect_an_open_task();
}

TEST_F(TimelineOfTheDying, IsWrittenOnASignalThatEndsTheProcessAndThatItDoesNotHandle) {
    static int number = 0;
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
        number = signal;
        EXPECT_EXIT(
            {
                (void)std::signal(number, SIG_DFL);  // it may be ignored, as under nohup
                die_in_a_task([] {
                    (void)::kill(::getpid(), number);
                    ::pause();
                });
            },
            testing::KilledBySignal(signal), "");
        expect_an_open_task();
    }
}

TEST_F(TimelineOfTheDying, SignalsThatTheProgramHandlesOrIgnoresAreItsOwn) {
    EXPECT_EXIT(
        {
            static volatile std::sig_atomic_t heard = 0;
            const auto hear = [](int signal) { heard = heard + signal; };
            (void)std::signal(SIGHUP, SIG_IGN);
            (void)std::signal(SIGINT, hear);  // before there is a timeline
            const runtime rt(traced(1));
            (void)std::signal(SIGTERM, hear);  // afterwards
            for (const int signal : {SIGHUP, SIGINT, SIGTERM}) (void)std::raise(signal);
            std::_Exit(heard == SIGINT + SIGTERM ? 4 : 5);
        },
        testing::ExitedWithCode(4), "");
}

TEST_F(TimelineOfTheDying, IsWrittenByExitWhoseRuntimeIsNeverDestroyed) {
    EXPECT_EXIT(
        {
            auto* const rt = new runtime(traced(2));
            rt->run([] { (void)forked_elsewhere([] { return 1; }, [] { return 2; }); });
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_EQ(count(lines_of(where()), "B", "run"), 1U);
    EXPECT_GE(count(lines_of(where()), "s", "steal"), 1U);
}

// A child of fork() does not write in its parent's file.
TEST_F(TimelineOfTheDying, OfAChildOfForkIsAFileBesideItsParents) {
    EXPECT_EXIT(
        {
            {
                runtime rt(traced(2));
                rt.run([] { fib(5); });
                const pid_t child = parley_tests::fork_at_rest();
                if (child == 0) {
                    {
                        runtime(traced(1)).run([] { fib(3); });
                    }
                    rt.~runtime();  // the parent's, which is not this process' to write
                    std::exit(0);
                }
                int status = 0;
                (void)::waitpid(child, &status, 0);
                if (status != 0) std::_Exit(1);
                const std::string beside = where() + "." + std::to_string(child);
                const auto lines = lines_of(beside);
                std::filesystem::remove(beside);
                if (count(lines, "B", "run") != 2) std::_Exit(2);
                if (std::filesystem::file_size(where()) != 0) std::_Exit(3);
            }
            std::exit(count(lines_of(where()), "B", "run") == 2 ? 0 : 4);
        },
        testing::ExitedWithCode(0), "");
}

// Ranks, or whoever has inherited PARLEY_TRACE.
TEST_F(TimelineOfTheDying, OfAnotherProcessAtTheSameTimeIsAFileBeside) {
    EXPECT_EXIT(
        {
            const int other = ::open(where().c_str(), O_WRONLY | O_CREAT, 0600);
            if (::flock(other, LOCK_EX) != 0) std::_Exit(1);
            {
                runtime(traced(1)).run([] { fib(3); });
            }
            const std::string beside = where() + "." + std::to_string(::getpid());
            const std::size_t runs = count(lines_of(beside), "B", "run");
            std::filesystem::remove(beside);
            std::_Exit(std::filesystem::file_size(where()) == 0 && runs == 2 ? 0 : 2);
        },
        testing::ExitedWithCode(0), "");
}

// 0: no slice was inside another.
int write_what_changes_meanwhile(const std::string& to) {
    using parley::trace::happening;
    parley::trace::recorder r(1000);
    std::atomic<bool> over{false};
    std::thread writer([&] {
        while (!over) {
            r.note(happening::task_begins);
            r.note(happening::task_ends);
        }
    });
    while (r.events_noted() < 2000) std::this_thread::yield();
    auto out = std::make_unique<parley::trace::timeline_file>();
    out->open(to);
    out->begin_recording(1);
    const parley::trace::tick_scale::moment begin;
    int overtaken = 0;
    for (std::uint32_t worker = 0; worker < 4'000 && overtaken < 30; ++worker) {
        const std::uint64_t before = r.events_noted();
        const std::uint64_t lost = out->write(1, worker, r, begin.ticks, parley::trace::tick_scale(begin, {}));
        overtaken += lost > before - 1000 + 500 ? 1 : 0;  // more than what was older than the first that was read
    }
    out->end_recording();
    over = true;
    writer.join();
    std::map<std::string, int> open;
    std::size_t slices = 0;
    for (const line& l : lines_of(to)) {
        if (l.is("B") && (++slices, ++open[l.value("tid")] > 1)) return 1;
        if (l.is("E")) --open[l.value("tid")];
    }
    return slices > 0 && overtaken > 0 ? 0 : 2;
}

// A worker that goes on writing while its events are read: what is missing in between does not nest.
TEST_F(TimelineOfTheDying, HasNoSliceInsideAnotherWhereEventsAreMissing) {
    EXPECT_EXIT(std::_Exit(write_what_changes_meanwhile(where())), testing::ExitedWithCode(0), "");
}

}  // namespace
