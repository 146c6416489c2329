// What a worker with a task keeps back: what its medium says is not worth giving yet.
#include "tests/parley/protocol/one_worker.hpp"

#include <optional>
#include <vector>

namespace {

using namespace protocol_tests;

class KeepingBack : public one_worker {};

// What is not worth giving yet stays: who rests goes on resting, and the bell goes on ringing, so that this worker looks
// again.
TEST_F(KeepingBack, LeavesWhatIsNotWorthGivingToThoseWhoRest) {
    h.keeps_back = true;
    mine.spare = 2;
    h.at[0].request = request_state::resting;
    h.lobby.insert(request_of(0));
    mine.attention = bits::lobby;
    self.serve(m);
    EXPECT_EQ(mine.spare, 2U);
    EXPECT_EQ(h.at[0].request, request_state::resting);
    EXPECT_TRUE(h.lobby.contains(request_of(0)));
    EXPECT_EQ(mine.attention, bits::lobby);
    EXPECT_EQ(h.asked_whether_it_keeps, std::vector{no_worker});
    h.keeps_back = false;
    self.serve(m);
    EXPECT_EQ(h.at[0].arrived, 1U);
}

// Whose letter has come goes on to the next one, as if there were nothing here, and rests in the end.
TEST_F(KeepingBack, HandsOnALetterWhoseThiefIsNotFedYet) {
    h.keeps_back = true;
    mine.spare = 2;
    h.at[2].request = request_state::circulating;
    h.at[2].letter_here = false;
    letter t{};
    t.request = request_of(2);
    mine.mailbox.push_back(t);
    mine.attention = bits::mail;
    self.serve(m);
    EXPECT_EQ(mine.spare, 2U);
    EXPECT_TRUE(mine.mailbox.empty());
    EXPECT_EQ(h.at[2].arrived, 0U);
    EXPECT_EQ(h.asked_whether_it_keeps, std::vector<worker_id>{2});
}

// A worker that waits has nothing better to do with it, and one that was interrupted may not look again for long.
TEST_F(KeepingBack, GivesAllWhereItWaitsOrIsInterrupted) {
    h.keeps_back = true;
    for (const bool interrupted : {false, true}) {
        mine.spare = 1;
        h.at[0].request = request_state::resting;
        h.at[0].arrived = 0;
        h.lobby.insert(request_of(0));
        mine.attention = bits::lobby;
        if (interrupted) self.serve_interrupted(m);
        else (void)self.seek(m, standing::in_task);
        EXPECT_EQ(h.at[0].arrived, 1U) << interrupted;
    }
    EXPECT_TRUE(h.asked_whether_it_keeps.empty());
}

}  // namespace
