// One-shot channels: a result that is sent once and received once.
#include <parley/detail/sync/oneshot.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using namespace channel_test;
using parley::sync::completion;
using parley::sync::oneshot;
using parley::sync::outcome;

TEST(Oneshot, NamesItsReceiverUntilItIsSent) {
    long receiver = 0;
    oneshot<long> c(&receiver);
    EXPECT_EQ(c.receiver(), &receiver);
    EXPECT_EQ(c.get(), outcome::pending);
    c.send(outcome::value);
    EXPECT_EQ(c.get(), outcome::value);
}

TEST(Oneshot, CarriesEachOutcome) {
    for (const outcome o : {outcome::value, outcome::error, outcome::dropped}) {
        long receiver = 0;
        oneshot<long> c(&receiver);
        c.send(o);
        EXPECT_EQ(c.get(), o);
    }
}

TEST(Oneshot, IsPendingWithoutAReceiver) {
    const oneshot<long> c(nullptr);
    EXPECT_EQ(c.receiver(), nullptr);
    EXPECT_EQ(c.get(), outcome::pending);
}

TEST(OneshotStress, TheResultIsVisibleWithTheOutcome) {
    constexpr long rounds = 20'000;
    static int receiver = 0;
    struct record {
        oneshot<int> word{&receiver};
        long result = 0;
    };
    std::vector<record> records(rounds);
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            record& r = records[static_cast<std::size_t>(round)];
            if (me == 0) {
                ASSERT_EQ(r.word.receiver(), &receiver);
                r.result = round;
                r.word.send(outcome::value);
            } else {
                spin_until([&] { return r.word.get() == outcome::value; });
                ASSERT_EQ(r.result, round);
            }
        }
    });
}

TEST(Completion, IsNotCompleteAtFirst) {
    const completion c;
    EXPECT_FALSE(c.is_complete());
}

TEST(Completion, WhoAnnouncesFirstIsReturnedToWhoCompletes) {
    completion c;
    EXPECT_TRUE(c.announce(5));
    EXPECT_FALSE(c.is_complete());
    const completion::woken whom = c.complete();
    EXPECT_FALSE(whom.nobody());
    ASSERT_FALSE(whom.several());
    EXPECT_EQ(whom.the_one(), 5u);
    EXPECT_TRUE(c.is_complete());
}

TEST(Completion, WhoAnnouncesLateLearnsThatItIsComplete) {
    completion c;
    EXPECT_TRUE(c.complete().nobody());
    EXPECT_FALSE(c.announce(5));
    EXPECT_TRUE(c.is_complete());
}

TEST(Completion, WhoAnnouncesTwiceIsStillTheOnlyOne) {
    completion c;
    EXPECT_TRUE(c.announce(4097));
    EXPECT_TRUE(c.announce(4097));
    const completion::woken whom = c.complete();
    ASSERT_FALSE(whom.several());
    EXPECT_EQ(whom.the_one(), 4097u);
}

TEST(Completion, NoneOfSeveralIsForgotten) {
    for (std::uint32_t last = 1; last < 300; ++last) {
        completion c;
        EXPECT_TRUE(c.announce(last + 7));
        for (std::uint32_t w = 1; w <= last; ++w) EXPECT_TRUE(c.announce(w));
        EXPECT_FALSE(c.is_complete());
        const completion::woken whom = c.complete();
        EXPECT_FALSE(whom.nobody());
        EXPECT_TRUE(whom.has(last + 7));
        for (std::uint32_t w = 1; w <= last; ++w) EXPECT_TRUE(whom.has(w));
        EXPECT_TRUE(c.is_complete());
        EXPECT_FALSE(c.announce(3));
    }
}

TEST(Completion, OfTwoAmongFewNobodyElseIsWoken) {
    completion c;
    EXPECT_TRUE(c.announce(2));
    EXPECT_TRUE(c.announce(17));
    const completion::woken whom = c.complete();
    for (std::uint32_t w = 1; w < completion::woken::kinds; ++w) EXPECT_EQ(whom.has(w), w == 2 || w == 17) << w;
}

// The receiver tells in plain memory where it waits, the sender leaves its result there.
TEST(CompletionStress, ExactlyOneLearnsOfTheOther) {
    constexpr long rounds = 10'000;
    struct meeting {
        completion word;
        long result = 0;
        long place = 0;
        bool receiver_learnt = false;
        bool sender_learnt = false;
    };
    std::vector<meeting> meetings(rounds);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            together.keep(me, round);
            if (me == 0) {
                m.result = round + 1;
                m.sender_learnt = m.word.complete().has(7);
                if (m.sender_learnt) {
                    ASSERT_EQ(m.place, -round);
                }
            } else {
                m.place = -round;
                m.receiver_learnt = !m.word.announce(7);
                if (m.receiver_learnt) {
                    ASSERT_EQ(m.result, round + 1);
                }
            }
        }
    });
    for (const meeting& m : meetings) ASSERT_NE(m.receiver_learnt, m.sender_learnt);
}

// As many receivers as there are threads beside the sender: each learns that it is complete, or is among the woken.
TEST(CompletionStress, EachOfSeveralLearnsOrIsWoken) {
    constexpr long rounds = 1'000;
    constexpr unsigned receivers = 3;
    struct meeting {
        completion word;
        bool woken[receivers] = {};
        bool learnt[receivers] = {};
    };
    std::vector<meeting> meetings(rounds);
    pace<receivers + 1> together;
    in_parallel(receivers + 1, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            together.keep(me, round);
            if (me < receivers) {
                m.learnt[me] = !m.word.announce(5 + me);
            } else {
                const completion::woken whom = m.word.complete();
                for (unsigned w = 0; w < receivers; ++w) m.woken[w] = whom.has(5 + w);
            }
        }
    });
    for (const meeting& m : meetings)
        for (unsigned w = 0; w < receivers; ++w) ASSERT_NE(m.learnt[w], m.woken[w]);
}

TEST(CompletionStress, WhoSeesItCompleteSeesTheResult) {
    constexpr long rounds = 10'000;
    struct meeting {
        completion word;
        long result = 0;
    };
    std::vector<meeting> meetings(rounds);
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            if (me == 0) {
                m.result = round;
                (void)m.word.complete();
            } else {
                spin_until([&] { return m.word.is_complete(); });
                ASSERT_EQ(m.result, round);
            }
        }
    });
}

// Whoever learns that it is complete owns it: for AddressSanitizer and ThreadSanitizer.
TEST(CompletionStress, CompletingIsTheSendersLastAccess) {
    constexpr long rounds = 10'000;
    struct meeting {
        completion word;
        long result = 0;
    };
    std::vector<std::unique_ptr<meeting>> meetings(rounds);
    for (auto& m : meetings) m = std::make_unique<meeting>();
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            auto& place = meetings[static_cast<std::size_t>(round)];
            meeting* const m = place.get();
            together.keep(me, round);
            if (me == 0) {
                m->result = round;
                (void)m->word.complete();
            } else {
                if (m->word.announce(7)) spin_until([&] { return m->word.is_complete(); });
                ASSERT_EQ(m->result, round);
                place.reset();
            }
        }
    });
}

}  // namespace
