// options::trace: a timeline of what the workers do, in a file. A process has one such file.
#include "tests/api/support.hpp"

#include <parley/trace/recording.hpp>
#include <parley/trace/timeline_file.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace api_test;
using parley::runtime;

// The same in a child that a death test starts: it tells by a variable.
const std::filesystem::path& file() {
    static const std::filesystem::path here = [] {
        const char* const given = std::getenv("PARLEY_TEST_TIMELINE");
        return given != nullptr ? std::filesystem::path(given)
                                : std::filesystem::temp_directory_path() /
                                      ("parley_timeline_" + std::to_string(::getpid()) + ".json");
    }();
    return here;
}

parley::options traced(unsigned workers, std::size_t events = 100'000) {
    parley::options o;
    o.workers = workers;
    o.trace = file();
    o.trace_events = events;
    return o;
}

struct line {
    std::string text;
    [[nodiscard]] std::string value(const std::string& key) const {
        const auto at = text.find("\"" + key + "\":");
        if (at == std::string::npos) return "";
        const auto begin = at + key.size() + 3;
        return text[begin] == '"' ? text.substr(begin + 1, text.find('"', begin + 1) - begin - 1)
                                  : text.substr(begin, text.find_first_of(",}", begin) - begin);
    }
    [[nodiscard]] bool is(const char* phase, const char* name = "") const {
        return value("ph") == phase && (*name == '\0' || text.find(std::string("\"") + name + "\"") != std::string::npos);
    }
};

// Those of the recording that was written last.
std::vector<line> lines_of(const std::filesystem::path& from) {
    std::vector<line> all;
    std::ifstream in(from);
    for (std::string text; std::getline(in, text);) {
        if (!text.starts_with("{")) continue;
        if (!all.empty() && line{text}.value("pid") != all.front().value("pid")) all.clear();
        all.push_back({text});
    }
    return all;
}

std::size_t count(const std::vector<line>& lines, const char* phase, const char* name = "") {
    std::size_t n = 0;
    for (const line& l : lines)
        if (l.is(phase, name)) ++n;
    return n;
}

class Timeline : public testing::Test {
protected:
    static void SetUpTestSuite() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
    static void TearDownTestSuite() {
        std::error_code ignored;
        if (std::getenv("PARLEY_TEST_TIMELINE") == nullptr) std::filesystem::remove(file(), ignored);
    }
};

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
                    for (int k = 0; k < 30; ++k) all.push_back(parley::async([] {
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
                seen[parley::worker_index()] = true;
                poll_until([&] { return seen[0] && seen[1] && seen[2]; });
            });
        });
        for (const auto& c : rt.counters()) splits += c.splits;
    }
    const auto lines = lines_of(file());
    EXPECT_GE(splits, 2U);
    EXPECT_EQ(count(lines, "i", "split"), splits);
}

TEST_F(Timeline, KeepsTheLatestEventsOfEachWorker) {
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
    EXPECT_EQ(count(lines, "B", "run"), 2U);  // the end is there
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
    { runtime(traced(1)).run([] {}); }
    EXPECT_TRUE(is_whole());
    EXPECT_NE(lines_of(file()).front().value("pid"), first);
}

// A job is nobody's gift.
TEST_F(Timeline, ShowsWhatComesFromOutsideWithoutAnArrow) {
    {
        runtime rt(traced(2));
        rt.run([&rt] {
            // Worker 0 is here, so the thread's task goes to worker 1.
            std::atomic<bool> done{false};
            std::thread outside([&] {
                rt.run([] {});
                done = true;
            });
            poll_until([&] { return done.load(); });
            outside.join();
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
    ::setenv("PARLEY_TEST_TIMELINE", "/nowhere/timeline.json", 1);
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
    ::unsetenv("PARLEY_TEST_TIMELINE");
}

TEST_F(Timeline, OnAFullDiskEndsEarlyAndSaysSo) {
    ::setenv("PARLEY_TEST_TIMELINE", "/dev/full", 1);
    EXPECT_EXIT(
        {
            { runtime(traced(2)).run([] { fib(5); }); }
            std::_Exit(parley::trace::timeline_error() == ENOSPC ? 4 : 5);
        },
        testing::ExitedWithCode(4), "parley: timeline /dev/full: No space left on device; it ends early\n$");
    ::unsetenv("PARLEY_TEST_TIMELINE");
}

// In a process of its own, which dies while a task runs on worker 1.
class TimelineOfTheDying : public Timeline {
protected:
    TimelineOfTheDying() {
        if (std::getenv("PARLEY_TEST_TIMELINE") == nullptr) {
            ::setenv("PARLEY_TEST_TIMELINE", (file().string() + ".dying").c_str(), 1);
            is_parent_ = true;
        }
    }
    ~TimelineOfTheDying() override {
        if (!is_parent_) return;
        std::filesystem::remove(where());
        ::unsetenv("PARLEY_TEST_TIMELINE");
    }
    static std::string where() { return std::getenv("PARLEY_TEST_TIMELINE"); }
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

private:
    bool is_parent_ = false;
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
    if (sanitized) GTEST_SKIP() << "the sanitizers take that signal";
    EXPECT_EXIT(die_in_a_task([] { (void)::kill(::getpid(), SIGSEGV); ::pause(); }), testing::KilledBySignal(SIGSEGV), "");
    expect_an_open_task();
}

[[gnu::noinline]] int run_out_of_stack(int depth) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : run_out_of_stack(depth + 1) + frame[0];
}

TEST_F(TimelineOfTheDying, IsWrittenWhenAStackRunsOut) {
    if (sanitized) GTEST_SKIP() << "the sanitizers take that signal";
    EXPECT_EXIT(die_in_a_task([] { (void)run_out_of_stack(0); }), testing::KilledBySignal(SIGSEGV), "");
    expect_an_open_task();
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
                const pid_t child = ::fork();
                if (child == 0) {
                    { runtime(traced(1)).run([] { fib(3); }); }
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
            { runtime(traced(1)).run([] { fib(3); }); }
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
