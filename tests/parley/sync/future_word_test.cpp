// The word in which the sender of a future's result meets waits and continuations.
#include "tests/parley/sync/crowd.hpp"
#include "tests/seeds.hpp"

#include <parley/detail/base/rng.hpp>
#include <parley/detail/sync/future_word.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

using channel_test::in_parallel;
using channel_test::pace;
using parley::sync::continuation;
using parley::sync::future_word;

unsigned length_of(const continuation* c) {
    unsigned n = 0;
    for (; c != nullptr; c = c->next) ++n;
    return n;
}

TEST(FutureWord, SaysWhatTheSenderSaid) {
    future_word w;
    EXPECT_FALSE(w.is_complete());
    EXPECT_TRUE(w.complete(6).nobody());
    EXPECT_TRUE(w.is_complete());
    EXPECT_EQ(w.said(), 6u);
}

TEST(FutureWord, ReturnsTheOneThatHasAnnouncedItself) {
    future_word w;
    EXPECT_TRUE(w.announce(5));
    EXPECT_TRUE(w.announce(5));
    const future_word::woken whom = w.complete(1);
    EXPECT_FALSE(whom.nobody());
    EXPECT_EQ(whom.first(), nullptr);
    ASSERT_FALSE(whom.waiters().several());
    EXPECT_EQ(whom.waiters().the_one(), 5u);
}

TEST(FutureWord, ReturnsAllThatHaveAnnouncedThemselves) {
    future_word w;
    for (std::uint32_t i = 2; i < 300; i += 3) EXPECT_TRUE(w.announce(i));
    const future_word::woken whom = w.complete(1);
    for (std::uint32_t i = 2; i < 300; i += 3) EXPECT_TRUE(whom.waiters().has(i)) << i;
}

TEST(FutureWord, ReturnsContinuationsTheNewestFirst) {
    future_word w;
    continuation a, b, c;
    for (continuation* one : {&a, &b, &c}) EXPECT_TRUE(w.attach(*one));
    EXPECT_FALSE(w.is_complete());
    const future_word::woken whom = w.complete(1);
    EXPECT_TRUE(whom.waiters().nobody());
    EXPECT_EQ(whom.first(), &c);
    EXPECT_EQ(c.next, &b);
    EXPECT_EQ(b.next, &a);
    EXPECT_EQ(a.next, nullptr);
}

TEST(FutureWord, RefusesWhatComesLate) {
    future_word w;
    (void)w.complete(1);
    continuation c;
    EXPECT_FALSE(w.attach(c));
    EXPECT_FALSE(w.announce(5));
    EXPECT_EQ(w.said(), 1u);
}

TEST(FutureWord, ForgetsNeitherWaitsNorContinuationsBesideEachOther) {
    for (unsigned order = 0; order < 8; ++order) {
        future_word w;
        std::vector<std::unique_ptr<continuation>> attached;
        std::vector<std::uint32_t> announced;
        for (unsigned i = 0; i < 3; ++i) {
            if ((order >> i & 1) != 0) {
                attached.push_back(std::make_unique<continuation>());
                EXPECT_TRUE(w.attach(*attached.back()));
            } else {
                announced.push_back(40 + i);
                EXPECT_TRUE(w.announce(announced.back()));
            }
        }
        const future_word::woken whom = w.complete(1);
        EXPECT_EQ(length_of(whom.first()), attached.size());
        EXPECT_EQ(whom.waiters().nobody(), announced.empty());
        for (const std::uint32_t a : announced) EXPECT_TRUE(whom.waiters().has(a));
    }
}

// Each continuation is called or refused, never both, and sees the result. Each one tells in plain memory, which the sender
// reads, and is freed as soon as it was called or refused.
TEST(FutureWordStress, EachIsCalledOrRefused) {
    constexpr long rounds = 2'000;
    constexpr unsigned receivers = 3;
    struct attached : continuation {
        long told = 0;
        bool* called = nullptr;
    };
    struct meeting {
        std::unique_ptr<future_word> word = std::make_unique<future_word>();
        long result = 0;
        bool called[receivers] = {};
        bool refused[receivers] = {};
        bool waits[receivers] = {};
        bool woken[receivers] = {};
    };
    for (const std::uint64_t seed : parley_tests::seeds(2)) {
        std::vector<meeting> meetings(rounds);
        pace<receivers + 1> together;
        in_parallel(receivers + 1, [&](unsigned me) {
            parley::base::rng random(seed * (receivers + 1) + me);
            for (long round = 0; round < rounds; ++round) {
                meeting& m = meetings[static_cast<std::size_t>(round)];
                const bool keeps_its_stack = random.below(4) == 0;
                auto mine = std::make_unique<attached>();
                mine->told = -round;
                mine->called = me < receivers ? &m.called[me] : nullptr;
                together.keep(me, round);
                if (me == receivers) {
                    m.result = round;
                    const future_word::woken whom = m.word->complete(1);
                    for (unsigned w = 0; w < receivers; ++w) m.woken[w] = whom.waiters().has(5 + w);
                    for (continuation* c = whom.first(); c != nullptr;) {
                        const std::unique_ptr<attached> one(static_cast<attached*>(c));
                        c = c->next;
                        ASSERT_EQ(one->told, -round);
                        *one->called = true;
                    }
                } else if (keeps_its_stack) {
                    m.waits[me] = m.word->announce(5 + me);
                    if (!m.waits[me]) {
                        ASSERT_EQ(m.result, round);
                    }
                } else if (m.word->attach(*mine)) {
                    (void)mine.release();
                } else {
                    m.refused[me] = true;
                    ASSERT_EQ(m.result, round);
                }
            }
        });
        for (const meeting& m : meetings)
            for (unsigned w = 0; w < receivers; ++w) {
                ASSERT_FALSE(m.called[w] && m.refused[w]);
                ASSERT_TRUE(!m.waits[w] || m.woken[w]) << "a wait is forgotten";
            }
    }
}

}  // namespace
