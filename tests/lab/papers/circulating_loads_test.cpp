// Requests that are continued, and hijacked (TH §7.2), call by call: lab/papers/circulating_victim.hpp.
#include "tests/lab/papers/circulating_workers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace {

using namespace protocol_tests;

constexpr circulating continues{.continues = true};
constexpr circulating hijacks{.hijacks = true};

// A letter that was answered once, of thief 0, comes to `w`.
void satisfied_letter_comes(among_three& w, std::uint16_t hops) {
    w.h.at[0].arrived = 1;
    w.h.at[0].goes_on = true;
    w.receives(0, status::satisfied, hops);
}

// --- continuing ----------------------------------------------------------------------------------
TEST(Continuing, AVictimThatAnswersSendsTheLetterOn) {
    among_three w(2, continues);
    w.mine.spare = 1;
    w.receives(0, status::idle, 0);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[0].arrived, 1u);
    EXPECT_TRUE(w.h.at[0].goes_on);
    EXPECT_FALSE(w.h.at[0].letter_here);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->second.status, status::satisfied);
}
TEST(Continuing, TheLetterOfARegisteredThiefIsNeededForTheManager) {
    among_three w(2, continues);
    w.mine.spare = 1;
    w.receives(0, status::registered_idle, 0);
    w.self.serve(w.m);
    EXPECT_FALSE(w.h.at[0].goes_on);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->first, manager);
    EXPECT_EQ(w.only_letter()->second.status, status::update);
}
TEST(Continuing, TheManagerTakesTheThiefOutOfItsSetItself) {
    among_three w(manager, continues);
    w.h.registered = {0};
    w.mine.spare = 1;
    w.receives(0, status::registered_idle, 0);
    w.self.serve(w.m);
    EXPECT_TRUE(w.h.registered.empty());
    EXPECT_TRUE(w.h.at[0].goes_on);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->second.status, status::satisfied);
}
TEST(Continuing, TheSecondAnswerTravelsHomeInTheLetter) {
    among_three w(2, continues);
    w.mine.spare = 1;
    satisfied_letter_comes(w, 1);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[0].arrived, 1u) << "the task channel may hold the first one still";
    EXPECT_EQ(w.h.at[0].load, 1u);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->first, 0u);
}
TEST(Continuing, ASatisfiedThiefIsNotRegistered) {
    among_three w(manager, continues);
    satisfied_letter_comes(w, 2);
    w.self.serve(w.m);
    EXPECT_TRUE(w.h.registered.empty());
}

// The own request is answered, and goes on: it is out until it comes home.
struct satisfied_thief : among_three {
    satisfied_thief() : among_three(2, continues) {
        (void)self.seek(m, standing::between_tasks);
        sent = only_letter()->second;
        clear();
        sent.status = status::satisfied;
        mine.arrived = 1;
        mine.goes_on = true;
    }
    void letter_comes_home() { (void)one_thread_medium(h, 0).send_request(2, sent); }
    letter sent;
};

TEST(Continuing, AThiefAsksAgainWhenItsLetterIsHome) {
    satisfied_thief w;
    EXPECT_TRUE(w.self.receive(w.m));
    EXPECT_EQ(w.mine.spare, 1u);
    w.mine.spare = 0;
    EXPECT_FALSE(w.self.seek(w.m, standing::between_tasks));
    EXPECT_FALSE(w.only_letter().has_value()) << "one request at a time";
    EXPECT_FALSE(w.self.all_home(w.m));
    w.letter_comes_home();
    w.self.serve(w.m);
    EXPECT_TRUE(w.self.all_home(w.m));
    EXPECT_FALSE(w.self.seek(w.m, standing::between_tasks));
    EXPECT_TRUE(w.only_letter().has_value());
}
TEST(Continuing, ALetterMayBeHomeBeforeTheAnswerIsReceived) {
    satisfied_thief w;
    w.letter_comes_home();
    w.self.serve(w.m);
    EXPECT_FALSE(w.self.all_home(w.m)) << "an answer waits";
    EXPECT_TRUE(w.self.receive(w.m));
    EXPECT_TRUE(w.self.all_home(w.m));
}
TEST(Continuing, WhatALetterBringsWaitsUntilThereIsRoom) {
    satisfied_thief w;
    EXPECT_TRUE(w.self.receive(w.m));
    w.mine.load = 3;
    w.letter_comes_home();
    w.self.serve(w.m);
    EXPECT_EQ(w.mine.spare, 1u);
    EXPECT_EQ(w.mine.load, 3u);
    EXPECT_FALSE(w.self.leave(w.m));
    w.mine.spare = 0;
    EXPECT_TRUE(w.self.receive(w.m));
    EXPECT_EQ(w.mine.spare, 3u);
    EXPECT_TRUE(w.mine.letter_here);
    EXPECT_TRUE(w.self.all_home(w.m));
}
TEST(Continuing, ALetterThatGoesOnDoesNotSayThatItsThiefIsIdle) {
    satisfied_thief w;
    EXPECT_TRUE(w.self.receive(w.m));
    w.mine.spare = 0;
    w.h.jobs = 1;
    EXPECT_TRUE(w.self.seek(w.m, standing::between_tasks)) << "it may take a job meanwhile";
    EXPECT_EQ(w.h.jobs, 0u);
}
TEST(Continuing, WhatALetterBringsIsASteal) {
    satisfied_thief w;
    EXPECT_TRUE(w.self.receive(w.m));
    w.mine.load = 3;
    w.letter_comes_home();
    w.self.serve(w.m);
    w.mine.spare = 0;
    const auto before = count(w, event::steal);
    EXPECT_TRUE(w.self.receive(w.m));
    EXPECT_EQ(count(w, event::steal), before + 1);
}
TEST(Continuing, TheAnswerComesBeforeWhatTheLetterBrought) {
    satisfied_thief w;
    w.mine.load = 3;
    w.letter_comes_home();
    w.self.serve(w.m);
    EXPECT_TRUE(w.self.receive(w.m));
    EXPECT_EQ(w.mine.spare, 1u);
    EXPECT_EQ(w.mine.load, 3u);
    EXPECT_FALSE(w.self.all_home(w.m));
    w.mine.spare = 0;
    EXPECT_TRUE(w.self.receive(w.m));
    EXPECT_EQ(w.mine.load, 0u);
    EXPECT_TRUE(w.self.all_home(w.m));
}
TEST(Continuing, WhoIsSentItsLetterBackChoosesTheNextVictim) {
    among_three w(2, {.refuses = refusal::acknowledges, .continues = true});
    (void)w.self.seek(w.m, standing::in_task);
    letter t = w.only_letter()->second;
    w.clear();
    w.mine.arrived = 1;
    w.mine.goes_on = true;
    t.status = status::satisfied;
    EXPECT_TRUE(w.self.receive(w.m));
    (void)one_thread_medium(w.h, 0).send_request(2, t);
    w.self.serve(w.m);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_NE(w.only_letter()->first, 2u);
    EXPECT_EQ(w.only_letter()->second.status, status::satisfied);
}

// --- hijacking -----------------------------------------------------------------------------------
// Two tasks in the letter of thief 0, which worker 2 has hijacked.
void load_comes(among_three& w) {
    w.h.at[0].taker = 2;
    w.h.at[0].load = 2;
    w.h.at[0].letter_here = false;
    (void)one_thread_medium(w.h, 1).send_request(2, {.request = request_of(0), .status = status::working});
}

// Worker 2 waits with a request of its own; the letter of thief 0 comes by.
struct starving : among_three {
    explicit starving(standing where, circulating how = hijacks) : among_three(2, how) {
        (void)self.seek(m, where);
        clear();
    }
    void letter_comes(status as) {
        receives(0, as, 1);
        h.at[0].taker = 0;
        (void)self.seek(m, standing::in_task);
    }
};

TEST(Hijacking, WhoWaitsHasTheTasksOfAWorkingThiefSentToItself) {
    starving w(standing::in_task);
    w.letter_comes(status::working);
    EXPECT_EQ(w.h.at[0].taker, 2u);
    EXPECT_TRUE(w.only_letter().has_value()) << "and sends the letter on";
}
TEST(Hijacking, AnIdleThiefIsLeftAlone) {
    for (const status as : {status::idle, status::registered_idle}) {
        starving w(standing::in_task);
        w.letter_comes(as);
        EXPECT_EQ(w.h.at[0].taker, 0u);
    }
}
TEST(Hijacking, WhoseRequestMaySayThatItIsIdleTakesNothing) {
    starving w(standing::between_tasks);
    w.letter_comes(status::working);
    EXPECT_EQ(w.h.at[0].taker, 0u) << "the manager might believe the request";

    starving taker(standing::between_tasks);
    load_comes(taker);
    EXPECT_FALSE(taker.self.seek(taker.m, standing::between_tasks)) << "it has become idle since";
    EXPECT_EQ(taker.mine.spare, 0u);
    EXPECT_EQ(taker.h.at[0].load, 2u);
}
TEST(Hijacking, WhereAllCountThemselvesAnIdleWorkerMay) {
    starving w(standing::between_tasks, {.detects = detection::by_shared_counter, .hijacks = true});
    w.letter_comes(status::working);
    EXPECT_EQ(w.h.at[0].taker, 2u);
}
TEST(Hijacking, OnlyIfItIsAnOption) {
    starving w(standing::in_task, {});
    w.letter_comes(status::working);
    EXPECT_EQ(w.h.at[0].taker, 0u);
}
TEST(Hijacking, WhoHasTasksMeanwhileAnswersTheThief) {
    starving w(standing::in_task);
    w.letter_comes(status::working);
    w.clear();
    w.mine.spare = 1;
    w.h.at[0].letter_here = false;
    (void)one_thread_medium(w.h, 1).send_request(2, {.request = request_of(0), .status = status::working});
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[0].arrived, 1u);
    EXPECT_EQ(w.h.at[0].load, 0u);
}
TEST(Hijacking, AVictimLoadsTheLetterAndSendsItToTheTaker) {
    among_three w(2, hijacks);
    w.mine.spare = 1;
    w.receives(0, status::working, 1);
    w.h.at[0].taker = 1;
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[0].arrived, 0u);
    EXPECT_EQ(w.h.at[0].load, 1u);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->first, 1u);
}
TEST(Hijacking, ATakerThatIsGoneLeavesTheTasksToTheThief) {
    among_three w(2, hijacks);
    w.mine.spare = 1;
    w.h.at[1].open = false;
    w.receives(0, status::working, 1);
    w.h.at[0].taker = 1;
    w.self.serve(w.m);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->first, 0u);
    EXPECT_EQ(w.h.at[0].load, 1u);
}
TEST(Hijacking, TheTakerTakesTheTasksAndSendsTheLetterHome) {
    starving w(standing::in_task);
    w.letter_comes(status::working);
    w.clear();
    load_comes(w);
    EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
    EXPECT_EQ(w.mine.spare, 2u);
    EXPECT_EQ(count(w, event::steal), 1);
    EXPECT_EQ(w.h.at[0].load, 0u);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->first, 0u);
    EXPECT_FALSE(w.self.all_home(w.m)) << "its own request is out still";
}
TEST(Hijacking, ATakerThatIsRegisteredTellsTheManagerFirst) {
    among_three w(2, hijacks);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::registered_idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.clear();
    load_comes(w);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.mine.spare, 2u);
    ASSERT_EQ(w.h.at[manager].messages.size(), 1u);
    EXPECT_EQ(w.h.at[manager].messages[0].status, status::update);
    EXPECT_EQ(thief_of(w.h.at[manager].messages[0].request), 2u);
}
// Its own request is home when the load comes: it neither asks again nor says that it is idle.
TEST(Hijacking, WhoHasTakenTasksIsNotIdle) {
    for (const detection how : {detection::by_manager, detection::by_shared_counter})
        for (const asking what : {asking::as_strategy, asking::nothing})
            for (const bool is_registered : {false, true}) {
                among_three w(2, {.detects = how, .hijacks = true});
                (void)w.self.seek(w.m, standing::between_tasks);
                w.comes_home(is_registered ? status::registered_idle : status::idle);
                w.self.serve(w.m);
                w.clear();
                w.h.registered.clear();
                load_comes(w);
                EXPECT_TRUE(w.self.seek(w.m, standing::between_tasks, what));
                EXPECT_EQ(w.mine.spare, 2u);
                EXPECT_TRUE(w.h.registered.empty());
                for (worker_id other = 0; other < 2; ++other)
                    for (const letter& t : w.h.at[other].mailbox) EXPECT_NE(thief_of(t.request), 2u);
            }
}
TEST(Hijacking, WhoFallsAsleepOrLeavesTakesNothing) {
    for (const bool leaves : {false, true}) {
        among_three w(2, hijacks);
        (void)w.self.seek(w.m, standing::between_tasks);
        w.comes_home(status::registered_idle);
        w.self.serve(w.m);
        w.clear();
        load_comes(w);
        w.mine.attention = 0;  // it comes just after the last look
        if (leaves) EXPECT_TRUE(w.self.leave(w.m));
        else EXPECT_TRUE(w.self.go_to_sleep(w.m, asking::nothing));
        EXPECT_EQ(w.mine.spare, 0u);
        ASSERT_EQ(w.h.at[0].mailbox.size(), 1u);
        EXPECT_EQ(w.h.at[0].load, 2u);
    }
}
TEST(Hijacking, WhoCannotTellTheManagerNowTakesNothing) {
    among_three w(2, hijacks);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::registered_idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.clear();
    w.mine.second.letter_here = false;
    w.mine.letter_here = false;
    load_comes(w);
    EXPECT_FALSE(w.self.seek(w.m, standing::between_tasks));
    EXPECT_EQ(w.mine.spare, 0u);
    ASSERT_EQ(w.h.at[0].mailbox.size(), 1u);
}
TEST(Hijacking, WhoIsFedMeanwhilePassesTheTasksOn) {
    starving w(standing::in_task);
    w.letter_comes(status::working);
    w.clear();
    w.mine.spare = 1;
    load_comes(w);
    w.self.serve(w.m);
    EXPECT_EQ(w.mine.spare, 1u);
    EXPECT_EQ(w.h.at[0].load, 2u);
    ASSERT_TRUE(w.only_letter().has_value());
    EXPECT_EQ(w.only_letter()->first, 0u);
    EXPECT_EQ(w.h.at[0].taker, 0u);
}

}  // namespace
