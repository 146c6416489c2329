// The explorer: what the threads do beside the protocol, which is right as it is (explorer_test.cpp has those scenes of one
// runtime) and is found where it is broken.
#include "tests/build_kind.hpp"
#include "tests/lab/sim/broken.hpp"
#include "tests/lab/sim/explorer_runs.hpp"

#include <lab/sim/chosen_victims.hpp>
#include <lab/sim/explorer_scenes.hpp>
#include <lab/sim/two_runtimes_scenes.hpp>

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace {

using namespace sim_tests;
using one = parley::protocol::worker<sim::chosen_victims, parley::protocol::steal_one>;
using names = std::set<std::string>;

template <class Scenes>
auto scene_of(const Scenes& scenes, const std::string& name) {
    for (const auto& s : scenes)
        if (name == s.name) return s;
    throw std::invalid_argument("there is no scene " + name);
}
template <class Medium>
void expect_broken(const std::string& name, const names& expected) {
    const sim::explorer_scene s = scene_of(sim::explorer_scenes(), name);
    const outcome o = found_in<one, Medium>(s.make(), s.limits(), s.with(s.workers));
    EXPECT_TRUE(expected.contains(o.invariant)) << name << ": \"" << o.invariant << '"';
}
template <class Medium>
outcome found_in_two(const std::string& name) {
    const sim::two_runtimes_scene s = scene_of(sim::two_runtimes_scenes(), name);
    return found_in<one, Medium, sim::two_simulations<one, Medium>>(s.make(), s.limits(), s.with(s.workers));
}

TEST(ExplorerFinds, AWaiterThatIsForgottenForALaterOne) {
    expect_broken<broken::forgets_earlier_waiters>("two_waiters2", {"I7"});
    expect_broken<broken::forgets_earlier_waiters>("two_waiters3", {"I7"});
    expect_broken<broken::forgets_earlier_waiters>("three_waiters3", {"I7"});
}
// The owner of the lock sleeps, and who is to wake it has taken up on top what wants the lock.
TEST(ExplorerFinds, AThiefThatIsNotIsolated) {
    expect_broken<broken::runs_what_is_isolated_as_usual>("isolated_stolen2", {"I7", "I8"});
}
TEST(ExplorerFinds, ABlockedWorkerThatKeepsItsTasks) { expect_broken<broken::blocks_with_its_tasks>("lent2", {"I11"}); }
TEST(ExplorerFinds, AStandInThatGoesWithItsTasks) { expect_broken<broken::goes_with_its_tasks>("lent_back2", {"I11"}); }

TEST(ExplorerTwoRuntimes, EveryStateIsRight) {
    for (const sim::two_runtimes_scene& s : sim::two_runtimes_scenes()) {
        sim::exploration_limits limits = s.limits();
        if (parley_tests::is_slow) limits.states = 20'000;
        const auto p = s.make();
        using both = sim::two_simulations<one>;
        const auto r = sim::explorer<one, sim::virtual_medium, both>(p, s.with(s.workers), limits).run();
        EXPECT_FALSE(r.found.has_value()) << r.found->what << "\nAgain: explore " << s.name << " --replay "
                                          << sim::text_of_moves(r.found->moves);
        EXPECT_TRUE(r.is_complete || parley_tests::is_slow);
        EXPECT_TRUE(r.ends > 0 || parley_tests::is_slow);
    }
}
// What its first runtime has to do is not done: for ever, since somebody who waits for it does not sleep.
TEST(ExplorerTwoRuntimes, AThreadThatSleepsInTheSecondAloneIsFound) {
    const outcome o = found_in_two<broken::sleeps_in_the_second_runtime_alone>("two_runtimes2x2_job");
    EXPECT_EQ(o.invariant, "I9");
    EXPECT_TRUE(o.is_without_end);
}
TEST(ExplorerTwoRuntimes, ALookThatIsLeftOutIsFound) {
    EXPECT_EQ(found_in_two<broken::does_not_look_after_saying_as_whom_it_sleeps>("two_runtimes2x2").invariant, "I8");
}
TEST(ExplorerTwoRuntimes, ALookThatComesTooEarlyIsFound) {
    const outcome o = found_in_two<broken::looks_as_whom_it_sleeps_before_raising>("two_runtimes2x2");
    EXPECT_TRUE(o.invariant == "I7" || o.invariant == "I8") << o.invariant;
}

}  // namespace
