// No wake-up is lost (design: I8). A lost one would stop these tests for ever.
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/mpsc.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

namespace {

using namespace channel_test;
using parley::sync::attention;
using parley::sync::parker;

constexpr attention::bits news = 1;
constexpr attention::bits stop = 2;
constexpr attention::bits noise = 4;

// Two threads in turns; each sleeps while the other has the ball. The ball is plain memory.
TEST(ParkerStress, BallGoesToAndFro) {
    constexpr long passes = 10'000;
    attention words[2];
    long ball = 0;
    in_parallel(2, [&](unsigned me) {
        parker p(words[me], news);
        for (long turn = me; turn < passes; turn += 2) {
            if (turn > 0) {
                if (p.prepare()) p.commit();
                words[me].lower(news);
            }
            ASSERT_EQ(ball, turn);
            ball = turn + 1;
            words[1 - me].raise_and_wake(news);
        }
    });
    EXPECT_EQ(ball, passes);
}

struct letter {
    letter* next = nullptr;
    unsigned from = 0;
    long number = 0;
};

// One owner, many who send and wake, and one who raises bits that are none of its business. Senders
// wait for an answer to each letter, so the owner often finds nothing and sleeps. It takes every
// way: prepare fails, prepare then cancel, prepare then commit.
TEST(ParkerStress, NoLetterIsSleptOver) {
    constexpr unsigned senders = crowd_size;
    constexpr long letters = 1500;
    attention word;
    parley::sync::mpsc<letter, &letter::next> box;
    std::array<attention, senders> answered;
    std::array<letter, senders> post{};
    std::atomic<bool> over{false};
    std::array<long, 3> ways{};

    const auto owner = [&] {
        parker p(word, news | stop);
        for (long received = 0; received < senders * letters;) {
            if (letter* l = box.receive()) {
                ++received;
                answered[l->from].raise_and_wake(news);  // the letter is its sender's again
            } else if (!p.prepare()) {
                ++ways[0];
                word.lower(news);
            } else if (box.peek()) {
                ++ways[1];
                p.cancel();
            } else {
                ++ways[2];
                p.commit();
                EXPECT_NE(word.get() & news, 0u);
                word.lower(news);
            }
        }
        over = true;
    };
    const auto sender = [&](unsigned me) {
        parker p(answered[me], news);
        for (long i = 0; i < letters; ++i) {
            post[me].from = me;
            post[me].number = i;
            EXPECT_TRUE(box.send(&post[me]));
            word.raise_and_wake(news);
            if (p.prepare()) p.commit();
            answered[me].lower(news);
        }
    };
    const auto troublemaker = [&] {
        while (!over) {
            word.raise_and_wake(noise);
            word.raise(noise << 1);
            std::this_thread::yield();
        }
    };
    in_parallel(senders + 2, [&](unsigned me) {
        if (me < senders) sender(me);
        else if (me == senders) owner();
        else troublemaker();
    });
    EXPECT_GT(ways[2], 0) << "the owner never slept: the test showed nothing";
}

// Who prepares after a bit was raised and lowered again sees what was done before the raise.
TEST(ParkerStress, WhoIsWokenSeesWhatWasDoneBefore) {
    constexpr long rounds = 3000;
    attention word;
    attention answer;
    std::vector<long> carried(rounds, 0);
    in_parallel(2, [&](unsigned me) {
        parker p(me == 0 ? answer : word, news);
        for (long round = 0; round < rounds; ++round) {
            const auto r = static_cast<std::size_t>(round);
            if (me == 0) {
                carried[r] = round + 1;
                word.raise_and_wake(news);
                if (p.prepare()) p.commit();
                answer.lower(news);
            } else {
                // Without lower(): commit() alone, or prepare()'s failure with a look, must do.
                if (p.prepare()) p.commit();
                else EXPECT_NE(word.get() & news, 0u);
                ASSERT_EQ(carried[r], round + 1);
                word.lower(news);
                answer.raise_and_wake(news);
            }
        }
    });
}

}  // namespace
