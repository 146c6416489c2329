// What others see of a worker that blocks.
#include <parley/blocking.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using parley::blocking_region;
using parley::threading::worker;

bool is_asked(const worker& w) { return !w.shared_part().letters.is_closed(); }

bool request_is_home(const worker& w) { return w.shared_part().first.state.get() == parley::protocol::request_state::home; }

class BlockingWorker : public testing::Test {
protected:
    template <class Body>
    void in_a_task(Body body) {
        parley::runtime rt{{.workers = 2}};
        rt.run([&] {
            parley::fork_join([] {}, [] {});  // starts the threads
            body(*parley::threading::current);
        });
    }
};

TEST_F(BlockingWorker, IsAskedBeforeAndAfterARegionAndNotInside) {
    in_a_task([](const worker& self) {
        EXPECT_TRUE(is_asked(self));
        {
            const blocking_region outer;
            EXPECT_FALSE(is_asked(self));
            {
                const blocking_region inner;
                EXPECT_FALSE(is_asked(self));
            }
            EXPECT_FALSE(is_asked(self));
        }
        EXPECT_TRUE(is_asked(self));
    });
}

TEST_F(BlockingWorker, HasNoTasksAndNoRequestOut) {
    in_a_task([](const worker& self) {
        for (int i = 0; i < 1000; ++i) {
            const auto some = parley::async([] {});
            const auto more = parley::async([] {});
            const blocking_region here;
            EXPECT_EQ(self.queued(), 0U);
            EXPECT_TRUE(request_is_home(self));
        }
    });
}

// The answer comes after the worker has begun something else. The worker sends it to itself, since nobody else has a task.
TEST_F(BlockingWorker, ReceivesALateAnswerInAnIsolatedLoop) {
    in_a_task([](worker& self) {
        std::atomic<bool> begun{false}, may_end{false};
        const auto other = parley::async([&] {
            begun = true;
            while (!may_end) std::this_thread::yield();
        });
        while (!begun) parley::poll();
        std::atomic<int> ran{0};
        parley::scope s;
        parley::isolated([&] {
            parley::for_each_index(0, 10, [&](int i) {
                ++ran;
                if (i != 3) return;
                s.spawn([&ran] { ++ran; });
                ASSERT_EQ(self.queued(), 1U);
                const parley::protocol::request_id own = parley::protocol::request_of(self.id());
                parley::threading::thread_medium m(self);
                m.set_state(own, parley::protocol::request_state::taken);
                m.publish_sent();
                m.send_tasks(own, parley::protocol::amount::one);
                ASSERT_EQ(m.spare(), 1U) << "the rest of the loop";
                parley::blocking([&] {
                    EXPECT_TRUE(request_is_home(self));
                    may_end = true;
                });
            });
        });
        s.wait();
        other.wait();
        EXPECT_EQ(ran, 11);
    });
}

TEST_F(BlockingWorker, IsInNoRegionWhileItWaits) {
    in_a_task([](worker& self) {
        const blocking_region here;
        int looked = 0;
        parley::threading::wait_until(self, [&self, &looked] {
            EXPECT_FALSE(self.is_blocking());
            EXPECT_TRUE(is_asked(self));
            return ++looked > 1;
        });
        EXPECT_TRUE(self.is_blocking());
        EXPECT_FALSE(is_asked(self));
    });
}

TEST_F(BlockingWorker, ThatIsAloneLosesNothing) {
    parley::runtime rt{{.workers = 1}};
    rt.run([] {
        const worker& self = *parley::threading::current;
        const auto one = parley::async([] {});
        const blocking_region here;
        EXPECT_NE(self.queued(), 0U);
    });
}

}  // namespace
