// The sections' protocol under any order of messages, and programs that die at any moment: no core lost or doubled,
// one leader at any time, no request lost, and tables that agree in the end.
#include "tests/broker/policies/random_life.hpp"
#include "tests/seeds.hpp"

#include <broker/policy/bias_policy.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace {

using namespace broker_tests;

struct setting {
    const char* name;
    life_settings life;
    std::shared_ptr<const policy> how;
};

class Interleavings : public testing::TestWithParam<setting> {};

INSTANTIATE_TEST_SUITE_P(
    Of, Interleavings,
    testing::Values(
        setting{"TwoSections", {.sections = 2, .cores = 4, .most_programs = 4}, std::make_shared<fair_share>()},
        setting{"ThreeSections", {.sections = 3, .cores = 9, .most_programs = 4}, std::make_shared<fair_share>()},
        setting{"FiveSections", {.sections = 5, .cores = 16, .most_programs = 9}, std::make_shared<fair_share>()},
        setting{"FromOneCore", {.sections = 3, .cores = 9, .most_programs = 6}, from_one()},
        setting{"Caps",
                {.sections = 3, .cores = 9, .most_programs = 4},
                std::make_shared<fair_share>(fair_share_options{.caps = {.each = 4}})},
        setting{
            "OneCore", {.sections = 1, .cores = 1, .most_programs = 4, .may_share = true}, std::make_shared<fair_share>()},
        setting{"Figure3OnOneCore",
                {.sections = 1, .cores = 1, .most_programs = 4, .may_share = true},
                std::make_shared<bias_policy>()},
        setting{"TooManyPrograms",
                {.sections = 3, .cores = 6, .most_programs = 11, .may_share = true},
                std::make_shared<fair_share>()},
        setting{"Restricted",
                {.sections = 3, .cores = 9, .most_programs = 6, .may_share = true, .restricts = true},
                std::make_shared<fair_share>()},
        setting{"RestrictedAndTooMany",
                {.sections = 2, .cores = 4, .most_programs = 7, .may_share = true, .restricts = true},
                std::make_shared<fair_share>()},
        setting{"RestrictedFromOneCore",
                {.sections = 5, .cores = 12, .most_programs = 9, .may_share = true, .restricts = true},
                from_one()},
        setting{"Sleepers", {.sections = 3, .cores = 9, .most_programs = 6, .sleeps = true}, std::make_shared<fair_share>()},
        setting{"SleepersAndTooMany",
                {.sections = 3, .cores = 6, .most_programs = 11, .may_share = true, .sleeps = true},
                std::make_shared<fair_share>()},
        setting{"RestrictedSleepers",
                {.sections = 3, .cores = 9, .most_programs = 9, .may_share = true, .restricts = true, .sleeps = true},
                from_one()},
        setting{"Figure3AmongSleepers",
                {.sections = 3, .cores = 9, .most_programs = 4, .may_share = true, .sleeps = true},
                std::make_shared<bias_policy>()},
        setting{"Figure3Restricted",
                {.sections = 3, .cores = 9, .most_programs = 4, .may_share = true, .restricts = true},
                std::make_shared<bias_policy>()},
        setting{
            "Figure3", {.sections = 3, .cores = 9, .most_programs = 4, .may_share = true}, std::make_shared<bias_policy>()},
        setting{"Figure3FromOneCore",
                {.sections = 3, .cores = 9, .most_programs = 6, .may_share = true},
                std::make_shared<bias_policy>(bias_options{.starts_everywhere = false, .serves_deprived = true})}),
    [](const testing::TestParamInfo<setting>& p) { return std::string(p.param.name); });

constexpr std::uint64_t usual_seeds = 300;

// Looked at after each step: one leader each, no core with two holders, nobody loses its last core, and what a leader
// gives its program is its program's. In the end: replicas agree, leaders are those computed, no request is open, each
// core's holder is alive and knows of it.
TEST_P(Interleavings, LoseNoCoreAndNoRequestAndNeverHaveTwoLeaders) {
    const bool is_fair = dynamic_cast<const fair_share*>(GetParam().how.get()) != nullptr;
    for (const std::uint64_t seed : parley_tests::seeds(usual_seeds)) {
        SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
        random_life life(seed, GetParam().life, GetParam().how);
        life.run();
        if (HasFatalFailure()) return;
        life.settle();
        if (HasFatalFailure()) return;
        life.w.expect_settled();
        if (HasFatalFailure()) return;
        for (const program_id p : life.alive()) {
            const bool holds_nothing = is_fair && life.w.net[0].known().rows.find(p)->asleep;
            ASSERT_EQ(life.w.cores(p).empty(), holds_nothing) << "program " << p;
        }
    }
}

// The same steps with the same seed.
TEST_P(Interleavings, AreTheSameForTheSameSeed) {
    random_life one(11, GetParam().life, GetParam().how), two(11, GetParam().life, GetParam().how);
    one.run();
    two.run();
    EXPECT_EQ(one.w.decisions, two.w.decisions);
    EXPECT_EQ(one.w.net.messages(), two.w.net.messages());
}

// The lives above have in them what they are for.
TEST_P(Interleavings, EverythingDoesHappen) {
    std::uint64_t grants = 0, denials = 0, handovers = 0, returns = 0, on_behalf = 0, surplus = 0;
    for (std::uint64_t seed = 1; seed <= usual_seeds; ++seed) {
        random_life life(seed, GetParam().life, GetParam().how);
        life.run();
        grants += life.w.grants;
        denials += life.w.denials;
        handovers += life.w.handovers;
        returns += life.w.returns;
        on_behalf += life.w.on_behalf;
        surplus += life.w.surplus;
    }
    if (GetParam().life.sections == 1) {
        EXPECT_EQ(grants + denials + handovers + returns, 0u) << "there is nobody to ask";
        return;
    }
    EXPECT_GT(grants, 100u);
    EXPECT_GT(denials, 100u);
    EXPECT_GT(handovers, 100u);
    EXPECT_GT(returns, 100u);
    EXPECT_GT(on_behalf, 0u) << "cores that a leader takes from its program for another section's, elsewhere";
    EXPECT_GT(surplus, 20u) << "grants that came too late";
}

}  // namespace
