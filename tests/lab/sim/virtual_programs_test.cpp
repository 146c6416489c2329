// The simulation of programs that share a machine: where the answer is known, and that a seed repeats it.
#include <broker/policy/bias_policy.hpp>
#include <broker/policy/fair_share.hpp>
#include <lab/sim/virtual_programs.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace parley::sim;
using parley::broker::bias_policy;
using parley::broker::fair_share;

const virtual_machine ideal{.cores = 48, .sections = 4, .sharing_loss = 0.0, .move_cost = 0.0};

sharing_way brokered(double quantum = 0.05) {
    return {"default", sharing_rule::brokered, std::make_shared<fair_share>(), quantum};
}

const std::vector<virtual_program> wide_and_serial = {{.arrives = 0, .phases = {{480, 64}}},
                                                      {.arrives = 0, .phases = {{20, 1}}}};

TEST(VirtualPrograms, AloneTakesItsWorkDividedByItsWidth) {
    const virtual_program p{.arrives = 1, .phases = {{10, 1}, {96, 64}, {30, 10}}};
    EXPECT_DOUBLE_EQ(time_alone(p, 48), 15.0);
    for (const sharing_rule rule : {sharing_rule::spinning, sharing_rule::parking, sharing_rule::equal})
        EXPECT_NEAR(run_sharing({p}, ideal, {"", rule}).mean_flow, 15.0, 1e-6);
}

TEST(VirtualPrograms, AloneTheBrokerCostsNothing) {
    const virtual_program wide{.arrives = 1, .phases = {{480, 64}}};
    EXPECT_NEAR(run_sharing({wide}, ideal, brokered()).mean_flow, 10.0, 1e-3) << "it has all at once";
    const sharing_way slow{
        "", sharing_rule::brokered,
        std::make_shared<fair_share>(parley::broker::fair_share_options{.first_desire = 1, .alone_gets_all = false}), 0.05};
    // Where it has to grow: 1, 2, 4, 8, 16, 32 cores for a quantum each: 63 core quanta instead of 288.
    EXPECT_NEAR(run_sharing({wide}, ideal, slow).mean_flow, 10.0 + 0.05 * 225 / 48, 0.06);
}

TEST(VirtualPrograms, EqualPartsGiveHalf) {
    const sharing_report r = run_sharing(wide_and_serial, ideal, {"", sharing_rule::equal});
    EXPECT_NEAR(r.ends[0], 20.0, 1e-6);
    EXPECT_NEAR(r.ends[1], 20.0, 1e-6);
}

TEST(VirtualPrograms, SpinningHalvesEvenASerialProgram) {
    const sharing_report r = run_sharing(wide_and_serial, ideal, {"", sharing_rule::spinning});
    EXPECT_NEAR(r.ends[0], 20.0, 1e-6);
    EXPECT_NEAR(r.ends[1], 30.0, 1e-6) << "10 s of work in 20 s, then alone";
}

TEST(VirtualPrograms, ParkingSharesAmongThoseThatWork) {
    const sharing_report r = run_sharing(wide_and_serial, ideal, {"", sharing_rule::parking});
    EXPECT_NEAR(r.ends[0], 480.0 / (48 * 48 / 49.0), 1e-6);
}

TEST(VirtualPrograms, TheDefaultGivesEachWhatItUses) {
    const sharing_report r = run_sharing(wide_and_serial, ideal, brokered());
    EXPECT_NEAR(r.ends[1], 20.0, 0.01);
    EXPECT_LT(r.ends[0], 480.0 / 47 * 1.03);
    EXPECT_LT(r.wasted, 10.0 + 47 * (r.ends[1] - r.ends[0])) << "alone, the serial one has all of the machine";
}

// What is not made cannot be won: no way beats the bound of work and of the longest program.
TEST(VirtualPrograms, NobodyIsFasterThanTheMachine) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        parley::base::rng random(seed);
        std::vector<virtual_program> all;
        double work = 0.0, longest = 0.0;
        for (int i = 0; i < 60; ++i) {  // more than there are cores
            all.push_back({.arrives = random.below(300) / 100.0, .phases = {}});
            for (std::uint32_t n = 1 + random.below(4); n > 0; --n)
                all.back().phases.push_back({random.below(1000) / 100.0 + 0.01, 1 + random.below(60)});
            for (const program_phase& p : all.back().phases) work += p.work;
            longest = std::max(longest, all.back().arrives + time_alone(all.back(), 48));
        }
        for (const sharing_way& way : {sharing_way{"", sharing_rule::spinning}, sharing_way{"", sharing_rule::parking},
                                       sharing_way{"", sharing_rule::equal}, brokered(),
                                       sharing_way{"", sharing_rule::brokered, std::make_shared<bias_policy>(), 0.5}}) {
            const sharing_report r = run_sharing(all, {}, way);
            ASSERT_TRUE(r.ended);
            ASSERT_GE(r.makespan * 48, work * 0.999) << seed;
            ASSERT_GE(r.makespan, longest * 0.999) << seed;
            ASSERT_GE(r.worst_slowdown, 0.999);
        }
    }
}

TEST(VirtualPrograms, TheSameSettingsGiveTheSameRun) {
    const sharing_report one = run_sharing(wide_and_serial, {}, brokered());
    const sharing_report two = run_sharing(wide_and_serial, {}, brokered());
    EXPECT_EQ(one.ends, two.ends);
    EXPECT_EQ(one.moves, two.moves);
    EXPECT_EQ(one.messages, two.messages);
}

}  // namespace
