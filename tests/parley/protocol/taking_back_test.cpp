// What a worker takes back that it has sent, and what its thief finds then.
#include "tests/parley/protocol/one_worker.hpp"

#include <string>
#include <vector>

namespace {

using namespace protocol_tests;

class TakingBack : public one_worker {
protected:
    // Worker 1 has answered worker 2, which sleeps, and has nothing else.
    void SetUp() override {
        mine.spare = 1;
        h.at[2].request = request_state::resting;
        h.at[2].asleep = true;
        h.lobby.insert(request_of(2));
        mine.attention = bits::lobby;
        self.serve(m);
        ASSERT_EQ(h.at[2].request, request_state::taken);
        ASSERT_EQ(h.at[2].arrived, 1U);
        h.order.clear();
    }
};

TEST_F(TakingBack, SendsTheRequestHomeAndTellsItsThief) {
    h.at[2].attention = 0;
    EXPECT_TRUE(self.take_back(m));
    EXPECT_EQ(mine.spare, 1U);
    EXPECT_EQ(h.at[2].arrived, 0U);
    EXPECT_EQ(h.at[2].request, request_state::home);
    EXPECT_EQ(h.at[2].attention, bits::tasks);
    EXPECT_EQ(h.order, (std::vector<std::string>{"take back", "home", "wake"}));
}

// I4: the sums of answers sent and received are equal again, and the worker is not idle.
TEST_F(TakingBack, CountsTheAnswerAsReceived) {
    (void)self.seek(m, standing::between_tasks);
    ASSERT_TRUE(mine.published.idle);
    EXPECT_TRUE(self.take_back(m));
    EXPECT_FALSE(mine.published.idle);
    EXPECT_EQ(mine.published.received, mine.published.sent);
    EXPECT_EQ(noted(event::steal), 1);
}

// I1: it has tasks now, so it asks for none.
TEST_F(TakingBack, WithdrawsTheOwnRequest) {
    (void)self.seek(m, standing::in_task);
    ASSERT_NE(mine.request, request_state::home);
    EXPECT_TRUE(self.take_back(m));
    EXPECT_EQ(mine.request, request_state::home);
}

TEST_F(TakingBack, ChangesNothingIfTheThiefWasFaster) {
    machine thief{2, 3, 7, {}};
    one_thread_medium of_thief{h, 2};
    EXPECT_TRUE(thief.seek(of_thief, standing::in_task));
    const auto received = mine.published.received;
    h.at[2].attention = 0;
    EXPECT_FALSE(self.take_back(m));
    EXPECT_EQ(mine.spare, 0U);
    EXPECT_EQ(h.at[2].spare, 1U);
    EXPECT_EQ(mine.published.received, received);
    EXPECT_EQ(h.at[2].attention, 0U);
}

// The thief has seen the answer, and its victim is faster. It has received nothing, and asks again at once.
TEST_F(TakingBack, LeavesTheThiefToAskAgain) {
    machine thief{2, 3, 7, {}};
    one_thread_medium of_thief{h, 2};
    h.before_answer_is_taken = [&] { EXPECT_TRUE(self.take_back(m)); };
    EXPECT_FALSE(thief.seek(of_thief, standing::in_task));
    EXPECT_EQ(h.at[2].published.received, 0U);
    EXPECT_EQ(h.at[2].request, request_state::circulating);
}

}  // namespace
