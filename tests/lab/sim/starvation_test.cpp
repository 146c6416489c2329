// I9, as a script: A runs a long leaf, holds C's request and is the manager; B spawns; C sleeps. B
// feeds C, and A never looks.
#include "tests/lab/sim/runs.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace {

using namespace sim_tests;
using parley::protocol::request_state;
using sim::action;

constexpr sim::agent_id b = 0, a = 1, c = 2;
constexpr std::uint32_t for_ever = 1'000'000;
constexpr int patience = 5'000;  // steps of one agent

// Whoever has nothing to do does what the script says.
struct scripted final : sim::chooser {
    std::uint32_t advice = 0;
    std::uint32_t choose(sim::choice what, std::uint32_t) override { return what == sim::choice::advice ? advice : 0; }
};

class I9 : public testing::TestWithParam<std::uint64_t> {
protected:
    using usual = machine<parley::protocol::steal_one>;

    // The root spawns a leaf for A, keeps polling, and spawns tasks for C when it is told to.
    static sim::program tasks() {
        sim::program p;
        const sim::task_id root = p.add_root();
        p.then(p.spawn(root), action::work, for_ever);
        for (int i = 0; i < 50; ++i) p.then(root, action::poll);
        for (int i = 0; i < 3; ++i) p.then(p.spawn(root), action::work, for_ever);
        for (int i = 0; i < 20; ++i) p.then(root, action::poll);
        return p.then(root, action::join);
    }

    I9() : what_(tasks()), run_(what_, {.workers = 3, .seed = GetParam(), .patient_end = false}) {}

    // False: it did not come to that.
    bool step_until(const std::vector<sim::agent_id>& who, const std::function<bool()>& done) {
        for (int i = 0; i < patience; ++i)
            for (const sim::agent_id agent : who) {
                if (done()) return true;
                if (sim::ready(run_.now(), agent) == sim::readiness::now) run_.step(agent, 1, script_);
            }
        return false;
    }
    [[nodiscard]] bool runs_a_task(sim::agent_id w) const {
        const auto& worker = run_.now().workers[w];
        return worker.at == sim::point::in_code && worker.stack.back().kind == sim::frame_kind::task;
    }
    [[nodiscard]] const sim::member& shown(sim::agent_id w) const { return run_.now().shared.workers[w]; }
    [[nodiscard]] bool a_has_mail() const { return !shown(a).letters.letters.empty(); }

    sim::program what_;
    sim::simulation<usual> run_;
    scripted script_;
};

TEST_P(I9, ASleeperIsFedAroundAWorkerThatDoesNotLook) {
    script_.advice = 1;  // A may have asked C, which has not begun
    ASSERT_TRUE(step_until({b, a}, [&] { return runs_a_task(a); }));
    // From here on A makes no step. C's request is sent to A, or to B, which has nothing yet and
    // forwards it to A.
    script_.advice = 0;
    ASSERT_TRUE(step_until({c, b}, [&] { return a_has_mail(); }));
    ASSERT_EQ(shown(c).requests[0].state, request_state::circulating);
    script_.advice = 2;
    ASSERT_TRUE(step_until({c}, [&] { return run_.now().workers[c].at == sim::point::asleep; }));
    EXPECT_EQ(shown(c).requests[0].state, request_state::resting);
    // B comes to its spawns.
    ASSERT_TRUE(step_until({b, c}, [&] { return runs_a_task(c); }));
    EXPECT_TRUE(a_has_mail() && runs_a_task(a)) << "A must not have looked";
}

// Whom C asks first is random.
INSTANTIATE_TEST_SUITE_P(Seeds, I9, testing::Range<std::uint64_t>(1, 17));

}  // namespace
