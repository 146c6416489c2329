// What the other ways to ask leave behind when nothing interferes: two requests, early ones, those that come
// home, closed mailboxes, and what strategies are told.
#include "tests/parley/protocol/one_thread_medium.hpp"

#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace protocol_tests;

template <class Requesting, class Victims = random_victims, class Stealing = steal_one>
struct three_workers {
    house h{3};
    worker<Victims, Stealing, Requesting> self{1, 3, 7};
    one_thread_medium m{h, 1};
    place& mine = h.at[1];

    std::size_t letters() const { return h.at[0].mailbox.size() + h.at[2].mailbox.size(); }
    // The letter of worker 2's request arrives here, its last victim.
    void ask_from_2(bool early) {
        h.at[2].request = request_state::circulating;
        h.at[2].letter_here = false;
        letter t{.request = request_of(2), .hop = 2};
        t.status = early ? status::working : status::idle;
        (void)one_thread_medium(h, 2).send_request(1, t);
    }
};

// --- two requests --------------------------------------------------------------------------------
using with_two = three_workers<requesting<2>>;

TEST(TwoRequests, BothAreSentAndBothAreReceived) {
    with_two w;
    EXPECT_FALSE(w.self.seek(w.m, standing::in_task));
    EXPECT_EQ(w.letters(), 2u);
    EXPECT_EQ(w.mine.second.request, request_state::circulating);
    w.mine.request = w.mine.second.request = request_state::taken;
    w.mine.arrived = w.mine.second.arrived = 1;
    EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
    EXPECT_EQ(w.mine.spare, 1u);
    EXPECT_EQ(w.mine.second.request, request_state::taken) << "it waits in its task channel";
    w.mine.spare = 0;
    EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
    EXPECT_EQ(w.mine.spare, 1u);
    EXPECT_EQ(w.mine.second.request, request_state::home);
    EXPECT_EQ(w.mine.published.received, 2u);
}

// Found by the explorer (feeds_around3_calm): two urgent ones would let a worker that never looks hold two
// tasks while another one starves.
TEST(TwoRequests, TheSecondOnlyPrefetches) {
    with_two w;
    (void)w.self.seek(w.m, standing::in_task);
    std::vector<bool> early;
    for (place& p : w.h.at)
        for (const letter& t : p.mailbox) early.push_back(t.early() == (slot_of(t.request) == 1));
    EXPECT_EQ(early, (std::vector<bool>{true, true}));
}

TEST(TwoRequests, BeforeSleepOneRestsAndOneIsWithdrawn) {
    with_two w;
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_TRUE(w.self.go_to_sleep(w.m));
    EXPECT_EQ(w.h.lobby, (std::set<request_id>{request_of(1)}));
    EXPECT_EQ(w.mine.second.request, request_state::home);
}

TEST(TwoRequests, OnlyTheSecondIsSentEarly) {
    with_two w;
    w.self.ask_early(w.m);
    EXPECT_EQ(w.mine.request, request_state::home);
    EXPECT_EQ(w.mine.second.request, request_state::circulating);
}

TEST(TwoRequests, AnAnswerToEitherKeepsAwake) {
    with_two w;
    w.mine.second.request = request_state::taken;
    w.mine.second.arrived = 1;
    EXPECT_FALSE(w.self.go_to_sleep(w.m));
}

TEST(TwoRequests, BothAreWithdrawn) {
    with_two w;
    (void)w.self.seek(w.m, standing::in_task);
    w.self.withdraw(w.m);
    EXPECT_EQ(w.mine.request, request_state::home);
    EXPECT_EQ(w.mine.second.request, request_state::home);
}

// The deque takes one answer at a time; the driver hands it on and calls again.
TEST(TwoRequests, WhoLeavesTakesOneAnswerAfterTheOther) {
    with_two w;
    w.mine.request = w.mine.second.request = request_state::taken;
    w.mine.arrived = w.mine.second.arrived = 1;
    EXPECT_FALSE(w.self.leave(w.m));
    EXPECT_EQ(std::exchange(w.mine.spare, 0u), 1u);
    EXPECT_TRUE(w.self.leave(w.m));
    EXPECT_EQ(w.mine.spare, 1u);
}

TEST(TwoRequests, TheSecondHasAWishOfItsOwn) {
    three_workers<requesting<2>, random_victims, steal_half> w;
    w.mine.second.wish = amount::one;
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_EQ(w.mine.wish, amount::half);
    EXPECT_EQ(w.mine.second.wish, amount::half);
}

// --- what a worker learns ------------------------------------------------------------------------
TEST(LastVictimFirst, IsWhoeverHasAnswered) {
    for (const worker_id victim : {0u, 2u}) {
        three_workers<requesting<>, last_victim_first<random_victims>> w;
        w.mine.request = request_state::taken;
        w.mine.arrived = 1;
        w.mine.victim = victim;
        EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
        w.mine.spare = 0;
        (void)w.self.seek(w.m, standing::in_task);
        EXPECT_EQ(w.h.at[victim].mailbox.size(), 1u);
    }
}

TEST(IsHome, OnlyWhenTheRequestIsNeitherOutNorTaken) {
    three_workers<requesting<>> w;
    EXPECT_TRUE(w.self.may_pause(w.m));
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_FALSE(w.self.may_pause(w.m));
    w.mine.request = request_state::taken;
    EXPECT_FALSE(w.self.may_pause(w.m));
}

// --- early ---------------------------------------------------------------------------------------
using plain = three_workers<requesting<>>;

TEST(EarlyRequest, IsSentWhileThereAreTasks) {
    plain w;
    w.mine.spare = 1;
    w.self.ask_early(w.m);
    EXPECT_EQ(w.mine.request, request_state::circulating);
    EXPECT_EQ(w.letters(), 1u);
    w.self.ask_early(w.m);
    EXPECT_EQ(w.letters(), 1u) << "one at a time";
}

// Else an answer would be there each time that its worker seeks, and it would never come to the jobs.
TEST(EarlyRequest, IsNotSentWhileJobsWait) {
    plain w;
    w.mine.spare = 1;
    w.h.jobs = 1;
    w.self.ask_early(w.m);
    EXPECT_EQ(w.letters(), 0u);
}

TEST(EarlyRequest, GetsNobodysLastTask) {
    plain w;
    w.mine.spare = 1;
    w.ask_from_2(true);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[2].arrived, 0u);
    EXPECT_EQ(w.h.at[2].request, request_state::home) << "nobody else is to be asked";
    EXPECT_TRUE(w.h.at[2].letter_here);
    EXPECT_TRUE(w.h.lobby.empty());
}

TEST(EarlyRequest, GetsOneOfMore) {
    plain w;
    w.mine.spare = 2;
    w.ask_from_2(true);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[2].arrived, 1u);
}

TEST(EarlyRequest, ComesAfterThoseThatRest) {
    plain w;
    w.mine.spare = 2;
    w.h.at[0].request = request_state::resting;
    w.h.lobby = {request_of(0)};
    w.mine.attention |= bits::lobby;
    w.ask_from_2(true);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[2].arrived, 0u);
    EXPECT_EQ(w.h.at[0].arrived, 1u);
}

TEST(EarlyRequest, RestsOnceItsThiefHasNothing) {
    plain w;
    w.self.ask_early(w.m);
    w.self.rest(w.m);
    EXPECT_EQ(w.mine.request, request_state::resting);
    EXPECT_EQ(w.h.lobby.count(request_of(1)), 1u);
}

TEST(EarlyRequest, IsNotSentByTheOnlyWorkerOrWithoutItsLetter) {
    house alone(1);
    worker<random_victims, steal_one> self(0, 1, 7);
    one_thread_medium m(alone, 0);
    self.ask_early(m);
    EXPECT_EQ(alone.at[0].request, request_state::home);
    plain w;
    w.mine.letter_here = false;
    w.self.ask_early(w.m);
    EXPECT_EQ(w.mine.request, request_state::home);
}

// The explorer's finding in cancelled2: a letter to a worker that never starts stays there.
TEST(EarlyRequest, WaitsForTheOthersToStart) {
    plain w;
    w.mine.attention = bits::start;
    w.self.ask_early(w.m);
    EXPECT_EQ(w.letters(), 0u);
}

// --- the richest ---------------------------------------------------------------------------------
// Found by a review: the letter lies with the richest of those that were looked at, and nobody else is open.
TEST(RichestVictim, AnswersItselfWhenItIsTheOnlyOneToLookAt) {
    three_workers<requesting<1, after_failure::comes_home>, richest_of<random_victims>> w;
    w.mine.spare = 5;
    w.h.at[0].open = false;
    w.h.at[2].request = request_state::circulating;
    w.h.at[2].letter_here = false;
    letter t{.request = request_of(2), .start = 1, .stride = 1, .hop = 1};
    t.samples = 2;
    (void)one_thread_medium(w.h, 2).send_request(1, t);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[2].arrived, 1u);
    EXPECT_EQ(w.h.at[2].request, request_state::taken);
}

// --- failures that come home ---------------------------------------------------------------------
using with_backoff = three_workers<requesting<1, after_failure::comes_home>>;

TEST(Backoff, AFailedRequestComesHomeAndDoesNotRest) {
    with_backoff w;
    w.ask_from_2(false);
    w.self.serve(w.m);
    EXPECT_EQ(w.h.at[2].request, request_state::home);
    EXPECT_TRUE(w.h.at[2].letter_here);
    EXPECT_TRUE(w.h.lobby.empty());
}

TEST(Backoff, KnowsWhetherItsRequestsAreHome) {
    with_backoff w;
    EXPECT_TRUE(w.self.all_home(w.m));
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_FALSE(w.self.all_home(w.m));
    w.self.withdraw(w.m);
    EXPECT_TRUE(w.self.all_home(w.m));
}

TEST(Backoff, BeforeSleepItRestsAllTheSame) {
    with_backoff w;
    EXPECT_TRUE(w.self.go_to_sleep(w.m));
    EXPECT_EQ(w.mine.request, request_state::resting);
}

// --- closed while dry ----------------------------------------------------------------------------
using with_closing = three_workers<requesting<1, after_failure::rests, when_dry::is_closed>>;

TEST(ClosedMailbox, WithoutTasksNobodyAsksHere) {
    with_closing w;
    w.ask_from_2(false);
    EXPECT_FALSE(w.self.seek(w.m, standing::in_task));
    EXPECT_FALSE(w.mine.open);
    EXPECT_TRUE(w.mine.mailbox.empty()) << "what was in it was passed on";
}

TEST(ClosedMailbox, OpensWithTasks) {
    for (const char* how : {"an answer", "a job", "the end of the wait", "a look while running"}) {
        with_closing w;
        (void)w.self.seek(w.m, standing::in_task);
        ASSERT_FALSE(w.mine.open);
        if (how == std::string("an answer")) {
            w.mine.request = request_state::taken;
            w.mine.arrived = 1;
            EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
        } else if (how == std::string("a job")) {
            w.h.jobs = 1;
            EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
        } else if (how == std::string("the end of the wait")) {
            w.self.withdraw(w.m);
        } else {
            w.self.serve(w.m);
        }
        EXPECT_TRUE(w.mine.open) << how;
    }
}

TEST(ClosedMailbox, StaysClosedWhenASleeperWakes) {
    with_closing w;
    (void)w.self.seek(w.m, standing::in_task);
    ASSERT_TRUE(w.self.go_to_sleep(w.m));
    w.self.wake_up(w.m);
    EXPECT_FALSE(w.mine.open);
    w.mine.attention |= bits::news;
    EXPECT_FALSE(w.self.go_to_sleep(w.m));
    EXPECT_FALSE(w.mine.open);
}

// --- what strategies are told --------------------------------------------------------------------
TEST(Strategies, AreToldWhoGaveAndWhoTook) {
    three_workers<requesting<>, last_victim_first<random_victims>> victim;
    victim.mine.request = request_state::taken;
    victim.mine.arrived = 1;
    victim.mine.victim = 2;
    (void)victim.self.seek(victim.m, standing::in_task);
    victim.mine.spare = 0;
    (void)victim.self.seek(victim.m, standing::in_task);
    EXPECT_EQ(victim.h.at[2].mailbox.size(), 1u);

    three_workers<requesting<>, last_thief_first<random_victims>> thief;
    thief.mine.spare = 1;
    thief.ask_from_2(false);
    thief.self.serve(thief.m);
    (void)thief.self.seek(thief.m, standing::in_task);
    EXPECT_EQ(thief.h.at[2].mailbox.size(), 1u);
}

TEST(Strategies, AJobIsNobodysGift) {
    three_workers<requesting<>, last_victim_first<random_victims>> w;
    const auto before = w.self;
    w.mine.request = request_state::taken;
    w.mine.arrived = 1;
    w.mine.victim = no_worker;
    EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
    EXPECT_EQ(w.self, before);
}

TEST(Strategies, AdaptiveStealingIsToldOfStealsAndTasks) {
    three_workers<requesting<>, random_victims, steal_adaptive_after<2>> w;
    for (std::uint64_t steals = 1; steals <= 2; ++steals) {
        w.mine.request = request_state::taken;
        w.mine.arrived = 1;
        w.mine.tasks_run = steals;
        EXPECT_TRUE(w.self.seek(w.m, standing::in_task));
        w.mine.spare = 0;
    }
    (void)w.self.seek(w.m, standing::in_task);
    EXPECT_EQ(w.mine.wish, amount::half) << "every task was stolen";
}

// --- every combination ---------------------------------------------------------------------------
// A thief asks, its victim answers, the thief has the task: by types alone.
template <class Victims, class Stealing, class Requesting>
void steal_once() {
    using machine = worker<Victims, Stealing, Requesting>;
    house h(3);
    machine thief(0, 3, 5), rich(1, 3, 5), poor(2, 3, 5);
    one_thread_medium of_thief(h, 0), of_rich(h, 1), of_poor(h, 2);
    h.at[1].spare = 5;
    EXPECT_FALSE(thief.seek(of_thief, standing::between_tasks));
    for (int turn = 0; turn < 4; ++turn) {
        poor.serve(of_poor);
        rich.serve(of_rich);
    }
    EXPECT_TRUE(thief.seek(of_thief, standing::between_tasks));
    EXPECT_GE(h.at[0].spare, 1u);
    EXPECT_EQ(h.at[1].published.sent, thief.requests());
    EXPECT_EQ(h.at[0].published.received, 1u) << "the other waits in its task channel";
}

template <class Victims, class Stealing, std::uint32_t Requests>
void steal_in_every_way() {
    using enum after_failure;
    using enum when_dry;
    steal_once<Victims, Stealing, requesting<Requests, rests, stays_open>>();
    steal_once<Victims, Stealing, requesting<Requests, rests, is_closed>>();
    steal_once<Victims, Stealing, requesting<Requests, comes_home, stays_open>>();
    steal_once<Victims, Stealing, requesting<Requests, comes_home, is_closed>>();
}

template <class Victims>
class EveryCombination : public testing::Test {};
struct by_number {
    static worker_id victim(worker_id thief, std::uint32_t i, std::uint32_t workers) { return (thief + 1 + i) % workers; }
    static std::pair<std::uint32_t, std::uint32_t> equally_near(worker_id, std::uint32_t i, std::uint32_t) {
        return {i, i + 1};
    }
    bool operator==(const by_number&) const = default;
};
using all_victims = testing::Types<random_victims, last_victim_first<random_victims>, last_thief_first<random_victims>,
                                   richest_of<random_victims>, nearest_first<by_number, random_victims>>;
TYPED_TEST_SUITE(EveryCombination, all_victims);

TYPED_TEST(EveryCombination, Steals) {
    steal_in_every_way<TypeParam, steal_one, 1>();
    steal_in_every_way<TypeParam, steal_one, 2>();
    steal_in_every_way<TypeParam, steal_half, 1>();
    steal_in_every_way<TypeParam, steal_half, 2>();
    steal_in_every_way<TypeParam, steal_adaptive, 1>();
    steal_in_every_way<TypeParam, steal_adaptive, 2>();
}

}  // namespace
