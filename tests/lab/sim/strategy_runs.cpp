#include "tests/lab/sim/strategy_runs.hpp"

#include <lab/sim/explorer_scenes.hpp>
#include <lab/sim/replay.hpp>

#include <algorithm>

namespace sim_tests {

std::string test_name(const testing::TestParamInfo<sim::strategies>& how) {
    std::string name = sim::name_of(how.param);
    std::replace_if(name.begin(), name.end(), [](char c) { return c == ',' || c == '-'; }, '_');
    return name;
}

void expect_no_failure(const sim::strategies& how, const sim::program& p, std::uint32_t workers, std::uint64_t seed,
                       std::optional<aim> aimed) {
    const result r = run<scheduled>(p, workers, seed, 0, aimed, how);
    if (r.invariant.empty()) return;
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    FAIL() << run<scheduled>(p, workers, seed, steps_to_print(), aimed, how).log << r.what << " (" << workers
           << " workers)\nAgain: PARLEY_SIM_SEED=" << seed << " tests/test_sim --gtest_filter=" << test->test_suite_name()
           << '.' << test->name();
}

sim::exploration explored_in(const std::string& scene, const sim::strategies& how, sim::exploration_limits limits) {
    for (const sim::explorer_scene& s : sim::explorer_scenes()) {
        if (s.name != scene) continue;
        const sim::program p = s.make();
        sim::settings set = s.with(s.workers);
        set.how = how;
        limits.open = s.limits().open;
        limits.until_tasks_ended = s.limits().until_tasks_ended;
        limits.others_sleep_first = s.limits().others_sleep_first;
        return sim::explorer<explored>(p, set, limits).run();
    }
    ADD_FAILURE() << "no scene " << scene;
    return {};
}

void expect_right(const std::string& scene, const sim::strategies& how, sim::state_id states) {
    const sim::exploration r = explored_in(scene, how, {.states = is_slow ? 5'000u : states});
    EXPECT_FALSE(r.found.has_value()) << r.found->what << "\nAgain: explore " << scene << " --strategies "
                                      << sim::name_of(how) << " --replay " << sim::text_of_moves(r.found->moves);
    testing::Test::RecordProperty(scene, std::to_string(r.states));
}

}  // namespace sim_tests
