// What the handlers of a worker that is suspended, and of a manager that has gone, leave behind.
#include "tests/parley/protocol/one_worker.hpp"

namespace {

using namespace protocol_tests;

class SuspendedWorker : public one_worker {};

TEST_F(SuspendedWorker, StaysAwayAsNobodysVictimAndIdle) {
    mine.spare = 0;
    ASSERT_TRUE(self.leave(m));
    self.stay_away(m);
    EXPECT_TRUE(self.is_away());
    EXPECT_TRUE(mine.published.idle);
    mine.attention = bits::jobs | bits::news | bits::tasks;
    h.jobs = 1;
    self.serve(m);
    EXPECT_EQ(h.jobs, 1U) << "no job for it";
    EXPECT_EQ(mine.attention, 0U);
    EXPECT_TRUE(self.go_to_sleep(m, asking::nothing)) << "jobs do not keep it awake";
    self.wake_up(m);
    EXPECT_FALSE(mine.open);
}

TEST_F(SuspendedWorker, ComesBackAsAVictim) {
    ASSERT_TRUE(self.leave(m));
    self.stay_away(m);
    h.lobby = {request_of(2)};
    self.come_back(m);
    EXPECT_FALSE(self.is_away());
    EXPECT_TRUE(mine.open);
    EXPECT_FALSE(mine.published.idle);
    EXPECT_EQ(mine.attention & bits::lobby, bits::lobby);
}

TEST_F(SuspendedWorker, ManagerThatStaysAwayLeavesItsRoleToWorkerZeroForGood) {
    h.barrier_open = true;
    ASSERT_TRUE(self.leave(m));
    self.stay_away(m);
    EXPECT_EQ(h.manager, 0U);
    EXPECT_EQ(h.at[0].attention & bits::scan, bits::scan);
    self.come_back(m);
    EXPECT_EQ(h.manager, 0U);
}

TEST_F(SuspendedWorker, ScanThatIsAskedOfAnotherGoesToTheManager) {
    h.manager = 0;
    h.barrier_open = true;
    for (place& p : h.at) p.published.idle = true;
    (void)self.seek(m, standing::between_tasks);
    h.at[0].attention = 0;
    mine.attention = bits::scan;
    self.serve(m);
    EXPECT_EQ(h.at[0].attention, bits::scan) << "and nobody is released by two";
}

TEST_F(SuspendedWorker, WorkerZeroScansWhenTheRoleIsIts) {
    house with(2);
    machine zero{0, 2, 7, {}};
    one_thread_medium n(with, 0);
    with.manager = 0;
    with.at[1].published.idle = true;
    zero.open_barrier(n);
    (void)zero.seek(n, standing::between_tasks);
    EXPECT_EQ(with.at[0].attention & bits::scan, bits::scan);
    (void)zero.seek(n, standing::between_tasks);
    EXPECT_EQ(with.at[0].attention & bits::released, bits::released);
}

}  // namespace
