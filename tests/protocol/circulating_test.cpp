// The papers' protocol, call by call: what each handler leaves behind (protocol/circulating_worker.hpp).
#include "tests/protocol/one_thread_medium.hpp"

#include <parley/protocol/circulating_worker.hpp>
#include <parley/protocol/stealing.hpp>
#include <parley/protocol/victim.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace protocol_tests;

constexpr worker_id manager = 1;

// Of three workers the one in question; the others only receive.
struct among_three {
    explicit among_three(worker_id who, circulating how = {}) : self(who, 3, 7, {}, {}, how), m(h, who), mine(h.at[who]) {}

    // A letter of this thief's first request arrives, which has been to `hops` victims.
    void receives(worker_id thief, status as, std::uint16_t hops = 2) {
        h.at[thief].letter_here = false;
        (void)one_thread_medium(h, thief).send_request(self.id(), {.request = request_of(thief), .hop = hops, .status = as});
    }
    // A message to this manager.
    void is_told(worker_id thief, status what) {
        h.at[thief].letter_here = false;
        one_thread_medium(h, thief).send_message(manager, {.request = request_of(thief), .status = what});
        h.at[manager].attention |= bits::scan;
    }
    // The only letter in anybody's mailbox, or among the manager's messages, with its place.
    std::optional<std::pair<worker_id, travel>> only_letter() const {
        std::optional<std::pair<worker_id, travel>> found;
        for (worker_id w = 0; w < 3; ++w)
            for (const auto* const box : {&h.at[w].mailbox, &h.at[w].messages})
                for (const travel& t : *box) {
                    if (found) return std::nullopt;
                    found = {w, t};
                }
        return found;
    }
    void clear() {
        for (place& p : h.at) {
            p.mailbox.clear();
            p.messages.clear();
            p.attention = 0;
        }
    }
    // A round of its own request ends: what it says comes back.
    void comes_home(status as) {
        const auto sent = only_letter();
        clear();
        travel t = sent->second;
        t.hop = 2;
        t.status = as;
        (void)one_thread_medium(h, 0).send_request(self.id(), t);
    }

    house h{3};
    circulating_worker<random_victims, steal_one> self;
    one_thread_medium m;
    place& mine;
};

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
    EXPECT_TRUE(w.self.go_to_sleep(w.m, asking::nothing));
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
    travel t = w.only_letter()->second;
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
    (void)out.self.seek(out.m, standing::between_tasks);
    EXPECT_EQ(out.mine.spare, 0u);
    out.comes_home(status::registered_idle);
    EXPECT_TRUE(out.self.seek(out.m, standing::between_tasks));
    EXPECT_EQ(out.mine.spare, 1u);
    EXPECT_EQ(out.only_letter()->second.status, status::update) << "the manager is told before";
}

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
    w.mine.attention |= bits::scan;
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
    const travel mine = w.only_letter()->second;
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
    const travel mine = w.only_letter()->second;
    w.clear();
    w.receives(2, status::registered_idle);
    EXPECT_TRUE(w.self.close_barrier(w.m));
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
TEST(CirculatingBarrier, DoesNotTakeTheRequestOfWhoIsNotRegistered) {
    among_three w(0);
    w.self.open_barrier(w.m);
    (void)w.self.seek(w.m, standing::between_tasks);
    w.clear();
    w.receives(2, status::idle);
    EXPECT_FALSE(w.self.close_barrier(w.m));
    EXPECT_FALSE(w.h.at[2].nothing_came);
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

}  // namespace
