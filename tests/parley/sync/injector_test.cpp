// The injector: jobs from outside.
#include <parley/detail/sync/injector.hpp>

#include <parley/detail/sync/counter.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace channel_test;

struct job {
    job* next = nullptr;
    unsigned sender = 0;
    long number = 0;
    long received = 0;
};
using injector = parley::sync::injector<job, &job::next>;

TEST(Injector, IsEmptyAtFirst) {
    injector c;
    EXPECT_TRUE(c.empty());
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Injector, FirstInFirstOut) {
    injector c;
    std::vector<job> jobs(10);
    for (int round = 0; round < 3; ++round) {
        for (job& j : jobs) c.send(&j);
        for (job& j : jobs) {
            ASSERT_FALSE(c.empty());
            ASSERT_EQ(c.receive(), &j);
        }
        ASSERT_TRUE(c.empty());
        ASSERT_EQ(c.receive(), nullptr);
    }
}

TEST(Injector, SendsAndReceivesInTurns) {
    injector c;
    std::vector<job> jobs(100);
    c.send(&jobs[0]);
    for (std::size_t i = 1; i < jobs.size(); ++i) {
        c.send(&jobs[i]);
        ASSERT_EQ(c.receive(), &jobs[i - 1]);
        ASSERT_FALSE(c.empty());
    }
    EXPECT_EQ(c.receive(), &jobs.back());
    EXPECT_TRUE(c.empty());
}

TEST(InjectorStress, EachJobIsReceivedExactlyOnce) {
    constexpr unsigned senders = 3;
    constexpr unsigned receivers = 4;
    constexpr long each = 3000;
    injector c;
    std::vector<std::vector<job>> jobs(senders, std::vector<job>(each));
    std::atomic<long> left{senders * each};
    in_parallel(senders + receivers, [&](unsigned me) {
        if (me < senders) {
            for (long i = 0; i < each; ++i) {
                job& j = jobs[me][static_cast<std::size_t>(i)];
                j.sender = me;
                j.number = i;
                c.send(&j);
            }
            return;
        }
        std::array<long, senders> last;
        last.fill(-1);
        while (left.load(std::memory_order_relaxed) > 0) {
            if (job* j = c.receive()) {
                ++j->received;
                // What one receiver gets of one sender comes in the order of the sends.
                EXPECT_GT(j->number, last.at(j->sender));
                last.at(j->sender) = j->number;
                left.fetch_sub(1, std::memory_order_relaxed);
            } else {
                std::this_thread::yield();
            }
        }
    });
    for (const auto& mine : jobs)
        for (const job& j : mine) ASSERT_EQ(j.received, 1);
    EXPECT_TRUE(c.empty());
}

// `send; is somebody resting?` against `rest; is there a job?`: one of the two sees the other, else
// a worker would sleep over a job.
TEST(InjectorStress, EitherTheJobOrTheSleeperIsSeen) {
    constexpr long rounds = 20'000;
    struct meeting {
        injector jobs;
        parley::sync::published<bool> resting{false};
        job one;
        bool saw_sleeper = false;
        bool saw_job = false;
    };
    std::vector<std::unique_ptr<meeting>> meetings;
    for (long i = 0; i < rounds; ++i) meetings.push_back(std::make_unique<meeting>());
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = *meetings[static_cast<std::size_t>(round)];
            together.keep(me, round);
            if (me == 0) {
                m.jobs.send(&m.one);
                m.saw_sleeper = m.resting.get();
            } else {
                m.resting.set(true);
                m.saw_job = !m.jobs.empty();
            }
        }
    });
    for (const auto& m : meetings) ASSERT_TRUE(m->saw_sleeper || m->saw_job);
}

}  // namespace
