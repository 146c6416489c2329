// Does stealing pay, and what does a thief do where it does not?
#include <parley/detail/policy/gain.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <vector>

namespace {

using namespace std::chrono_literals;
using parley::protocol::asking;
using parley::threading::gain;

class Gain : public testing::Test {
protected:
    // A steal of so many tasks that are done after `took`.
    void steal(std::size_t tasks, gain::clock::duration took) {
        steals.received(tasks, now);
        now += took;
        steals.judge(now);
    }
    // When it asks again, and for what.
    asking next() {
        now += steals.left(now);
        return steals.ask_for(now);
    }

    gain steals;
    gain::clock::time_point now{};
};

TEST_F(Gain, IsNotInDoubtWhereStealsPay) {
    for (int i = 0; i < 100; ++i) steal(1, 1us);
    EXPECT_FALSE(steals.in_doubt());
}

TEST_F(Gain, DoesNotAskForAWhileAfterOneThatDoesNot) {
    steal(1, 50ns);
    EXPECT_TRUE(steals.in_doubt());
    EXPECT_EQ(steals.ask_for(now), asking::nothing);
    EXPECT_EQ(steals.left(now), 8us);
}

// A leaf may lie beside large trees: nothing is known of the others yet.
TEST_F(Gain, AsksForHalfAfterTheFirstThatDoesNot) {
    steal(1, 50ns);
    EXPECT_EQ(next(), asking::half);
    steal(1, 1us);
    EXPECT_FALSE(steals.in_doubt());
    steal(1, 50ns);
    EXPECT_EQ(next(), asking::half);
}

// The whole block of a million empty tasks costs its victim twenty times as long as they take.
TEST_F(Gain, AsksForOneAfterThatButNowAndThen) {
    std::vector<asking> asked;
    for (int i = 0; i < 17; ++i) {
        steal(1, 50ns);
        asked.push_back(next());
    }
    for (std::size_t i = 0; i < asked.size(); ++i) EXPECT_EQ(asked[i], i % 8 == 0 ? asking::half : asking::one) << i;
}

TEST_F(Gain, WaitsTwiceAsLongEachTimeUpToAQuarterOfAMillisecond) {
    for (const auto pause : {8us, 16us, 32us, 64us, 128us, 256us, 256us}) {
        steal(1, 50ns);
        EXPECT_EQ(steals.left(now), pause);
    }
}

// A steal of many costs more, and so does each of them.
TEST_F(Gain, MeasuresByHowManyItGot) {
    steal(100, 6us);
    EXPECT_TRUE(steals.in_doubt());
    steal(100, 7us);
    EXPECT_FALSE(steals.in_doubt());
}

// Who has begun much that waits takes one at a time.
TEST_F(Gain, AsksForOneAfterItHeldOff) {
    steal(1, 50ns);
    steals.hold_off(now);
    EXPECT_EQ(steals.left(now), 256us);
    EXPECT_EQ(next(), asking::one);
}

TEST_F(Gain, BeginsAnewWithWhatComesAfterASleep) {
    for (int i = 0; i < 5; ++i) steal(1, 50ns);
    steals.forget();
    EXPECT_FALSE(steals.in_doubt());
    steal(1, 50ns);
    EXPECT_EQ(next(), asking::half);
}

}  // namespace
