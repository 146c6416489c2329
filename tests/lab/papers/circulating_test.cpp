// The papers' protocol, call by call: what victims, thieves, and those that come and go leave behind
// (lab/papers/circulating_worker.hpp).
#include "tests/lab/papers/circulating_workers.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace protocol_tests;

// --- victims -------------------------------------------------------------------------------------
TEST(CirculatingVictim, AnswersAndTheLetterIsFree) {
    among_three w(2);
    w.mine.spare = 1;
    w.receives(0, status::idle);
    EXPECT_TRUE(w.self.serve(w.m));
    EXPECT_EQ(w.h.at[0].arrived, 1u);
    EXPECT_TRUE(w.h.at[0].letter_here);
    EXPECT_TRUE(w.h.at[manager].mailbox.empty()) << "the manager does not know it as idle";
    EXPECT_NE(w.h.at[0].attention & bits::tasks, 0u);
    EXPECT_FALSE(w.self.serve(w.m)) << "there was one";
}
TEST(CirculatingVictim, TellsTheManagerOfARegisteredThiefBeforeItSendsTasks) {
    among_three w(2);
    w.mine.spare = 1;
    w.receives(0, status::registered_idle);
    w.self.serve(w.m);
    const auto letter = w.only_letter();
    ASSERT_TRUE(letter.has_value());
    EXPECT_EQ(letter->first, manager);
    EXPECT_EQ(letter->second.status, status::update);
    EXPECT_EQ(w.h.at[0].arrived, 1u);
    EXPECT_FALSE(w.h.at[0].letter_here) << "it is with the manager";
    EXPECT_EQ(w.h.order, (std::vector<std::string>{"wake", "send", "wake"}));
}
TEST(CirculatingVictim, WithoutTasksSendsItOnOrHomeOrBack) {
    for (const refusal how : {refusal::forwards, refusal::acknowledges})
        for (const std::uint16_t hops : {std::uint16_t{0}, std::uint16_t{2}}) {
            among_three w(2, {.refuses = how});
            w.receives(0, status::idle, hops);
            w.self.serve(w.m);
            const auto letter = w.only_letter();
            ASSERT_TRUE(letter.has_value());
            const bool goes_home = hops == 2 || how == refusal::acknowledges;
            EXPECT_EQ(letter->first == 0, goes_home);
            EXPECT_EQ(letter->second.status, status::idle) << "only the manager changes that";
        }
}
TEST(CirculatingVictim, GivesWhatHasArrivedLate) {
    among_three w(2);
    (void)w.self.seek(w.m, standing::in_task);
    w.clear();
    w.mine.arrived = 1;
    w.receives(0, status::working);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[0].arrived, 1u);
    EXPECT_EQ(w.mine.arrived, 0u);
}

// --- thieves -------------------------------------------------------------------------------------
TEST(CirculatingThief, SaysWhatItIs) {
    for (const standing where : {standing::in_task, standing::between_tasks}) {
        among_three w(2);
        EXPECT_FALSE(w.self.seek(w.m, where));
        ASSERT_TRUE(w.only_letter().has_value());
        EXPECT_EQ(w.only_letter()->second.status, where == standing::in_task ? status::working : status::idle);
        EXPECT_FALSE(w.self.seek(w.m, where));
        EXPECT_TRUE(w.only_letter().has_value()) << "one request at a time";
        EXPECT_FALSE(w.self.all_home(w.m));
    }
    among_three w(2);
    w.self.ask_early(w.m);
    EXPECT_EQ(w.only_letter()->second.status, status::working);
}
TEST(CirculatingThief, AfterAFailedRoundAsksTheManagerFirst) {
    among_three w(2);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    const auto letter = w.only_letter();
    ASSERT_TRUE(letter.has_value());
    EXPECT_EQ(letter->first, manager);
    EXPECT_EQ(letter->second.status, status::idle);
    EXPECT_EQ(letter->second.hop, 0u) << "the round is still to come";
}
TEST(CirculatingThief, StaysRegisteredFromRoundToRound) {
    among_three w(2);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::registered_idle);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.only_letter()->second.status, status::registered_idle);
}
TEST(CirculatingThief, PausesOnlyWhenRegistered) {
    among_three w(2);
    (void)w.self.seek(w.m, standing::between_tasks, asking::nothing);
    EXPECT_TRUE(w.only_letter().has_value()) << "it must be registered first";
    EXPECT_FALSE(w.self.go_to_sleep(w.m, asking::nothing)) << "its request is out";
    w.comes_home(status::registered_idle);
    (void)w.self.seek(w.m, standing::between_tasks, asking::nothing);
    EXPECT_FALSE(w.only_letter().has_value());
    EXPECT_TRUE(w.self.may_pause(w.m));
    EXPECT_FALSE(w.self.go_to_sleep(w.m)) << "never without an end";
    w.mine.attention |= bits::tasks;  // it is wanted meanwhile
    EXPECT_FALSE(w.self.go_to_sleep(w.m, asking::nothing));
    EXPECT_TRUE(w.mine.open);
    EXPECT_EQ(count(w, event::sleep), 0);
    w.mine.attention = 0;
    EXPECT_TRUE(w.self.go_to_sleep(w.m, asking::nothing));
    EXPECT_EQ(count(w, event::sleep), 1);
    EXPECT_FALSE(w.mine.open);
    w.self.wake_up(w.m);
    EXPECT_TRUE(w.mine.open);
}
TEST(CirculatingThief, WorkerZeroNeverPausesInABarrier) {
    among_three w(0);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.comes_home(status::registered_idle);
    (void)w.self.seek(w.m, standing::between_tasks, asking::nothing);
    EXPECT_TRUE(w.only_letter().has_value());
}
TEST(CirculatingThief, ForwardsWhatIsLeftBeforeItSleeps) {
    among_three w(2);
    (void)w.self.seek(w.m, standing::in_task, asking::nothing);
    w.receives(0, status::idle);
    EXPECT_TRUE(w.self.go_to_sleep(w.m, asking::nothing));
    EXPECT_EQ(w.only_letter()->first, 0u);
}
TEST(CirculatingThief, WithTasksDropsItsRequestAndTellsTheManager) {
    for (const bool registered : {false, true}) {
        among_three w(2);
        (void)w.self.seek(w.m, standing::between_tasks);
        w.comes_home(registered ? status::registered_idle : status::idle);
        w.mine.spare = 1;
        w.self.serve(w.m);
        EXPECT_TRUE(w.self.all_home(w.m));
        ASSERT_EQ(w.only_letter().has_value(), registered);
        if (registered) {
            EXPECT_EQ(w.only_letter()->second.status, status::update);
        }
    }
}
TEST(CirculatingThief, AcknowledgedGoesOnItself) {
    among_three w(2, {.refuses = refusal::acknowledges});
    (void)w.self.seek(w.m, standing::between_tasks);
    const worker_id first = w.only_letter()->first;
    letter t = w.only_letter()->second;
    w.clear();
    (void)one_thread_medium(w.h, first).send_request(2, t);
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.only_letter()->first, 1 - first);
}
TEST(CirculatingThief, AsksWorkerZeroAfterATaskWithoutWork) {
    among_three w(2);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.clear();
    w.h.at[2].letter_here = true;
    w.mine.nothing_came = true;
    EXPECT_FALSE(w.self.seek(w.m, standing::between_tasks));
    EXPECT_EQ(w.only_letter()->first, 0u);
    w.comes_home(status::idle);
    EXPECT_FALSE(w.self.seek(w.m, standing::between_tasks));
    EXPECT_EQ(w.only_letter()->first, manager) << "once, not every time";
}
TEST(CirculatingThief, SaysHowMuchItWants) {
    for (const auto& [what, wish] : {std::pair(asking::half, amount::half), std::pair(asking::one, amount::one)}) {
        among_three w(2);
        w.mine.wish = what == asking::half ? amount::one : amount::half;  // of its last request
        (void)w.self.seek(w.m, standing::between_tasks, what);
        EXPECT_EQ(w.mine.wish, wish);
    }
}
TEST(CirculatingThief, TakesAJobOnlyWhenNoRequestSaysThatItIsIdle) {
    among_three w(2);
    w.h.jobs = 1;
    (void)w.self.seek(w.m, standing::between_tasks);
    EXPECT_EQ(w.mine.spare, 1u);
    EXPECT_EQ(w.mine.published.received, 1u);

    among_three out(2);
    (void)out.self.seek(out.m, standing::between_tasks);
    out.h.jobs = 1;
    EXPECT_FALSE(out.self.seek(out.m, standing::between_tasks));
    EXPECT_EQ(out.mine.spare, 0u);
    out.comes_home(status::registered_idle);
    EXPECT_TRUE(out.self.seek(out.m, standing::between_tasks));
    EXPECT_EQ(out.mine.spare, 1u);
    EXPECT_EQ(out.only_letter()->second.status, status::update) << "the manager is told before";
}
TEST(CirculatingThief, WhoseJobSomebodyElseTakesHasFoundNothing) {
    among_three late(2);
    late.h.jobs = 1;
    late.h.others_are_faster = true;
    EXPECT_FALSE(late.self.seek(late.m, standing::between_tasks));
}

// --- coming and going ----------------------------------------------------------------------------
TEST(CirculatingEnd, WaitsForTheOwnRequest) {
    among_three w(0);
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_FALSE(w.self.leave(w.m));
    EXPECT_TRUE(w.mine.open);
    w.comes_home(status::working);
    EXPECT_TRUE(w.self.leave(w.m));
    EXPECT_FALSE(w.mine.open);
    w.self.enter(w.m);
    EXPECT_TRUE(w.mine.open);
}
TEST(CirculatingEnd, ReceivesWhatWasSentAndForwardsWhatIsLeft) {
    among_three w(0);
    (void)w.self.seek(w.m, standing::in_task);
    w.clear();
    w.mine.arrived = 1;
    w.receives(2, status::idle);
    w.receives(2, status::idle);
    (void)w.self.leave(w.m);
    EXPECT_TRUE(w.mine.mailbox.empty());
    EXPECT_FALSE(w.mine.open);
}
// A manager that blocks is nobody's victim, and reads later what it is told.
TEST(CirculatingEnd, TheManagerClosesItsMailboxAndForwardsWhatIsThere) {
    among_three w(manager);
    w.receives(2, status::idle);
    w.receives(0, status::idle);
    EXPECT_TRUE(w.self.leave(w.m));
    EXPECT_FALSE(w.mine.open);
    EXPECT_TRUE(w.mine.mailbox.empty());
    w.is_told(2, status::update);
    w.self.enter(w.m);
    w.self.serve(w.m);
    EXPECT_TRUE(w.mine.messages.empty());
}
TEST(CirculatingEnd, WhoEndsWaitsForItsLetters) {
    among_three w(2);
    w.mine.attention = bits::stop;
    w.mine.second.letter_here = false;
    EXPECT_FALSE(w.self.leave(w.m));
    w.mine.second.letter_here = true;
    EXPECT_TRUE(w.self.leave(w.m));
}
TEST(CirculatingEnd, ALoneWorkerReleasesItself) {
    house h{1};
    circulating_worker<random_victims, steal_one> self(0, 1, 7);
    one_thread_medium m(h, 0);
    self.enter(m);
    self.open_barrier(m);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(self.seek(m, standing::between_tasks));
    EXPECT_NE(h.at[0].attention & bits::released, 0u);
    EXPECT_TRUE(self.close_barrier(m));
    EXPECT_TRUE(h.registered.empty());
    EXPECT_TRUE(self.leave(m));
}
TEST(CirculatingEnd, NothingSetsOutBeforeTheOthersHaveStarted) {
    among_three w(0);
    w.mine.attention = bits::start;
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_FALSE(w.only_letter().has_value());
    EXPECT_TRUE(w.self.leave(w.m));
}

// --- what statistics tell ------------------------------------------------------------------------
TEST(CirculatingCounts, EachLetterAndAnswerIsAMessage) {
    among_three thief(2);
    (void)thief.self.seek(thief.m, standing::between_tasks);
    EXPECT_EQ(count(thief, event::message), 1);
    thief.comes_home(status::idle);
    thief.self.serve(thief.m);
    EXPECT_EQ(count(thief, event::failed_request), 1);
    for (const bool is_registered : {false, true}) {
        among_three victim(2);
        victim.mine.spare = 1;
        victim.receives(0, is_registered ? status::registered_idle : status::idle);
        victim.self.serve(victim.m);
        EXPECT_EQ(count(victim, event::message), is_registered ? 2 : 1) << "the answer, and an update";
        EXPECT_EQ(count(victim, event::failed_request), 0);
    }
    among_three fed(2);
    (void)fed.self.seek(fed.m, standing::in_task);
    fed.mine.arrived = 1;
    EXPECT_TRUE(fed.self.receive(fed.m));
    EXPECT_EQ(count(fed, event::steal), 1);
}

}  // namespace
