// options::trace: a timeline of what the workers do, in a file.
#include "tests/parley/api/timeline.hpp"

#include <parley/detail/trace/recording.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <sys/stat.h>

namespace {

using namespace api_test;
using namespace timeline_test;
using parley::runtime;

// Tasks that move, waits that are suspended, loops that are split, workers that sleep.
void a_bit_of_everything() {
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(forked_elsewhere([] { return 1; }, [] { return 2; }), (std::tuple<int, int>(1, 2)));
        auto f = parley::async([] { return fib(12); });
        parley::for_each_index(0, 10'000, [](int) { parley::poll(); });
        EXPECT_EQ(f.get(), 144U);
    }
}

TEST_F(Timeline, ShowsEachStealAsAnArrowFromVictimToThief) {
    for (const unsigned n : several) {
        std::uint64_t steals = 0;
        {
            runtime rt(traced(n));
            rt.run(a_bit_of_everything);
            rt.run([] { parley::barrier(); });
            for (const auto& c : rt.counters()) steals += c.steals;
        }
        const auto lines = lines_of(file());
        EXPECT_GE(count(lines, "s", "steal"), 5U);
        EXPECT_EQ(count(lines, "s", "steal"), count(lines, "B", "gives tasks"));
        EXPECT_EQ(count(lines, "f", "steal"), count(lines, "B", "gets tasks"));
        EXPECT_EQ(count(lines, "s", "steal"), steals);
        EXPECT_EQ(count(lines, "f", "steal"), steals);
        // Request by request the arrows alternate between their ends, whoever wrote first: as many of each.
        std::map<std::string, int> open;
        for (const line& l : lines) {
            if (l.is("s")) ++open[l.value("id")];
            if (l.is("f")) --open[l.value("id")];
        }
        for (const auto& [id, n_open] : open) EXPECT_EQ(n_open, 0) << id;
    }
}

TEST_F(Timeline, ShowsTasksSearchesAndSleeps) {
    { runtime(traced(2)).run(a_bit_of_everything); }
    const auto lines = lines_of(file());
    EXPECT_EQ(count(lines, "B", "run"), 1U + 1U);  // run(), and the end of the runtime
    EXPECT_GE(count(lines, "B", "task"), 5U);
    EXPECT_GE(count(lines, "B", "looks for tasks"), 1U);
    EXPECT_GE(count(lines, "B", "asleep"), 1U);
    EXPECT_GE(count(lines, "M", "worker 1"), 1U);
}

// On each stack of each worker; the last thing that a worker does is to fall asleep.
TEST_F(Timeline, WhatBeginsOnAStackEndsThereAndInOrder) {
    for (const unsigned n : worker_counts) {
        {
            runtime rt(traced(n));
            for (int i = 0; i < 3; ++i) {
                rt.run([] {
                    std::vector<parley::future<unsigned long>> all;
                    for (int k = 0; k < 30; ++k)
                        all.push_back(parley::async([] {
                            auto inner = parley::async([] { return fib(8); });
                            std::this_thread::yield();
                            return inner.get();
                        }));
                    for (auto& f : all) EXPECT_EQ(f.get(), 21U);
                });
            }
        }
        struct state {
            int open = 0;
            double last = 0;
            std::string opened;
        };
        std::map<std::string, state> stacks;
        for (const line& l : lines_of(file())) {
            if (!l.is("B") && !l.is("E")) continue;
            state& s = stacks[l.value("tid")];
            s.open += l.is("B") ? 1 : -1;
            if (l.is("B")) s.opened = l.value("name");
            EXPECT_GE(s.open, 0);
            const double now = std::stod(l.value("ts"));
            EXPECT_GE(now, s.last);
            s.last = now;
        }
        EXPECT_GE(stacks.size(), 1U);
        for (const auto& [stack, s] : stacks) EXPECT_TRUE(s.open == 0 || (s.open == 1 && s.opened == "asleep")) << stack;
    }
}

TEST_F(Timeline, ShowsEachSplitOfALoop) {
    std::uint64_t splits = 0;
    {
        runtime rt(traced(3));
        rt.run([] {
            std::array<std::atomic<bool>, 3> seen{};
            parley::for_each_index(0, 3'000, [&](int) {
                seen[parley::worker_index().value()] = true;
                poll_until([&] { return seen[0] && seen[1] && seen[2]; });
            });
        });
        for (const auto& c : rt.counters()) splits += c.splits;
    }
    const auto lines = lines_of(file());
    EXPECT_GE(splits, 2U);
    EXPECT_EQ(count(lines, "i", "split"), splits);
}

void keep_the_latest() {
    {
        runtime rt(traced(1, 64));
        rt.run([] {
            parley::scope s;
            for (int i = 0; i < 1000; ++i) s.spawn([] {});
            s.wait();
        });
        rt.run([] {});
    }
    const auto lines = lines_of(file());
    EXPECT_LE(lines.size(), 64U + 10U);
    EXPECT_GE(count(lines, "B"), 20U);
    std::string said;
    for (const line& l : lines)
        if (l.text.find("events are not kept") != std::string::npos) said = l.text;
    EXPECT_NE(said.find("19"), std::string::npos) << said;  // of 2,000 and some
    EXPECT_EQ(count(lines, "B", "run"), 2U);                // the end is there
}

TEST_F(TimelineOfItsOwn, KeepsTheLatestEventsOfEachWorker) {
    EXPECT_EXIT((keep_the_latest(), exit_with_what_was_found()), testing::ExitedWithCode(0), "");
}

TEST_F(Timeline, HoldsAllRuntimesOfTheProcessAndIsWholeAfterEach) {
    const auto is_whole = [] {
        std::ifstream in(file());
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        return text.starts_with("[\n") && text.ends_with("}\n]\n") && text.find("]\n,") == std::string::npos;
    };
    { runtime(traced(2)).run(a_bit_of_everything); }
    EXPECT_TRUE(is_whole());
    const std::string first = lines_of(file()).front().value("pid");
    {
        runtime(traced(1)).run([] {});
    }
    EXPECT_TRUE(is_whole());
    EXPECT_NE(lines_of(file()).front().value("pid"), first);
}

// A program that starts a runtime again and again does not fill the disk.
void write_up_to_the_bound() {
    const auto some = [&](int runtimes) {
        for (int i = 0; i < runtimes; ++i) runtime(traced(1, 20)).run([] { EXPECT_EQ(fib(10), 55U); });
        return std::filesystem::file_size(file());
    };
    testing::internal::CaptureStderr();
    const auto most = some(1000);  // as few as 500 bytes each
    EXPECT_EQ(some(100), most);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find("as large as 64 such runtimes"), std::string::npos) << said;
    EXPECT_GT(lines_of(file()).size(), 5U) << "and it is whole";
}

TEST_F(TimelineOfItsOwn, HasABoundForAllRuntimesOfTheProcess) {
    EXPECT_EXIT((write_up_to_the_bound(), exit_with_what_was_found()), testing::ExitedWithCode(0), "");
}

// A job is nobody's gift.
TEST_F(Timeline, ShowsWhatComesFromOutsideWithoutAnArrow) {
    {
        runtime rt(traced(2));
        rt.run([&rt] {
            // It goes to worker 1 as a job: this one is busy.
            std::atomic<bool> done{false};
            parley::scope tasks(rt);
            std::thread([&] { tasks.spawn([&] { done = true; }); }).join();
            poll_until([&] { return done.load(); });
            tasks.wait();
        });
    }
    const auto lines = lines_of(file());
    EXPECT_EQ(count(lines, "s"), count(lines, "f"));
    EXPECT_GE(count(lines, "B", "task"), 1U);
}

TEST_F(Timeline, OfAProcessThatHasOneAnotherFileIsRefused) {
    const runtime rt(traced(1));
    parley::options other = traced(1);
    other.trace = file().string() + ".other";
    EXPECT_THROW(runtime{other}, parley::usage_error);
    EXPECT_FALSE(std::filesystem::exists(other.trace));
    other.trace.resize(other.trace.size() - 11);  // without ".json.other"
    EXPECT_THROW(runtime{other}, parley::usage_error);
}

TEST_F(Timeline, WithoutEventsOrWithTooManyIsRefused) {
    for (const std::size_t events : {std::size_t{0}, parley::most_trace_events + 1})
        EXPECT_THROW(runtime{traced(1, events)}, parley::usage_error);
}

TEST_F(Timeline, InAPipeIsRefusedAtOnce) {
    const std::string pipe = file().string() + ".pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(parley::trace::why_not_written(pipe), "it is a pipe");
    parley::options o = traced(1);
    ::setenv("PARLEY_TRACE", pipe.c_str(), 1);
    EXPECT_THROW((void)parley::options::from_environment(), parley::environment_error);
    ::unsetenv("PARLEY_TRACE");
    std::filesystem::remove(pipe);
}

TEST_F(Timeline, InAFolderThatIsNotThereIsRefused) {
    ::setenv("TIMELINE_OF_TEST", "/nowhere/timeline.json", 1);
    EXPECT_EXIT(
        {
            try {
                const runtime rt(traced(1));
            } catch (const std::system_error& e) {
                std::fputs(e.what(), stderr);
                std::_Exit(3);
            }
        },
        testing::ExitedWithCode(3), "parley: timeline /nowhere/timeline.json: No such file");
    ::unsetenv("TIMELINE_OF_TEST");
}

TEST_F(Timeline, OnAFullDiskEndsEarlyAndSaysSo) {
    ::setenv("TIMELINE_OF_TEST", "/dev/full", 1);
    EXPECT_EXIT(
        {
            {
                runtime(traced(2)).run([] { fib(5); });
            }
            std::_Exit(parley::trace::timeline_error() == ENOSPC ? 4 : 5);
        },
        testing::ExitedWithCode(4), "parley: timeline /dev/full: No space left on device; it ends early\n$");
    ::unsetenv("TIMELINE_OF_TEST");
}

}  // namespace
