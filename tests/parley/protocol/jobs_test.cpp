// Jobs from outside find a thief that rests, or are announced.
#include <parley/detail/protocol/jobs.hpp>

#include "tests/parley/protocol/one_thread_medium.hpp"

#include <gtest/gtest.h>

namespace {

using namespace protocol_tests;

// A thread that is no worker.
class sender : public one_thread_medium {
public:
    explicit sender(house& h) : one_thread_medium(h, 0), house_(h) {}

    std::optional<int> draw_job() {
        if (house_.jobs == 0) return std::nullopt;
        --house_.jobs;
        return 1;
    }
    void put_back_job(int) { ++house_.jobs; }
    void send_job(request_id r, int) { ++house_.at[thief_of(r)].arrived; }
    void raise_all(bits::word b) {
        for (place& p : house_.at) p.attention |= b;
    }

private:
    house& house_;
};

void rest(house& h, worker_id w) {
    h.at[w].request = request_state::resting;
    h.lobby.insert(request_of(w));
}

TEST(Jobs, GoToWhoRests) {
    house h(3);
    rest(h, 2);
    h.jobs = 1;
    sender s(h);
    relay_jobs(s);
    EXPECT_EQ(h.jobs, 0U);
    EXPECT_EQ(h.at[2].arrived, 1U);
    EXPECT_EQ(h.at[2].request, request_state::taken);
    EXPECT_NE(h.at[2].attention & bits::tasks, 0U);
    EXPECT_EQ(h.at[1].attention, 0U);
}

TEST(Jobs, AreAnnouncedToAllWhereNobodyRests) {
    house h(3);
    h.jobs = 2;
    sender s(h);
    relay_jobs(s);
    EXPECT_EQ(h.jobs, 2U) << "they wait for whoever looks";
    for (const place& p : h.at) EXPECT_NE(p.attention & bits::jobs, 0U);
}

TEST(Jobs, MoreThanThereAreThieves) {
    house h(3);
    rest(h, 1);
    h.jobs = 2;
    sender s(h);
    relay_jobs(s);
    EXPECT_EQ(h.jobs, 1U);
    EXPECT_EQ(h.at[1].arrived, 1U);
    for (const place& p : h.at) EXPECT_NE(p.attention & bits::jobs, 0U);
}

TEST(Jobs, WithdrawnRequestsAreSkipped) {
    house h(3);
    rest(h, 1);
    h.at[1].request = request_state::home;  // withdrawn, still in the lobby
    rest(h, 2);
    h.jobs = 1;
    sender s(h);
    relay_jobs(s);
    EXPECT_EQ(h.at[1].arrived, 0U);
    EXPECT_EQ(h.at[2].arrived, 1U);
}

TEST(Jobs, NothingToRelayIsNothingToTell) {
    house h(2);
    rest(h, 1);
    sender s(h);
    relay_jobs(s);
    EXPECT_EQ(h.at[1].request, request_state::resting);
    for (const place& p : h.at) EXPECT_EQ(p.attention, 0U);
}

}  // namespace
