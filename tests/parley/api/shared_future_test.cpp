// shared_future: one result, many readers.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::future;
using parley::shared_future;
using status = std::future_status;

TEST(SharedFuture, ShowsValuesNothingAndReferences) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const shared_future<const std::string> s = async([]() -> const std::string { return "one"; }).share();
            static_assert(std::is_same_v<decltype(s.get()), const std::string&>);
            EXPECT_EQ(s.get(), "one");
            EXPECT_EQ(&s.get(), &s.get()) << "it stays where it is";
            int x = 0;
            const shared_future<int&> r = async([&]() -> int& { return x; }).share();
            static_assert(std::is_same_v<decltype(r.get()), int&>);
            EXPECT_EQ(&r.get(), &x);
            shared_future<void> v = async([&] { x = 1; });
            static_assert(std::is_void_v<decltype(v.get())>);
            v.get();
            v.get();
            EXPECT_EQ(x, 1);
            const auto p = async([] { return std::make_unique<int>(7); }).share();
            EXPECT_EQ(*p.get(), 7);
        });
    });
}

TEST(SharedFuture, CopiesReadTheSame) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto a = async([] { return std::string("text"); }).share();
            auto b = a;
            const auto* const where = &a.get();
            EXPECT_EQ(&b.get(), where);
            shared_future<std::string> c;
            c = std::move(b);
            EXPECT_FALSE(b.valid());  // NOLINT: that is what is tested
            a = {};
            EXPECT_EQ(&c.get(), where);
        });
    });
}

TEST(SharedFuture, EachReaderGetsWhatTheTaskThrew) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto s = async([]() -> int { throw boom{3}; }).share();
            s.wait();
            for (int i = 0; i < 3; ++i) EXPECT_THROW((void)s.get(), boom);
            const auto copy = s;
            EXPECT_THROW((void)copy.get(), boom);
        });
    });
}

TEST(SharedFuture, TheFutureIsEmptyAfterwards) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        auto f = async([] { return 1; });
        const auto s = f.share();
        EXPECT_FALSE(f.valid());
        EXPECT_THROW((void)f.get(), parley::usage_error);
        EXPECT_TRUE(s.valid());
        EXPECT_EQ(s.get(), 1);
        EXPECT_TRUE(s.valid());
        EXPECT_TRUE(s.is_ready());
    });
}

TEST(SharedFuture, OfNoneIsAUsageError) {
    for (const shared_future<int>& s : {shared_future<int>{}, future<int>{}.share(), shared_future<int>(future<int>{})}) {
        EXPECT_FALSE(s.valid());
        EXPECT_FALSE(s.is_ready());
        EXPECT_THROW((void)s.get(), parley::usage_error);
        EXPECT_THROW(s.wait(), parley::usage_error);
        EXPECT_THROW((void)s.wait_for(0s), parley::usage_error);
        EXPECT_THROW((void)s.wait_until(std::chrono::steady_clock::now()), parley::usage_error);
    }
}

TEST(SharedFuture, ManyTasksAndThreadsReadIt) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(50); ++round) {
            std::atomic<int> right{0};
            const auto s = rt.run([] { return async([] { return std::vector<int>(100, 7); }); }).share();
            const auto read = [&right](const shared_future<std::vector<int>>& mine) {
                if (mine.get().size() == 100 && mine.get()[99] == 7) ++right;
            };
            std::thread inside([&] {
                rt.run([&] {
                    parley::scope tasks;
                    for (int i = 0; i < 20; ++i) tasks.spawn([s, &read] { read(s); });
                    tasks.wait();
                });
            });
            in_threads(3, [&](unsigned) { read(s); });
            inside.join();
            EXPECT_EQ(right, 23);
        }
    });
}

// The last copy may go anywhere; the result is dropped once.
TEST(SharedFuture, TheLastCopyWaitsAndDropsTheResult) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        for (std::size_t i = 0; i < times(100); ++i) {
            std::atomic<bool> ran{false};
            rt.run([&] {
                auto s = async([&ran, c = counted(alive)] {
                             ran = true;
                             return c;
                         }).share();
                for (int k = 0; k < 3; ++k) parley::spawn([s] {});
                s = {};
                parley::barrier();
                EXPECT_TRUE(ran);
            });
            EXPECT_EQ(alive, 0);
        }
        auto outside = rt.run([&] { return async([c = counted(alive)] { return c; }).share(); });
        outside = {};
        EXPECT_EQ(alive, 0);
    });
}

TEST(SharedFuture, OutlivesTheRuntime) {
    for (const unsigned n : worker_counts) {
        shared_future<int> s;
        {
            parley::runtime rt{{.workers = n}};
            s = rt.run([] { return async([] { return 5; }).share(); });
        }
        const auto copy = s;
        EXPECT_EQ(copy.get(), 5);
    }
}

TEST(SharedFuture, SaysThatItsTaskWasDropped) {
    parley::runtime rt{{.workers = 1}};
    shared_future<void> s;
    rt.run([&] {
        s = async([] {}).share();
        rt.cancel();
        for (int i = 0; i < 2; ++i) EXPECT_THROW(s.get(), parley::cancelled);
    });
    EXPECT_THROW(s.get(), parley::cancelled);
}

TEST(SharedFuture, WaitsUpToATime) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            std::atomic<bool> end{false}, begun{false};
            const auto s = async([&] {
                               begun = true;
                               block_until([&] { return end.load(); });
                           }).share();
            poll_until([&] { return begun.load(); });
            EXPECT_EQ(s.wait_for(1ms), status::timeout);
            EXPECT_EQ(s.wait_until(std::chrono::system_clock::now()), status::timeout);
            end = true;
            EXPECT_EQ(s.wait_for(1h), status::ready);
        });
    }
}

}  // namespace
