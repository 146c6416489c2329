// run_if_newest(): the wait that ends with the first task that it runs, where a wait would begin with that.
#include <parley/detail/runtime/wait.hpp>

#include <parley/blocking.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/runtime.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace {

using parley::async;
using parley::threading::run_if_newest;
using parley::threading::worker;

// A task that says how deep it ran; the test keeps it.
struct noted : parley::threading::task {
    noted() noexcept : task{&run_here} {}
    static void run_here(task* t, worker& self) { static_cast<noted*>(t)->depth = self.depth(); }
    std::optional<std::uint32_t> depth;
};

// With one worker: nobody else takes anything.
template <class Body>
void alone(Body body) {
    parley::runtime rt{{.workers = 1}};
    rt.run([&] { body(*parley::threading::current); });
}

void run_what_is_left(worker& self) {
    parley::threading::wait_until(self, [&] { return self.queued() == 0; });
}

TEST(RunIfNewest, RunsItAsAChild) {
    alone([](worker& self) {
        noted t;
        self.push(&t);
        EXPECT_TRUE(run_if_newest(self, &t));
        EXPECT_EQ(t.depth, self.depth() + 1);
        EXPECT_EQ(self.queued(), 0U);
    });
}

TEST(RunIfNewest, LeavesWhatItDoesNotRunWhereItIs) {
    alone([](worker& self) {
        noted older, newer, elsewhere;
        self.push(&older);
        self.push(&newer);
        EXPECT_FALSE(run_if_newest(self, &older));
        EXPECT_FALSE(run_if_newest(self, &elsewhere));
        EXPECT_EQ(self.own_part().tasks.size(), 2U);
        EXPECT_TRUE(run_if_newest(self, &newer));
        EXPECT_TRUE(run_if_newest(self, &older));
        EXPECT_FALSE(run_if_newest(self, &older)) << "nothing is there";
        EXPECT_FALSE(elsewhere.depth);
    });
}

// Held tasks are older than the region, or may wait for what lies under it.
TEST(RunIfNewest, DoesNotRunWhatIsHeld) {
    alone([](worker& self) {
        noted foreign, inside;
        self.push(&foreign);
        parley::isolated([&] {
            EXPECT_FALSE(run_if_newest(self, &foreign));
            self.push(&inside);
            EXPECT_EQ(self.own_part().tasks.held(), 1U);
            EXPECT_TRUE(run_if_newest(self, &inside));
            EXPECT_FALSE(run_if_newest(self, &foreign));
            EXPECT_EQ(self.own_part().tasks.held(), 1U);
        });
        EXPECT_EQ(self.own_part().tasks.held(), 0U);
        EXPECT_TRUE(run_if_newest(self, &foreign));
    });
}

TEST(RunIfNewest, LeavesToTheWaitWhatIsToBeLookedAfter) {
    alone([](worker& self) {
        noted t;
        self.push(&t);
        int high = 0;
        const auto urgent = async(parley::priority::high, [&] { ++high; });
        EXPECT_FALSE(run_if_newest(self, &t)) << "the high one first";
        run_what_is_left(self);
        EXPECT_EQ(high, 1);
        EXPECT_TRUE(t.depth);

        noted deep;
        self.push(&deep);
        const std::uint32_t depth = std::exchange(self.own_part().stack.depth, 10'000);
        EXPECT_FALSE(run_if_newest(self, &deep)) << "on another stack";
        self.own_part().stack.depth = depth;
        {
            const parley::blocking_region here;
            EXPECT_FALSE(run_if_newest(self, &deep));
        }
        run_what_is_left(self);

        noted other;
        self.push(&other);
        parley::runtime inner{{.workers = 1}};
        inner.run([&] { EXPECT_FALSE(run_if_newest(self, &other)) << "a visit to another runtime lies on top"; });
        EXPECT_TRUE(run_if_newest(self, &other));
    });
}

// What a future's get() does with its newest task, and only with that.
TEST(RunIfNewest, IsWhatFuturesDo) {
    alone([](worker& self) {
        std::optional<std::uint32_t> first, second;
        auto a = async([&] { first = self.depth(); });
        auto b = async([&] { second = self.depth(); });
        b.get();
        EXPECT_EQ(second, self.depth() + 1);
        EXPECT_FALSE(first);
        a.get();
        EXPECT_TRUE(first);
    });
}

}  // namespace
