// Stepping by re-execution, and what a schedule promises: the same seed, the same run.
#include "tests/lab/sim/runs.hpp"

#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace {

using namespace sim_tests;
namespace trees = parley::sim::trees;
using usual = machine<parley::protocol::steal_adaptive>;
using scene = sim::scene<usual>;

struct first_option final : sim::chooser {
    std::uint32_t choose(sim::choice, std::uint32_t) override { return 0; }
};

// Runs the agents in turn for a while, each turn cut into pieces of `budget` steps.
scene after_turns(std::uint32_t turn, std::uint32_t budget) {
    static const sim::program p = trees::binary();
    sim::simulation<usual> s(p, {.workers = 3, .seed = 7, .patient_end = false});
    first_option decide;
    for (int round = 0; round < 40; ++round)
        for (sim::agent_id a = 0; a < 3; ++a) {
            const std::uint64_t end = s.now().shared.step + turn;
            while (s.now().shared.step < end && ready(s.now(), a) == sim::readiness::now)
                s.step(a, std::min(budget, static_cast<std::uint32_t>(end - s.now().shared.step)), decide);
        }
    return s.now();
}

TEST(SimStepping, AHandlerInPiecesDoesWhatItDoesAtOnce) {
    const scene whole = after_turns(12, 12);
    const scene pieces = after_turns(12, 1);
    ASSERT_EQ(whole.shared.step, pieces.shared.step);
    EXPECT_EQ(whole.shared, pieces.shared);
    EXPECT_EQ(whole.workers, pieces.workers);
}

TEST(SimStepping, AStateIsAValue) {
    static const sim::program p = trees::jobs_beside();
    sim::simulation<usual> s(p, {.workers = 3, .seed = 3, .patient_end = false});
    first_option decide;
    const auto some_steps = [&] {
        for (int i = 0; i < 300; ++i) {
            const auto a = static_cast<sim::agent_id>(i) % s.now().agent_count();
            if (ready(s.now(), a) == sim::readiness::now) s.step(a, 1, decide);
        }
    };
    some_steps();
    const scene middle = s.now();
    some_steps();
    const scene end = s.now();
    EXPECT_FALSE(end.shared == middle.shared);
    // Back to the middle, in the middle of handlers, and on: the same end.
    s.now().shared = middle.shared;
    s.now().workers = middle.workers;
    s.now().outsiders = middle.outsiders;
    some_steps();
    EXPECT_EQ(s.now().shared, end.shared);
    EXPECT_EQ(s.now().workers, end.workers);
    EXPECT_EQ(s.now().outsiders, end.outsiders);
}

TEST(SimStepping, TheSameSeedIsTheSameRun) {
    const sim::program p = trees::jobs_beside();
    std::vector<std::uint64_t> fingerprints;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const result once = run<usual>(p, 4, seed);
        const result again = run<usual>(p, 4, seed, 50);  // looking on changes nothing
        EXPECT_EQ(once.fingerprint, again.fingerprint);
        EXPECT_EQ(once.steps, again.steps);
        EXPECT_NE(again.log, "");
        for (const std::uint64_t other : fingerprints) EXPECT_NE(once.fingerprint, other);
        fingerprints.push_back(once.fingerprint);
    }
}

// A handler must ask the same questions when it is run again.
struct forgetful : sim::virtual_medium {
    using sim::virtual_medium::virtual_medium;
    bool deposit(parley::protocol::request_id r) {
        static int calls = 0;
        if (++calls % 2 == 0) (void)lobby_empty();
        return sim::virtual_medium::deposit(r);
    }
};

TEST(SimStepping, AHandlerThatDiffersWhenItIsRunAgainIsNoticed) {
    const auto runs = [] {
        for (std::uint64_t seed = 1; seed < 50; ++seed) (void)run<usual, forgetful>(trees::chain(), 3, seed);
    };
    EXPECT_THROW(runs(), std::logic_error);
}

// As in driver/own_tasks.hpp: leaves that never look up keep no thief waiting.
TEST(SimWaitLoop, ThievesAreServedBetweenTasks) {
    sim::program p;
    const sim::task_id root = p.add_root();
    for (int i = 0; i < 3; ++i) p.then(p.spawn(root, sim::telling::when_turning), sim::action::work, 1);
    p.then(root, sim::action::join);
    sim::simulation<usual> s(p, {.workers = 2, .seed = 1});
    first_option decide;
    while (s.now().workers[0].at != sim::point::looking) s.step(0, 1, decide);
    while (s.now().shared.workers[0].letters.letters.empty()) s.step(1, 1, decide);
    s.step(1, 1, decide);  // the mail bit
    while (s.now().shared.workers[0].tasks_run < 2) s.step(0, 1, decide);
    EXPECT_EQ(s.now().shared.workers[1].requests[0].answer.size(), 1u);
}

TEST(SimStepping, ResultsSurviveTheLog) {
    using parley::protocol::letter;
    using parley::protocol::published_state;
    using number = std::optional<std::uint32_t>;
    const letter plain{.request = 3, .start = 31, .stride = 5, .hop = 7};
    const letter other{.request = 63,
                       .preferred = 9,
                       .preferred_waits = true,
                       .samples = 2,
                       .most_spare = 4,
                       .status = parley::protocol::status::update_and_root};
    for (const letter& t : {plain, other}) EXPECT_EQ(sim::decode<std::optional<letter>>(sim::encode(std::optional(t))), t);
    EXPECT_EQ(sim::decode<std::optional<letter>>(sim::encode(std::optional<letter>())), std::nullopt);
    EXPECT_EQ(sim::decode<number>(sim::encode(number(0))), 0u);
    EXPECT_EQ(sim::decode<number>(sim::encode(number())), std::nullopt);
    const published_state p = sim::decode<published_state>(sim::encode(published_state{true, 1ull << 40, 9}));
    EXPECT_TRUE(p.idle && p.sent == 1ull << 40 && p.received == 9);
}

}  // namespace
