// What each handler of a worker leaves behind when nothing interferes.
#include "tests/parley/protocol/one_worker.hpp"

#include <algorithm>

namespace {

using namespace protocol_tests;

class Worker : public one_worker {};

TEST_F(Worker, AsksOneVictimWhenItHasNothing) {
    EXPECT_FALSE(self.seek(m, standing::in_task));
    EXPECT_EQ(mine.request, request_state::circulating);
    EXPECT_FALSE(mine.letter_here);
    EXPECT_EQ(letters(), 1U);
    EXPECT_EQ(noted(event::message), 1);
    EXPECT_FALSE(self.seek(m, standing::in_task));
    EXPECT_EQ(letters(), 1U) << "one request at a time";
}

TEST_F(Worker, AsksForNothingWhenToldSo) {
    EXPECT_FALSE(self.seek(m, standing::in_task, asking::nothing));
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_EQ(letters(), 0U);
}

TEST_F(Worker, WishesWhatItIsTold) {
    (void)self.seek(m, standing::in_task, asking::half);
    EXPECT_EQ(mine.wish, amount::half);
    house other(2);
    one_thread_medium n(other, 1);
    machine second{1, 2, 7, {}};
    (void)second.seek(n, standing::in_task, asking::as_strategy);
    EXPECT_EQ(other.at[1].wish, amount::one);
}

TEST_F(Worker, RestsWhereNobodyCanBeAsked) {
    h.at[0].open = h.at[2].open = false;
    (void)self.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::resting);
    EXPECT_TRUE(mine.letter_here);
    EXPECT_EQ(h.lobby.count(request_of(1)), 1U);
    EXPECT_EQ(noted(event::failed_request), 1);
    for (const place& p : h.at) EXPECT_NE(p.attention & bits::lobby, 0U) << "the bell";
}

TEST_F(Worker, WaitsWhileItsLetterIsAwayUntilItIsToRest) {
    mine.letter_here = false;
    (void)self.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_EQ(letters(), 0U);
    EXPECT_TRUE(h.lobby.empty());
    self.rest(m);
    EXPECT_EQ(mine.request, request_state::resting);
    EXPECT_TRUE(h.lobby.contains(request_of(1)));
}

TEST_F(Worker, RestsAtOnceWhileItsLetterIsAwayWhereFailuresComeHome) {
    worker<random_victims, steal_one, requesting<1, after_failure::comes_home>> other{1, 3, 7, {}};
    mine.letter_here = false;
    (void)other.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::resting);
    EXPECT_EQ(letters(), 0U);
}

TEST_F(Worker, WaitsOnceForOneLetter) {
    (void)self.seek(m, standing::in_task);
    self.rest(m);
    self.withdraw(m);
    ASSERT_FALSE(mine.letter_here);
    (void)self.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::resting) << "nobody has looked at the letter so far";
    self.withdraw(m);
    mine.letter_here = true;
    (void)self.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::circulating);
    self.withdraw(m);
    (void)self.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::home) << "another letter is out";
}

TEST_F(Worker, ItsSecondRequestWaitsForTheFirstOne) {
    worker<random_victims, steal_one, requesting<2>> two{1, 3, 7, {}};
    mine.letter_here = false;
    for (int turn = 0; turn < 3; ++turn) (void)two.seek(m, standing::in_task);
    EXPECT_EQ(letters(), 0U);
    EXPECT_EQ(noted(event::message), 0);
}

TEST_F(Worker, AsksAsSoonAsItsLetterIsBack) {
    mine.letter_here = false;
    (void)self.seek(m, standing::in_task);
    mine.letter_here = true;
    (void)self.seek(m, standing::in_task);
    EXPECT_EQ(mine.request, request_state::circulating);
    EXPECT_EQ(letters(), 1U);
}

// From a signal handler: what it has it gives, to those at rest and to those whose letters are there.
TEST_F(Worker, InterruptedItAnswersRequests) {
    mine.spare = 2;
    h.at[0].request = request_state::resting;
    h.lobby.insert(request_of(0));
    h.at[2].request = request_state::circulating;
    h.at[2].letter_here = false;
    letter t{};
    t.request = request_of(2);
    mine.mailbox.push_back(t);
    mine.attention = bits::lobby | bits::mail;
    self.serve_interrupted(m);
    EXPECT_EQ(h.at[0].arrived, 1U);
    EXPECT_EQ(h.at[2].arrived, 1U);
    EXPECT_EQ(mine.spare, 0U);
    EXPECT_EQ(mine.published.sent, 2U);
}

TEST_F(Worker, InterruptedItTakesNothingIn) {
    mine.request = request_state::taken;
    mine.arrived = 2;
    h.jobs = 1;
    h.at[0].request = request_state::resting;
    h.lobby.insert(request_of(0));
    mine.attention = bits::lobby | bits::jobs | bits::tasks | bits::news | bits::scan;
    self.serve_interrupted(m);
    EXPECT_EQ(mine.spare, 0U);
    EXPECT_EQ(mine.arrived, 2U);
    EXPECT_EQ(h.jobs, 1U);
    EXPECT_EQ(h.at[0].arrived, 0U);
    EXPECT_EQ(mine.attention, bits::lobby | bits::jobs | bits::tasks | bits::news | bits::scan);
}

TEST_F(Worker, TakesUpWhatHasArrived) {
    mine.request = request_state::taken;
    mine.arrived = 2;
    EXPECT_TRUE(self.seek(m, standing::in_task));
    EXPECT_EQ(mine.spare, 2U);
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_EQ(mine.published.received, 1U);
    EXPECT_EQ(noted(event::steal), 1);
}

TEST_F(Worker, TakesUpAJobFromOutside) {
    h.jobs = 1;
    EXPECT_TRUE(self.seek(m, standing::between_tasks));
    EXPECT_EQ(mine.spare, 1U);
    EXPECT_EQ(mine.published.received, 1U);
    EXPECT_EQ(mine.request, request_state::home);
}

TEST_F(Worker, AsksForNothingMoreOnceItHasAJob) {
    mine.request = request_state::resting;
    h.jobs = 1;
    EXPECT_TRUE(self.seek(m, standing::in_task));
    EXPECT_EQ(mine.request, request_state::home);
}

TEST_F(Worker, GoesOnSeekingWhenAnotherTookTheJob) {
    h.jobs = 1;
    h.others_are_faster = true;
    EXPECT_FALSE(self.seek(m, standing::between_tasks));
    EXPECT_EQ(mine.published.received, 0U);
    EXPECT_EQ(mine.request, request_state::circulating);
}

TEST_F(Worker, SaysThatItIsIdleBetweenTasksOnly) {
    (void)self.seek(m, standing::in_task);
    EXPECT_FALSE(mine.published.idle);
    h.barrier_open = true;
    (void)self.seek(m, standing::between_tasks);
    EXPECT_TRUE(mine.published.idle);
    EXPECT_NE(mine.attention & bits::scan, 0U) << "worker 1 is the manager";
}

TEST_F(Worker, IsNotIdleAnyMoreWithATask) {
    (void)self.seek(m, standing::between_tasks);
    mine.request = request_state::taken;
    mine.arrived = 1;
    EXPECT_TRUE(self.seek(m, standing::between_tasks));
    EXPECT_FALSE(mine.published.idle);
}

TEST_F(Worker, AnswersALetter) {
    mine.spare = 3;
    h.at[2].request = request_state::circulating;
    h.at[2].letter_here = false;
    (void)one_thread_medium(h, 2).send_request(1, {request_of(2), 0, 1, 1});
    self.serve(m);
    EXPECT_EQ(h.at[2].request, request_state::taken);
    EXPECT_TRUE(h.at[2].letter_here);
    EXPECT_EQ(h.at[2].arrived, 1U);
    EXPECT_EQ(mine.spare, 2U);
    EXPECT_NE(h.at[2].attention & bits::tasks, 0U);
    EXPECT_EQ(mine.attention & bits::mail, 0U);
    EXPECT_EQ(h.order, (std::vector<std::string>{"sent", "send", "wake"}));
    EXPECT_EQ(mine.published.sent, 1U);
    EXPECT_EQ(noted(event::message), 1);
}

TEST_F(Worker, PassesALetterOnWhenItHasNothingToSpare) {
    h.at[2].request = request_state::circulating;
    h.at[2].letter_here = false;
    // Of worker 2's two victims the first was asked, and is this one.
    const letter t{request_of(2), 1, 1, 1};
    (void)one_thread_medium(h, 2).send_request(1, t);
    self.serve(m);
    EXPECT_EQ(h.at[2].request, request_state::circulating);
    EXPECT_EQ(h.at[0].mailbox.size(), 1U);
    EXPECT_EQ(h.at[0].mailbox.front().hop, 2U);
}

TEST_F(Worker, DropsALetterWhoseRequestWasWithdrawn) {
    mine.spare = 1;
    h.at[2].letter_here = false;
    (void)one_thread_medium(h, 2).send_request(1, {request_of(2), 0, 1, 1});
    self.serve(m);
    EXPECT_TRUE(h.at[2].letter_here);
    EXPECT_EQ(mine.spare, 1U);
    EXPECT_EQ(letters(), 0U);
}

TEST_F(Worker, FeedsWhoRests) {
    mine.spare = 1;
    h.at[0].request = h.at[2].request = request_state::resting;
    h.lobby = {request_of(0), request_of(2)};
    mine.attention = bits::lobby;
    self.serve(m);
    EXPECT_EQ(h.at[0].arrived, 1U);
    EXPECT_EQ(h.at[0].request, request_state::taken);
    EXPECT_EQ(h.lobby.size(), 1U);
    EXPECT_NE(mine.attention & bits::lobby, 0U) << "one still rests";
}

TEST_F(Worker, LowersTheBellWhenNobodyRests) {
    mine.spare = 1;
    mine.attention = bits::lobby;
    self.serve(m);
    EXPECT_EQ(mine.attention, 0U);
}

TEST_F(Worker, TakesItsOwnRequestOutOfTheLobby) {
    mine.spare = 1;
    mine.request = request_state::resting;
    h.lobby = {request_of(1)};
    mine.attention = bits::lobby;
    self.serve(m);
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_EQ(mine.spare, 1U);
    EXPECT_TRUE(h.lobby.empty());
}

TEST_F(Worker, TakesJobsWhenItIsToldOfThem) {
    mine.spare = 1;
    h.jobs = 2;
    self.serve(m);
    EXPECT_EQ(h.jobs, 2U) << "nobody said so";
    mine.attention = bits::jobs;
    self.serve(m);
    EXPECT_EQ(h.jobs, 0U);
    EXPECT_EQ(mine.spare, 3U);
    EXPECT_EQ(mine.attention, 0U);
    EXPECT_EQ(mine.published.received, 2U);
}

TEST_F(Worker, SleepsWithItsRequestAtRestAndItsMailboxClosed) {
    ASSERT_TRUE(self.go_to_sleep(m));
    EXPECT_TRUE(mine.asleep);
    EXPECT_FALSE(mine.open);
    EXPECT_EQ(mine.request, request_state::resting);
    EXPECT_EQ(h.lobby.count(request_of(1)), 1U);
    EXPECT_EQ(noted(event::sleep), 1);
    self.wake_up(m);
    EXPECT_FALSE(mine.asleep);
    EXPECT_TRUE(mine.open);
}

TEST_F(Worker, PassesItsLettersOnBeforeItSleeps) {
    h.at[2].request = request_state::circulating;
    h.at[2].letter_here = false;
    (void)one_thread_medium(h, 2).send_request(1, {request_of(2), 1, 1, 1});
    ASSERT_TRUE(self.go_to_sleep(m));
    EXPECT_TRUE(mine.mailbox.empty());
    EXPECT_EQ(h.at[0].mailbox.size(), 1U);
}

TEST_F(Worker, MayBeAskedAgainWhenItDidNotFallAsleep) {
    mine.attention = bits::news;
    EXPECT_FALSE(self.go_to_sleep(m));
    EXPECT_TRUE(mine.open);
    EXPECT_FALSE(mine.asleep);
    EXPECT_EQ(noted(event::sleep), 0);
}

TEST_F(Worker, DoesNotSleepOverAJobOrAnAnswer) {
    h.jobs = 1;
    EXPECT_FALSE(self.go_to_sleep(m));
    EXPECT_TRUE(mine.open);
    EXPECT_FALSE(mine.asleep);
    h.jobs = 0;
    mine.request = request_state::taken;
    mine.arrived = 1;
    EXPECT_FALSE(self.go_to_sleep(m));
    EXPECT_TRUE(mine.open);
    EXPECT_FALSE(mine.asleep);
    EXPECT_EQ(noted(event::sleep), 0);
}

TEST_F(Worker, SleepsWithItsRequestAtHomeWhenItAsksForNothing) {
    ASSERT_TRUE(self.go_to_sleep(m, asking::nothing));
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_TRUE(h.lobby.empty());
}

TEST_F(Worker, WithdrawsFromWhereverTheRequestIs) {
    for (const request_state from : {request_state::circulating, request_state::resting, request_state::home}) {
        mine.request = from;
        self.withdraw(m);
        EXPECT_EQ(mine.request, request_state::home);
    }
    mine.request = request_state::circulating;
    h.rests_meanwhile = true;
    self.withdraw(m);
    EXPECT_EQ(mine.request, request_state::home);
    mine.request = request_state::taken;
    self.withdraw(m);
    EXPECT_EQ(mine.request, request_state::taken) << "the answer is to come";
}

TEST_F(Worker, ComesInAndLearnsWhoRests) {
    house visited(2);
    visited.at[0].open = false;
    visited.lobby = {request_of(1)};
    machine zero{0, 2, 7, {}};
    one_thread_medium n(visited, 0);
    zero.enter(n);
    EXPECT_TRUE(visited.at[0].open);
    EXPECT_EQ(visited.at[0].attention, bits::lobby);
    visited.lobby.clear();
    visited.at[0].attention = 0;
    zero.enter(n);
    EXPECT_EQ(visited.at[0].attention, 0U);
}

TEST_F(Worker, GoesWithItsRequestAtHomeAndItsMailboxClosed) {
    mine.request = request_state::resting;
    h.at[2].request = request_state::circulating;
    h.at[2].letter_here = false;
    (void)one_thread_medium(h, 2).send_request(1, {request_of(2), 1, 1, 1});
    EXPECT_TRUE(self.leave(m));
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_FALSE(mine.open);
    EXPECT_TRUE(mine.mailbox.empty());
    EXPECT_EQ(h.at[0].mailbox.size(), 1U);
}

TEST_F(Worker, DoesNotGoBeforeItsAnswerHasCome) {
    mine.request = request_state::taken;
    EXPECT_FALSE(self.leave(m));
    EXPECT_TRUE(mine.open);
    mine.arrived = 1;
    EXPECT_TRUE(self.leave(m));
    EXPECT_EQ(mine.spare, 1U) << "the driver's to hand on";
}

TEST_F(Worker, GoesWithAnAnswerThoughALoopStaysWithIt) {
    mine.in_loop = true;
    mine.request = request_state::taken;
    mine.arrived = 1;
    EXPECT_TRUE(self.leave(m));
    EXPECT_EQ(mine.request, request_state::home);
    EXPECT_EQ(mine.spare, 1U) << "the driver's to hand on";
}

TEST_F(Worker, ManagerReleasesTheBarrierOnceAllAreIdle) {
    h.barrier_open = true;
    h.at[0].published.idle = h.at[2].published.idle = true;
    mine.attention = bits::scan;
    self.serve(m);
    EXPECT_EQ(h.at[0].attention, 0U) << "it has a task itself";
    (void)self.seek(m, standing::between_tasks);
    (void)self.seek(m, standing::between_tasks);
    EXPECT_EQ(h.at[0].attention & bits::released, bits::released);
    EXPECT_EQ(mine.published.sent, 1U) << "the release is an answer: no second one before it is in";
    h.at[0].attention = 0;
    mine.attention |= bits::scan;
    (void)self.seek(m, standing::between_tasks);
    EXPECT_EQ(h.at[0].attention & bits::released, 0U);
    machine zero{0, 3, 7, {}};
    one_thread_medium n(h, 0);
    h.at[0].attention = bits::released;
    zero.close_barrier(n);
    EXPECT_FALSE(h.barrier_open);
    EXPECT_EQ(h.at[0].attention, 0U);
    EXPECT_EQ(h.at[0].published.received, 1U);
}

}  // namespace
