// What the papers' protocol rests on, left out in one place each: the checks must notice. See docs/internals/protocol.md,
// "Where requests circulate", for what the thesis says of the first two.
#include "tests/lab/sim/runs.hpp"

#include <lab/papers/circulating_worker.hpp>
#include <lab/sim/chosen_victims.hpp>
#include <lab/sim/explorer.hpp>
#include <lab/sim/explorer_scenes.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace sim_tests;
namespace protocol = parley::protocol;
namespace small = parley::sim::small;
using right = sim::virtual_medium;
using protocol::status;
using protocol::worker_id;
using one = protocol::circulating_worker<protocol::random_victims, protocol::steal_one>;

// What is wrong shows after a hundred steps and more: seeds get there sooner than an exploration.
template <class Medium>
std::string found_in(const sim::program& p, std::uint64_t seeds = 300) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        for (const std::uint32_t workers : {2u, 3u, 4u}) {
            const result r = run<one, Medium>(p, workers, seed);
            if (!r.invariant.empty()) return r.invariant;
        }
    return "";
}

sim::program tasks_between_barriers() {
    sim::program p;
    const sim::task_id root = p.add_root();
    p.then(root, sim::action::barrier);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 4; ++i) p.then(p.spawn_detached(root), sim::action::work, 3);
        p.then(root, sim::action::barrier);
    }
    return p;
}

TEST(CirculatingIsRight, WhereTheOthersAreWrong) {
    EXPECT_EQ(found_in<right>(tasks_between_barriers()), "");
    EXPECT_EQ(found_in<right>(small::second_barrier()), "");
}

// Figures 4.1 and 4.4 by the letter: a request that has come home goes to the manager as `idle` (lines 19 and 20),
// whether its thief is in the set or not; a manager with tasks answers it, and removes nobody.
struct is_idle_anew : right {
    using right::right;
    bool send_request(worker_id to, protocol::letter t) {
        const bool sets_out = protocol::thief_of(t.request) == s_.self && t.status == status::registered_idle;
        if (!sets_out) return right::send_request(to, t);
        t.status = status::idle;
        return right::send_request(s_.self == 1 ? to : 1, t);
    }
};
TEST(CirculatingFinds, AThiefThatForgetsThatItIsRegistered) {
    EXPECT_EQ(found_in<is_idle_anew>(tasks_between_barriers()), "I4");
}

// §4.2.1: the dummy task, and the update for the thief that gets it; worker 0 stays in the manager's set. (There it
// keeps the thief's next request until it has a task or nothing to do; then the thief can come back to the set.)
struct leaves_the_root_registered : right {
    using right::right;
    void unregister_idle(worker_id w) {
        if (w == 0 && before_) return;
        before_ = true;
        right::unregister_idle(w);
    }
    bool before_ = false;  // in this handler, for the thief
};
TEST(CirculatingFinds, ADummyTaskAloneAndARootThatIsStillRegistered) {
    EXPECT_EQ(found_in<leaves_the_root_registered>(tasks_between_barriers()), "I4");
}

struct tells_the_manager_nothing : right {
    using right::right;
    void send_message(worker_id to, const protocol::letter& t) {
        if (t.status == status::update) land(t.request);
        else right::send_message(to, t);
    }
};
TEST(CirculatingFinds, AThiefThatIsFedBehindTheManagersBack) {
    EXPECT_EQ(found_in<tells_the_manager_nothing>(tasks_between_barriers()), "I4");
}

// The manager does not announce anything until it has heard that.
struct does_not_say_that_the_root_goes_on : right {
    using right::right;
    void send_message(worker_id to, protocol::letter t) {
        if (t.status == status::update_and_root) t.status = status::update;
        right::send_message(to, t);
    }
};
TEST(CirculatingFinds, ARootThatGoesOnInSilence) {
    const sim::program p = small::barrier();
    sim::explorer<protocol::circulating_worker<sim::chosen_victims, protocol::steal_one>, does_not_say_that_the_root_goes_on>
        e(p, {.workers = 2}, {.states = 400'000});
    const sim::exploration r = e.run();
    ASSERT_TRUE(r.found.has_value());
    EXPECT_EQ(r.found->invariant, "I4") << r.found->what;
}

}  // namespace
