// Sleeping on an attention word: prepare, look, then commit or cancel.
#include <parley/detail/sync/attention.hpp>

#include "tests/parley/sync/sleepers.hpp"

#include <gtest/gtest.h>

namespace {

using namespace channel_test;
using parley::sync::attention;
using parley::sync::parker;

constexpr attention::bits waking = 1;
constexpr attention::bits other = 2;

TEST(Parker, PrepareMarksTheWordAsleep) {
    attention word;
    EXPECT_TRUE(parker(word, waking).prepare());
    EXPECT_EQ(word.get(), attention::asleep);
}

TEST(Parker, PrepareFailsWhileAWakingBitIsSet) {
    attention word;
    word.raise(waking | other);
    EXPECT_FALSE(parker(word, waking).prepare());
    EXPECT_EQ(word.get(), waking | other);
}

TEST(Parker, PrepareDoesNotCareAboutOtherBits) {
    attention word;
    word.raise(other);
    EXPECT_TRUE(parker(word, waking).prepare());
    EXPECT_EQ(word.get(), other | attention::asleep);
}

TEST(Parker, CancelClearsTheMarkAndNothingElse) {
    attention word;
    parker p(word, waking);
    ASSERT_TRUE(p.prepare());
    word.raise_and_wake(waking | other);
    p.cancel();
    EXPECT_EQ(word.get(), waking | other);
}

TEST(Parker, CommitDoesNotSleepIfABitCameAfterPrepare) {
    attention word;
    parker p(word, waking);
    ASSERT_TRUE(p.prepare());
    word.raise_and_wake(waking);
    p.commit();
    EXPECT_EQ(word.get(), waking) << "the bit is left for the owner, the mark is gone";
}

// A thread that is fast asleep on a word.
class sleeper {
public:
    explicit sleeper(attention& word)
        : word_(word), thread_([this] {
              parker p(word_, waking);
              EXPECT_TRUE(p.prepare());
              p.commit();
              returned_ = true;
          }) {
        spin_until_sleeping(word_of(word_));
    }
    bool returned() const { return returned_; }
    void join() { thread_.join(); }

private:
    attention& word_;
    std::atomic<bool> returned_{false};
    std::jthread thread_;
};

TEST(Parker, RaiseAndWakeEndsASleep) {
    attention word;
    sleeper s(word);
    word.raise_and_wake(waking);
    s.join();
    EXPECT_EQ(word.get(), waking);
}

TEST(Parker, CommitForGivesUpAfterItsTime) {
    attention word;
    word.raise(other);
    parker p(word, waking);
    ASSERT_TRUE(p.prepare());
    p.commit_for(std::chrono::microseconds(10));
    EXPECT_EQ(word.get(), other) << "no longer asleep";
}

TEST(Parker, CommitForDoesNotSleepIfABitCameAfterPrepare) {
    attention word;
    parker p(word, waking);
    ASSERT_TRUE(p.prepare());
    word.raise_and_wake(waking);
    p.commit_for(std::chrono::hours(1));
    EXPECT_EQ(word.get(), waking);
}

TEST(Parker, RaiseAndWakeEndsACommitFor) {
    attention word;
    std::jthread thread([&] {
        parker p(word, waking);
        EXPECT_TRUE(p.prepare());
        p.commit_for(std::chrono::hours(1));
        EXPECT_EQ(word.get(), waking);
    });
    spin_until_sleeping(word_of(word));
    word.raise_and_wake(waking);
}

// If raise() woke, the kernel would have no sleeper left as soon as it returns.
TEST(Parker, RaiseWakesNobody) {
    attention word;
    sleeper s(word);
    word.raise(waking | other);
    EXPECT_EQ(sleepers_on(word_of(word)), 1);
    word.raise_and_wake(other);
    s.join();
}

TEST(Parker, RaiseAndWakeCostsNoSystemCallWhileTheOwnerIsAwake) {
    attention word;
    std::jthread stranger([&] {
        // Sleeps on the word without having marked it, so that a wake-up would be seen.
        syscall(SYS_futex, word_of(word), FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
    });
    spin_until_sleeping(word_of(word));
    word.raise_and_wake(waking);
    EXPECT_EQ(sleepers_on(word_of(word)), 1);
    syscall(SYS_futex, word_of(word), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

TEST(Parker, OtherBitsDoNotEndASleep) {
    attention word;
    sleeper s(word);
    for (int i = 0; i < 20; ++i) {
        word.raise_and_wake(other << (i % 8));
        spin_until([&] { return s.returned() || sleepers_on(word_of(word)) == 1; });
        ASSERT_FALSE(s.returned());
        word.lower(other << (i % 8));
    }
    word.raise_and_wake(waking);
    s.join();
}

TEST(Parker, SpuriousWakesDoNotEndASleep) {
    attention word;
    sleeper s(word);
    for (int i = 0; i < 20; ++i) {
        parley::sync::futex_wake(*static_cast<const std::atomic<std::uint32_t>*>(word_of(word)), 1);
        spin_until([&] { return s.returned() || sleepers_on(word_of(word)) == 1; });
        ASSERT_FALSE(s.returned());
    }
    word.raise_and_wake(waking);
    s.join();
}

}  // namespace
