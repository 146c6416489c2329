// The environment: each variable, and what is said about a bad value.
#include <parley/options.hpp>

#include <parley/detail/policy/tuning.hpp>
#include <parley/errors.hpp>
#include <parley/runtime.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace {

using parley::binding;
using parley::options;

// Clears Parley's variables, and puts back what was there.
class Environment : public testing::Test {
protected:
    Environment() {
        for (const char* name :
             {"PARLEY_STEAL", "PARLEY_SPLIT", "PARLEY_VICTIM", "PARLEY_WORKERS", "PARLEY_BIND", "PARLEY_WATCHDOG",
              "PARLEY_SERIAL", "PARLEY_PROFILE", "PARLEY_TRACE", "PARLEY_TRACE_EVENTS", "PARLEY_COMPLAIN_AFTER"}) {
            const char* const value = std::getenv(name);
            before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
            unsetenv(name);
        }
    }
    ~Environment() override {
        for (const auto& [name, value] : before_) {
            if (value) setenv(name.c_str(), value->c_str(), 1);
            else unsetenv(name.c_str());
        }
    }

    static options with(const char* name, const char* value) {
        setenv(name, value, 1);
        const options o = options::from_environment();
        unsetenv(name);
        return o;
    }

    // The variable and its value are named, and so is what would be allowed.
    static void expect_refused(const char* name, const std::string& value, const char* allowed) {
        setenv(name, value.c_str(), 1);
        try {
            (void)options::from_environment();
            ADD_FAILURE() << name << "=" << value << " was accepted";
        } catch (const parley::environment_error& e) {
            EXPECT_EQ(e.variable, name);
            EXPECT_EQ(e.what(), std::string(name) + "=" + value + ": " + allowed);
        }
        unsetenv(name);
    }

private:
    std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(Environment, ChangesNothingWhenItIsEmpty) {
    const options defaults;
    const options o = options::from_environment();
    EXPECT_EQ(o.workers, 0u);
    EXPECT_FALSE(o.serial);
    EXPECT_EQ(o.watchdog, defaults.watchdog);
    EXPECT_EQ(o.bind, defaults.bind);
    EXPECT_EQ(o.queue_bound, defaults.queue_bound);
    EXPECT_EQ(o.stack_size, defaults.stack_size);
    EXPECT_EQ(o.seed, defaults.seed);
}

TEST_F(Environment, SaysWhatTheProgramLeavesOpen) {
    setenv("PARLEY_WORKERS", "7", 1);
    setenv("PARLEY_WATCHDOG", "on", 1);
    setenv("PARLEY_PROFILE", "1", 1);
    const options o = options::from_environment({.watchdog = parley::watchdogs::off, .queue_bound = 5000});
    EXPECT_EQ(o.workers, 7u);
    EXPECT_EQ(o.watchdog, parley::watchdogs::off);
    EXPECT_EQ(o.queue_bound, 5000u);
    EXPECT_TRUE(o.profile);
    EXPECT_EQ(options::from_environment({.workers = 3}).workers, 3u);
    unsetenv("PARLEY_WATCHDOG");
    unsetenv("PARLEY_PROFILE");
    setenv("PARLEY_WORKERS", "many", 1);
    EXPECT_THROW((void)options::from_environment({.workers = 3}), parley::environment_error);
    unsetenv("PARLEY_WORKERS");
}

TEST_F(Environment, SetsTheNumberOfWorkers) {
    EXPECT_EQ(with("PARLEY_WORKERS", "1").workers, 1u);
    EXPECT_EQ(with("PARLEY_WORKERS", "17").workers, 17u);
    EXPECT_EQ(with("PARLEY_WORKERS", "4096").workers, parley::max_workers);
}

TEST_F(Environment, SetsTheWatchdog) {
    EXPECT_EQ(options().watchdog, parley::watchdogs::on);
    EXPECT_EQ(with("PARLEY_WATCHDOG", "on").watchdog, parley::watchdogs::on);
    EXPECT_EQ(with("PARLEY_WATCHDOG", "off").watchdog, parley::watchdogs::off);
}

TEST_F(Environment, SetsSerialExecution) {
    EXPECT_TRUE(with("PARLEY_SERIAL", "1").serial);
    EXPECT_FALSE(with("PARLEY_SERIAL", "0").serial);
    EXPECT_FALSE(with("PARLEY_SERIAL", "").serial);
}

TEST_F(Environment, SetsTheBinding) {
    EXPECT_EQ(with("PARLEY_BIND", "none").bind, binding::none);
    EXPECT_EQ(with("PARLEY_BIND", "cores").bind, binding::cores);
    EXPECT_EQ(with("PARLEY_BIND", "threads").bind, binding::threads);
}

TEST_F(Environment, SetsAllTogether) {
    setenv("PARLEY_WORKERS", "3", 1);
    setenv("PARLEY_WATCHDOG", "off", 1);
    setenv("PARLEY_BIND", "cores", 1);
    const options o = options::from_environment();
    EXPECT_EQ(o.workers, 3u);
    EXPECT_EQ(o.watchdog, parley::watchdogs::off);
    EXPECT_EQ(o.bind, binding::cores);
}

// As a shell's `PARLEY_WORKERS= program` means it.
TEST_F(Environment, EmptyValuesAreAsUnset) {
    EXPECT_EQ(with("PARLEY_WORKERS", "").workers, 0u);
    EXPECT_EQ(with("PARLEY_WATCHDOG", "").watchdog, parley::watchdogs::on);
    EXPECT_EQ(with("PARLEY_BIND", "").bind, binding::none);
}

TEST_F(Environment, RefusesWhatIsNoNumberOfWorkers) {
    for (const char* value :
         {"banana", "0", "-1", "+2", "4097", "99999999999999999999", "2.5", "2 ", " 2", "2x", "0x2", "1e3", "4294967297"})
        expect_refused("PARLEY_WORKERS", value, "a number of workers from 1 to 4096");
}

TEST_F(Environment, RefusesWhatIsNoWatchdog) {
    for (const char* value : {"1", "ON", "every-request"}) expect_refused("PARLEY_WATCHDOG", value, "one of on, off");
}

TEST_F(Environment, SaysHowThievesAskInRuntimesWithoutOptions) {
    using namespace parley::threading;
    setenv("PARLEY_STEAL", "half", 1);
    setenv("PARLEY_SPLIT", "guided", 1);
    setenv("PARLEY_VICTIM", "last-thief", 1);
    const tuning t = tuning_from_environment();
    EXPECT_EQ(t.steal, stealing::half);
    EXPECT_EQ(t.split, splitting::guided);
    EXPECT_EQ(t.victim, victims::last_thief);
    setenv("PARLEY_VICTIM", "nobody", 1);
    EXPECT_THROW(parley::runtime(), parley::environment_error);
}

TEST_F(Environment, RefusesVariablesThatThereAreNot) {
    for (const char* name : {"PARLEY_WORKER", "PARLEY_DRY", "PARLEY_"})
        expect_refused(
            name, "half",
            "there is no such variable; there are PARLEY_BIND, PARLEY_BROKER, PARLEY_COMPLAIN_AFTER, PARLEY_PROFILE, "
            "PARLEY_SERIAL, PARLEY_SPLIT, PARLEY_STEAL, PARLEY_TRACE, PARLEY_TRACE_EVENTS, PARLEY_VICTIM, "
            "PARLEY_WATCHDOG, PARLEY_WORKERS");
    EXPECT_NO_THROW((void)with("PARLEY_DRY", ""));
    EXPECT_NO_THROW((void)with("PARLEY_ROOT", "/opt/parley"));  // where CMake's find_package() looks
}

TEST_F(Environment, SaysWhatIsRecorded) {
    EXPECT_FALSE(options().profile);
    EXPECT_EQ(options().trace, "");
    EXPECT_TRUE(with("PARLEY_PROFILE", "1").profile);
    EXPECT_FALSE(with("PARLEY_PROFILE", "0").profile);
    EXPECT_EQ(with("PARLEY_TRACE", "/dev/null").trace, "/dev/null");
    EXPECT_EQ(with("PARLEY_TRACE_EVENTS", "5").trace_events, 5u);
    expect_refused("PARLEY_PROFILE", "all", "0 or 1");
    expect_refused("PARLEY_TRACE", "/nowhere/f.json", "No such file or directory");
    expect_refused("PARLEY_TRACE", "/tmp", "Is a directory");
    for (const char* value : {"0", "100000001", "many"})
        expect_refused("PARLEY_TRACE_EVENTS", value, "a number of events from 1 to 100000000");
}

TEST_F(Environment, SaysAfterWhichTimeWaitsAreNamed) {
    using std::chrono::seconds;
    EXPECT_EQ(options().complain_after, seconds(0));
    EXPECT_EQ(options::from_environment().complain_after, seconds(0));
    EXPECT_EQ(with("PARLEY_COMPLAIN_AFTER", "0").complain_after, seconds(0));
    EXPECT_EQ(with("PARLEY_COMPLAIN_AFTER", "10").complain_after, seconds(10));
    EXPECT_EQ(with("PARLEY_COMPLAIN_AFTER", "86400").complain_after, parley::max_complain_after);
    for (const char* value : {"-1", "86401", "10s", "0.5"})
        expect_refused("PARLEY_COMPLAIN_AFTER", value, "a number of seconds from 0 to 86400");
}

TEST_F(Environment, RefusesWhatIsNeitherSerialNorNot) {
    for (const char* value : {"banana", "2", "-1", "yes", "true", "01", "1 ", " 1"})
        expect_refused("PARLEY_SERIAL", value, "0 or 1");
}

TEST_F(Environment, RefusesUnknownBindings) {
    for (const char* value : {"core", "Cores", "0", "yes"})
        expect_refused("PARLEY_BIND", value, "one of none, cores, threads");
}

TEST_F(Environment, WorkersMayBeReadFromAnotherVariable) {
    constexpr const char* other = "ANOTHER_NUMBER_OF_WORKERS";
    EXPECT_EQ(parley::workers_from_environment(other), 0U);
    setenv(other, "", 1);
    EXPECT_EQ(parley::workers_from_environment(other), 0U);
    setenv(other, "3", 1);
    EXPECT_EQ(parley::workers_from_environment(other), 3U);
    for (const char* const bad : {"0", "-1", "3x", " 3", "4097"}) {
        setenv(other, bad, 1);
        try {
            (void)parley::workers_from_environment(other);
            ADD_FAILURE() << bad << " was accepted";
        } catch (const parley::environment_error& e) {
            EXPECT_EQ(e.variable, other);
        }
    }
    unsetenv(other);
}

TEST(Options, NamesAreThoseOfTheEnvironment) {
    EXPECT_EQ(to_string(parley::watchdogs::on), "on");
    EXPECT_EQ(to_string(parley::watchdogs::off), "off");
    EXPECT_EQ(to_string(binding::none), "none");
    EXPECT_EQ(to_string(binding::cores), "cores");
    EXPECT_EQ(to_string(binding::threads), "threads");
}

}  // namespace
