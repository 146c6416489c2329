// The papers' protocol, call by call: who knows that all are idle, and how worker 0 goes on
// (lab/papers/idle_workers.hpp, circulating_worker.hpp).
#include "tests/lab/papers/circulating_workers.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>

namespace {

using namespace protocol_tests;

// --- the manager ---------------------------------------------------------------------------------
TEST(CirculatingManager, RegistersAnIdleThiefWhenItHasNothing) {
    for (const std::size_t spare : {0u, 1u}) {
        among_three w(manager);
        w.mine.spare = spare;
        w.receives(2, status::idle, 0);
        w.self.serve(w.m);
        EXPECT_EQ(w.h.registered.contains(2), spare == 0);
        EXPECT_EQ(w.h.at[2].arrived, spare);
        if (spare == 0) {
            EXPECT_EQ(w.only_letter()->second.status, status::registered_idle);
        }
    }
}
TEST(CirculatingManager, LeavesOutWhomItFeedsAndWhomItHearsOf) {
    among_three w(manager);
    w.h.registered = {0, 2};
    w.mine.spare = 1;
    w.receives(2, status::registered_idle);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{0}));
    EXPECT_TRUE(w.h.at[2].letter_here);
    w.h.registered = {0, 2};
    w.is_told(2, status::update);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{0}));
    EXPECT_TRUE(w.h.at[2].letter_here);
    w.h.registered = {0, 2};
    w.is_told(2, status::update_and_root);
    w.self.serve(w.m);
    EXPECT_TRUE(w.h.registered.empty());
}
TEST(CirculatingManager, RegistersItselfAfterAFailedRound) {
    among_three w(manager);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_TRUE(w.h.registered.empty());
    w.comes_home(status::idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{manager}));
}
TEST(CirculatingManager, ReleasesOnceUntilWorkerZeroGoesOn) {
    among_three w(manager);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::idle);
    w.h.registered = {0, 2};
    for (int i = 0; i < 3; ++i) (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_NE(w.h.at[0].attention & bits::released, 0u);
    w.clear();
    for (int i = 0; i < 3; ++i) (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.h.at[0].attention & bits::released, 0u);
    w.is_told(2, status::update_and_root);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.h.registered = {0, 1, 2};
    for (int i = 0; i < 3; ++i) (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_NE(w.h.at[0].attention & bits::released, 0u);
}
TEST(CirculatingManager, ReleasesNobodyWhileAJobIsOnItsWay) {
    among_three w(manager);
    w.h.registered = {0, 1, 2};
    w.h.jobs_sent = 1;
    for (int i = 0; i < 3; ++i) (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.h.at[0].attention & bits::released, 0u);
    w.h.at[2].published.received = 1;
    for (int i = 0; i < 3; ++i) (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_NE(w.h.at[0].attention & bits::released, 0u);
}
// Whoever took the job has told it, and that message is there.
TEST(CirculatingManager, ReadsItsMessagesBeforeItReleases) {
    among_three w(manager);
    w.h.registered = {0, 1, 2};
    w.is_told(2, status::update);
    w.mine.attention = 0;  // the bell comes later
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.h.at[0].attention & bits::released, 0u);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{0, 1}));
}
// Figure 4.3: the message was sent before the request.
TEST(CirculatingManager, ReadsItsMessagesBeforeItRegistersAThief) {
    among_three w(manager);
    w.h.registered = {2};
    w.is_told(2, status::update);
    w.mine.attention = 0;
    w.receives(2, status::idle, 0);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{2}));
}
// Its own request may come home without a mailbox, so it may register itself before it hears that it was fed.
TEST(CirculatingManager, ThatHearsOfItselfRegistersAgain) {
    among_three w(manager);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    ASSERT_EQ(w.h.registered, (std::set<worker_id>{manager}));
    w.h.at[0].open = w.h.at[2].open = false;
    w.comes_home(status::registered_idle);
    w.mine.second.letter_here = false;
    one_thread_medium(w.h, 0).send_message(manager, {.request = request_of(manager, 1), .status = status::update});
    w.mine.attention |= bits::message;
    for (int i = 0; i < 3; ++i) (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{manager}));
}

TEST(CirculatingManager, SleepsWithAnOpenMailboxButNotWithMail) {
    among_three w(manager);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::registered_idle);
    for (int i = 0; i < 2; ++i) (void)w.self.seek(w.m, standing::between_tasks, asking::nothing);
    ASSERT_TRUE(w.self.go_to_sleep(w.m, asking::nothing));
    EXPECT_TRUE(w.mine.open);
    w.self.wake_up(w.m);
    w.receives(2, status::idle);
    EXPECT_FALSE(w.self.go_to_sleep(w.m, asking::nothing));
    EXPECT_FALSE(w.mine.asleep);
}
TEST(CirculatingManager, DedicatedNeverAsksNorTakesAJob) {
    among_three w(manager, {.detects = detection::by_dedicated_manager});
    w.h.jobs = 1;
    EXPECT_FALSE(w.self.seek(w.m, standing::between_tasks));
    w.self.ask_early(w.m);
    EXPECT_FALSE(w.only_letter().has_value());
    EXPECT_EQ(w.mine.spare, 0u);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{manager}));
}

// --- without a manager ---------------------------------------------------------------------------
TEST(CirculatingCounter, IsChangedByWhoComesHomeAndByWhoAnswers) {
    const circulating counted{.detects = detection::by_shared_counter};
    among_three w(2, counted);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_TRUE(w.h.registered.empty());
    w.comes_home(status::idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{2}));
    w.clear();
    w.h.registered = {0, 2};
    w.mine.spare = 1;
    w.receives(0, status::registered_idle);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{2}));
    EXPECT_FALSE(w.only_letter().has_value());
}
TEST(CirculatingCounter, WorkerZeroLooksAtItInTheBarrier) {
    among_three w(0, {.detects = detection::by_shared_counter});
    w.h.registered = {0, 1, 2};
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.mine.attention & bits::released, 0u) << "no barrier";
    w.self.open_barrier(w.m);
    w.h.jobs_sent = 1;
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.mine.attention & bits::released, 0u) << "a job is on its way";
    w.h.jobs_sent = 0;
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_NE(w.mine.attention & bits::released, 0u);
    EXPECT_TRUE(w.self.close_barrier(w.m));
    EXPECT_FALSE(w.h.barrier_open);
    EXPECT_EQ(w.mine.attention & bits::released, 0u);
    EXPECT_EQ(w.h.registered, (std::set<worker_id>{1, 2}));
}

// --- the end of a barrier ------------------------------------------------------------------------
TEST(CirculatingBarrier, EndsWhenTheOwnRequestIsHome) {
    among_three w(0, {.revokes = revocation::own});
    w.self.open_barrier(w.m);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_FALSE(w.self.close_barrier(w.m));
    EXPECT_FALSE(w.h.barrier_open);
    const letter mine = w.only_letter()->second;
    w.clear();
    w.receives(2, status::registered_idle);
    EXPECT_FALSE(w.self.close_barrier(w.m)) << "another one's";
    w.clear();
    (void)one_thread_medium(w.h, 1).send_request(0, {.request = mine.request, .hop = 2, .status = status::registered_idle});
    EXPECT_TRUE(w.self.close_barrier(w.m));
    EXPECT_EQ(w.only_letter()->first, manager);
    EXPECT_EQ(w.only_letter()->second.status, status::update_and_root);
}
TEST(CirculatingBarrier, EndsWithAnyRequestWhoseThiefGetsNothingToDo) {
    among_three w(0);
    w.self.open_barrier(w.m);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_FALSE(w.self.close_barrier(w.m));
    const letter mine = w.only_letter()->second;
    w.clear();
    w.receives(2, status::registered_idle);
    const auto before = count(w, event::message);
    EXPECT_TRUE(w.self.close_barrier(w.m));
    EXPECT_EQ(count(w, event::message), before + 2) << "to the manager, and to the thief";
    EXPECT_EQ(w.only_letter()->second.status, status::update_and_root);
    EXPECT_EQ(thief_of(w.only_letter()->second.request), 2u);
    EXPECT_TRUE(w.h.at[2].nothing_came);
    EXPECT_NE(w.h.at[2].attention & bits::tasks, 0u);
    // What its own request says is not so any more.
    w.clear();
    (void)one_thread_medium(w.h, 1).send_request(0, {.request = mine.request, .hop = 2, .status = status::registered_idle});
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.only_letter()->second.status, status::idle);
}
// Worker 0 was registered, got something to do, or nearly, from a job that came after the manager's last look, and asks
// anew. It is released for what it was before, and what it asks would register it when the root task has gone on.
struct asks_anew : among_three {
    explicit asks_anew(bool of_another) : among_three(0) {
        self.open_barrier(m);
        (void)self.seek(m, standing::between_tasks);
        comes_home(status::registered_idle);
        h.jobs_sent = 1;
        if (of_another) {
            is_fed();
        } else {
            h.jobs = 1;
            h.others_are_faster = true;
        }
        (void)self.seek(m, standing::between_tasks);
        asks = h.at[manager].mailbox.empty() ? h.at[2].mailbox.back() : h.at[manager].mailbox.back();
        EXPECT_EQ(asks.status, status::idle);
        clear();
    }
    // Worker 2 answers what it asks as one that is registered, and tells that.
    void is_fed() {
        (void)self.seek(m, standing::between_tasks);
        EXPECT_EQ(only_letter()->second.status, status::registered_idle);
        const request_id r = only_letter()->second.request;
        clear();
        h.at[2].spare = 1;
        one_thread_medium two(h, 2);
        two.send_message(manager, {.request = r, .status = status::update});
        two.send_tasks(r, amount::one);
        EXPECT_TRUE(self.seek(m, standing::between_tasks));
        mine.spare = 0;  // it has run
    }
    letter asks;
};
TEST(CirculatingBarrier, EndsWithTheOwnRequestIfThatIsStillToBeRegistered) {
    for (const bool of_another : {false, true}) {
        asks_anew w(of_another);
        w.receives(2, status::registered_idle);
        EXPECT_FALSE(w.self.close_barrier(w.m));
        EXPECT_FALSE(w.h.at[2].nothing_came);
        w.clear();
        (void)one_thread_medium(w.h, 1).send_request(
            0, {.request = w.asks.request, .hop = 2, .status = status::registered_idle});
        EXPECT_TRUE(w.self.close_barrier(w.m));
        EXPECT_EQ(w.only_letter()->second.status, status::update_and_root);
        EXPECT_EQ(thief_of(w.only_letter()->second.request), 0u);
    }
}
TEST(CirculatingBarrier, EndsWithAnyRequestWhereTheOwnOneSetOutAsRegistered) {
    among_three w(0);
    w.h.jobs_sent = 1;
    w.self.open_barrier(w.m);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::registered_idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.only_letter()->second.status, status::registered_idle);
    w.clear();
    w.receives(2, status::registered_idle);
    EXPECT_TRUE(w.self.close_barrier(w.m));
    EXPECT_TRUE(w.h.at[2].nothing_came);
}
TEST(CirculatingBarrier, DoesNotTakeTheRequestOfWhoIsNotRegistered) {
    among_three w(0);
    w.self.open_barrier(w.m);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.clear();
    w.receives(2, status::idle);
    EXPECT_FALSE(w.self.close_barrier(w.m));
    EXPECT_FALSE(w.h.at[2].nothing_came);
}

}  // namespace
