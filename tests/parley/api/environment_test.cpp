// Which variable of the environment holds for which runtime: docs/guide/environment.md.
#include "tests/parley/api/captured_errors.hpp"
#include "tests/parley/api/support.hpp"
#include "tests/parley/api/timeline.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace api_test;
using namespace timeline_test;

class variable {
public:
    variable(const char* name, const std::string& value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    ~variable() {
        if (before_) ::setenv(name_, before_->c_str(), 1);
        else ::unsetenv(name_);
    }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;

private:
    const char* const name_;
    std::optional<std::string> before_;
};

TEST(Environment, HoldsForARuntimeWithoutOptions) {
    const variable workers("PARLEY_WORKERS", "3"), serial("PARLEY_SERIAL", "0");
    EXPECT_EQ(parley::runtime().workers(), 3U);
    const parley::runtime rt;
    EXPECT_EQ(rt.workers(), 3U);
}

TEST(Environment, DoesNotChangeWhatOptionsSay) {
    const variable workers("PARLEY_WORKERS", "3"), serial("PARLEY_SERIAL", "1"), wrong("PARLEY_WATCHDOG", "nobody");
    EXPECT_EQ(parley::runtime({.workers = 2}).workers(), 2U);
    EXPECT_EQ(parley::runtime(parley::options{}).workers(), parley::default_workers());
    EXPECT_THROW(parley::runtime(), parley::environment_error);
}

TEST(Environment, WithAProfileEachRuntimeShowsItsTimesAtItsEnd) {
    const variable profile("PARLEY_PROFILE", "1");
    const captured_errors errors;
    {
        parley::runtime rt{{.workers = 2}};
        rt.run([] { fib(10); });
        EXPECT_EQ(rt.times().size(), 2U);
        EXPECT_EQ(errors.text(), "");
    }
    EXPECT_EQ(errors.count("parley: what the time of a runtime with 2 workers went to"), 1U);
    EXPECT_EQ(errors.count("\n"), 4U) << errors.text();
}

TEST(Environment, OptionsThatAskForTimesShowThemNowhere) {
    const captured_errors errors;
    {
        parley::runtime({.workers = 1, .profile = true}).run([] {});
    }
    EXPECT_EQ(errors.text(), "");
}

TEST(Environment, WithATimelineEachRuntimeIsInIt) {
    const variable trace("PARLEY_TRACE", file().string());
    parley::runtime({.workers = 2}).run([] { fib(10); });
    EXPECT_EQ(count(lines_of(file()), "B", "run"), 2U);
}

TEST(Environment, OfATimelineThatCannotBeWrittenIsAnErrorOfEachRuntime) {
    const variable trace("PARLEY_TRACE", "/nowhere/x.json");
    EXPECT_THROW(parley::runtime({.workers = 1}), parley::environment_error);
}

// Options say it, and a process has one.
TEST(Environment, AnotherTimelineThanThatOfTheProcessIsLeftOut) {
    const parley::runtime first(traced(1));
    const std::string other = file().string() + ".other";
    const variable trace("PARLEY_TRACE", other);
    EXPECT_EQ(parley::runtime({.workers = 1}).run([] { return 1; }), 1);
    EXPECT_FALSE(std::filesystem::exists(other));
}

TEST(Environment, ThatWantsComplaintsHasThemOfEachRuntime) {
    const variable complain("PARLEY_COMPLAIN_AFTER", "1");
    const captured_errors errors;
    std::atomic<bool> heard{false};
    parley::runtime rt{{.workers = 2}};
    std::thread reader([&] {
        EXPECT_TRUE(errors.wait_for("parley: worker 0 of a runtime with 2 waits for a forked call since"));
        heard = true;
    });
    rt.run([&] { (void)forked_elsewhere([] {}, [&] { block_until([&] { return heard.load(); }); }); });
    reader.join();
}

}  // namespace
