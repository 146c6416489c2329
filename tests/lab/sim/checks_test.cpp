// The checks are checked: whatever is wrong with a medium or a protocol, the seeds find it, and it
// is called by its name.
#include "tests/lab/sim/broken.hpp"

#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sim_tests;
namespace trees = parley::sim::trees;
using names = std::set<std::string>;

// How many schedules it takes until something is found, or none.
struct found {
    std::uint64_t schedules = 0;
    std::string invariant;
    std::string what;
};

template <class Machine, class Medium>
found look_for_a_failure(std::uint64_t schedules_per_program, std::optional<aim> aimed = {}) {
    const std::vector<sim::program> programs = {trees::binary(),      trees::barrier_twice(),     trees::jobs_alone(),
                                                trees::left_behind(), trees::producer_consumer(), trees::jobs_in_barrier()};
    found f;
    for (std::uint64_t seed = 1; seed <= schedules_per_program; ++seed) {
        for (const sim::program& p : programs) {
            for (const std::uint32_t workers : {2u, 3u, 4u}) {
                ++f.schedules;
                const result r = run<Machine, Medium>(p, workers, seed, 0, aimed);
                if (r.invariant.empty()) continue;
                f.invariant = r.invariant;
                f.what = r.what;
                return f;
            }
        }
    }
    return f;
}

template <class Machine, class Medium>
void expect_found(const names& expected, std::optional<aim> aimed = {}) {
    const found f = look_for_a_failure<Machine, Medium>(200, aimed);
    EXPECT_TRUE(expected.contains(f.invariant)) << (f.invariant.empty() ? "nothing found" : f.what) << " in " << f.schedules;
    testing::Test::RecordProperty("schedules", std::to_string(f.schedules));
}
template <class Medium>
void expect_medium_found(const names& expected) {
    expect_found<broken::usual, Medium>(expected);
}

TEST(SimChecks, NothingIsFoundInWhatIsRight) {
    const found f = look_for_a_failure<broken::usual, sim::virtual_medium>(20);
    EXPECT_EQ(f.what, "");
    EXPECT_EQ(f.schedules, 20u * 6u * 3u);
}

TEST(SimChecks, ABellThatIsDropped) { expect_medium_found<broken::drops_the_bell>({"I9"}); }
TEST(SimChecks, ABellBeforeTheDeposit) { expect_medium_found<broken::rings_before_depositing>({"I9"}); }
TEST(SimChecks, MailThatNobodyKnowsOf) { expect_medium_found<broken::forgets_the_mail_bit>({"I2"}); }
TEST(SimChecks, ARequestThatRestsNowhere) { expect_medium_found<broken::loses_what_rests>({"I2"}); }

TEST(SimChecks, AWakeThatIsLost) { expect_medium_found<broken::wakes_nobody>({"I8"}); }
TEST(SimChecks, ABitThatIsLost) { expect_medium_found<broken::sleeps_over_its_bits>({"I8"}); }
TEST(SimChecks, ASleepingVictim) { expect_medium_found<broken::sleeps_as_a_victim>({"I8"}); }
TEST(SimChecks, AnAnswerThatNobodyAnnounces) { expect_medium_found<broken::does_not_say_that_tasks_came>({"I8"}); }
TEST(SimChecks, AJobThatNobodyRelays) { expect_medium_found<broken::relays_no_job>({"I11"}); }
TEST(SimChecks, ASleeperWithoutARequest) { expect_found<broken::sleeps_without_asking, broken::right>({"I8"}); }

TEST(SimChecks, TwoClaimsOfOneRequest) { expect_medium_found<broken::claims_what_is_claimed>({"I2"}); }
TEST(SimChecks, TwoAnswersToOneRequest) { expect_medium_found<broken::answers_twice>({"I5"}); }
TEST(SimChecks, TwoLettersOfOneRequest) { expect_medium_found<broken::travels_twice>({"I6"}); }
TEST(SimChecks, ALetterThatIsLost) { expect_medium_found<broken::loses_letters>({"I10"}); }

// Rare unless the manager is slow while it scans.
TEST(SimChecks, OneScanOnly) {
    expect_found<broken::usual, broken::scans_once>({"I4"}, aim{sim::operation::published, 400});
}
TEST(SimChecks, AReleaseThatIsNotCounted) { expect_medium_found<broken::does_not_count_the_release>({"I4"}); }
TEST(SimChecks, AWorkerThatStaysIdle) { expect_medium_found<broken::stays_idle_with_tasks>({"I4"}); }
TEST(SimChecks, IdleInsideATask) { expect_found<broken::idle_inside_tasks, broken::right>({"I4"}); }
TEST(SimChecks, AReleaseThatNeverComes) {
    expect_medium_found<broken::does_not_count_answers>({"I8"});
    expect_medium_found<broken::does_not_ask_for_a_scan>({"I8"});
}

TEST(SimChecks, GoingWithARequestOut) { expect_found<broken::just_goes, broken::right>({"I10", "I11"}); }

}  // namespace
