// Each check by itself: a state that is right in every respect but one.
#include "tests/lab/sim/runs.hpp"

#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace sim_tests;
namespace bits = sim::bits;
namespace trees = parley::sim::trees;
using parley::protocol::request_state;
using usual = machine<parley::protocol::steal_one>;

// Three workers: worker 0 runs its root task and has spawned, worker 1 sleeps in a join of the task
// that worker 2 is in.
class SimState : public testing::Test {
protected:
    static sim::program tasks() {
        sim::program p;
        const sim::task_id root = p.add_root();     // 0
        const sim::task_id parent = p.spawn(root);  // 1
        (void)p.spawn(parent);                      // 2
        (void)p.add_job();                          // 3
        return p.then(root, sim::action::barrier);
    }

    SimState() : what_(tasks()), s_(what_, {.workers = 3, .seed = 1, .patient_end = false}) {
        s_.shared.threads_started = true;
        s_.shared.lobby = sim::bit_of(parley::protocol::request_of(1));
        for (sim::member& m : s_.shared.workers) m.attention = bits::lobby;
        put(0, sim::point::in_code, {sim::frame_kind::task, 0});
        put(1, sim::point::asleep, {sim::frame_kind::join, 1});
        put(2, sim::point::in_code, {sim::frame_kind::task, 2});
        for (const sim::task_id t : {0u, 1u, 2u}) s_.shared.tasks[t] = {sim::task_status::running, t, t < 2 ? 1u : 0u, 0};
        sleeper().attention |= sim::asleep_mark;
        sleeper().letters.open = false;
        sleeper().requests[0].state = request_state::resting;
        s_.shared.workers[0].letters.open = true;
    }
    void put(std::uint32_t w, sim::point at, const sim::frame& f) {
        s_.workers[w].at = at;
        s_.workers[w].stack = {f};
    }
    sim::member& sleeper() { return s_.shared.workers[1]; }
    void in_handler(std::uint32_t w) { s_.workers[w].log.push_back({}); }

    std::string found(const sim::entry& e = {sim::operation::poll, 0, 0, {}}) {
        try {
            sim::invariants(s_).after(e);
        } catch (const sim::violation& v) {
            return v.invariant;
        }
        return "";
    }
    std::string found_at_end() {
        try {
            sim::invariants(s_).end();
        } catch (const sim::violation& v) {
            return v.invariant;
        }
        return "";
    }
    std::string found_at_release() { return found({sim::operation::raise_and_wake, 0, bits::released, {}}); }

    sim::program what_;
    sim::scene<usual> s_;
};

TEST_F(SimState, IsRight) { EXPECT_EQ(found(), ""); }

TEST_F(SimState, MailWithoutItsBit) {
    s_.shared.workers[2].letters.letters.push_back({});
    EXPECT_EQ(found(), "I2");
    s_.shared.owed[0].mail = sim::bit_of(2);  // about to be raised
    EXPECT_EQ(found(), "");
    s_.shared.owed[0].mail = 0;
    s_.shared.workers[2].attention |= bits::mail;
    EXPECT_EQ(found(), "");
}

TEST_F(SimState, ALobbyThatSomebodyDoesNotKnowOf) {
    s_.shared.workers[2].attention = 0;
    EXPECT_EQ(found(), "I9");
    s_.shared.owed[0].bell = true;
    EXPECT_EQ(found(), "");
    s_.shared.owed[0].bell = false;
    in_handler(2);  // it may have lowered its bit and be about to look again
    EXPECT_EQ(found(), "");
}

TEST_F(SimState, TooManyLetters) {
    s_.shared.workers[2].attention |= bits::mail;
    s_.shared.workers[2].letters.letters.resize(3);
    EXPECT_EQ(found(), "I6");
}

TEST_F(SimState, ASleeperWhoseWaitIsOver) {
    s_.shared.tasks[1].awaited = 0;
    EXPECT_EQ(found(), "I7");
    s_.workers[2].news_group = 1;  // about to be told
    EXPECT_EQ(found(), "");
}

TEST_F(SimState, ASleeperWithAWakingBit) {
    for (const bits::word b : {bits::tasks, bits::news, bits::scan, bits::stop}) {
        sleeper().attention |= b;
        EXPECT_EQ(found(), "I8");
        sleeper().woken = true;  // on its way
        EXPECT_EQ(found(), "");
        sleeper().woken = false;
        sleeper().attention &= ~b;
    }
}

TEST_F(SimState, ASleeperWithAnAnswer) {
    sleeper().requests[0].state = request_state::taken;
    sleeper().requests[0].answer = {2};
    EXPECT_EQ(found(), "I8");
    s_.shared.owed[2].wakes = sim::bit_of(1);
    EXPECT_EQ(found(), "");
}

TEST_F(SimState, ASleeperThatIsAVictim) {
    sleeper().letters.open = true;
    EXPECT_EQ(found(), "I8");
}

TEST_F(SimState, ASleeperWhoseRequestIsNotSeen) {
    sleeper().requests[0].state = request_state::home;
    EXPECT_EQ(found(), "I8");
    sleeper().requests[0].state = request_state::circulating;
    EXPECT_EQ(found(), "I8");
    s_.workers[1].asks = parley::protocol::asking::nothing;  // sleeps for a limited time
    EXPECT_EQ(found(), "");
}

TEST_F(SimState, ASleeperWhoseRequestIsLost) {
    s_.shared.lobby = 0;
    EXPECT_EQ(found(), "I2");
    in_handler(2);  // which may have taken it out of the lobby
    EXPECT_EQ(found(), "");
    s_.workers[2].log.clear();
    sleeper().requests[0].state = request_state::taken;
    EXPECT_EQ(found(), "I2");
}

TEST_F(SimState, AJobThatWaitsForASleeper) {
    s_.shared.jobs = {3};
    EXPECT_EQ(found(), "I11");
    s_.workers[2].at = sim::point::relaying;
    EXPECT_EQ(found(), "");
}

TEST_F(SimState, AWorkerOutsideThatIsStillSomebody) {
    s_.workers[0].at = sim::point::outside;
    sim::member& m = s_.shared.workers[0];
    EXPECT_EQ(found(), "I11");  // its mailbox is open
    m.letters.open = false;
    EXPECT_EQ(found(), "");
    m.requests[0].state = request_state::resting;
    EXPECT_EQ(found(), "I11");
    m.requests[0].state = request_state::home;
    m.requests[0].answer = {2};
    EXPECT_EQ(found(), "I11");
    m.requests[0].answer.clear();
    m.deque = {2};
    EXPECT_EQ(found(), "I11");
}

TEST_F(SimState, ReleasedTooEarly) {
    s_.shared.barrier_open = true;
    EXPECT_EQ(found_at_release(), "I4");
    s_.shared.tasks[1].status = s_.shared.tasks[2].status = sim::task_status::done;
    EXPECT_EQ(found_at_release(), "");
    s_.shared.barrier_open = false;
    EXPECT_EQ(found_at_release(), "I4");
}

TEST_F(SimState, ReleasedBeforeAJob) {
    s_.shared.barrier_open = true;
    s_.shared.tasks[1].status = s_.shared.tasks[2].status = sim::task_status::done;
    s_.shared.tasks[3] = {sim::task_status::queued, 0, 0, 10};
    s_.shared.jobs_read_at = 11;
    EXPECT_EQ(found_at_release(), "I4");
    s_.shared.jobs_read_at = 9;  // it was counted after the manager had looked
    EXPECT_EQ(found_at_release(), "");
}

TEST_F(SimState, ARootTaskThatOvertakesItsBarrier) { EXPECT_EQ(found({sim::operation::finish, 0, 0, {}}), "I4"); }

// Everybody has gone, everything is done.
class SimEnd : public SimState {
protected:
    SimEnd() {
        s_.shared.lobby = 0;
        for (sim::member& m : s_.shared.workers) {
            m = {};
            m.requests.resize(1);
            m.letters.open = false;
        }
        for (auto& w : s_.workers) {
            w.at = sim::point::finished;
            w.stack.clear();
        }
        for (sim::task_state& t : s_.shared.tasks) t.status = sim::task_status::done;
    }
};

TEST_F(SimEnd, IsRight) { EXPECT_EQ(found_at_end(), ""); }

TEST_F(SimEnd, SomebodyWaitsForEver) {
    s_.workers[2].at = sim::point::asleep;
    EXPECT_EQ(found_at_end(), "I8");
    s_.workers[2].at = sim::point::outside;
    EXPECT_EQ(found_at_end(), "I11");
    s_.workers[2].at = sim::point::unstarted;
    s_.shared.threads_started = false;
    EXPECT_EQ(found_at_end(), "");
}

TEST_F(SimEnd, ATaskWasLost) {
    s_.shared.tasks[2].status = sim::task_status::queued;
    EXPECT_EQ(found_at_end(), "I2");
    s_.shared.tasks[2].status = sim::task_status::unborn;
    EXPECT_EQ(found_at_end(), "I2");
    s_.shared.tasks[2].status = sim::task_status::dropped;
    EXPECT_EQ(found_at_end(), "");
}

TEST_F(SimEnd, SomethingIsLeft) {
    s_.shared.workers[2].requests[0].letter_away = true;
    EXPECT_EQ(found_at_end(), "I10");
    s_.shared.workers[2].requests[0].letter_away = false;
    s_.shared.workers[2].requests[0].state = request_state::resting;
    EXPECT_EQ(found_at_end(), "I10");
    s_.shared.workers[2].requests[0].state = request_state::home;
    s_.shared.workers[2].deque = {1};
    EXPECT_EQ(found_at_end(), "I10");
    s_.shared.workers[2].deque.clear();
    s_.shared.jobs = {3};
    EXPECT_EQ(found_at_end(), "I10");
}

TEST_F(SimEnd, TheCountsDoNotBalance) {
    s_.shared.workers[2].standing.sent = 1;
    EXPECT_EQ(found_at_end(), "I10");
    s_.shared.workers[0].standing.received = 2;
    EXPECT_EQ(found_at_end(), "I10");
    s_.shared.jobs_sent = 1;
    EXPECT_EQ(found_at_end(), "");
}

}  // namespace
