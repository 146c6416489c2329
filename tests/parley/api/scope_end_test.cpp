// The end of a scope that nobody has waited for: it waits itself, however its block is left; only an exception drops what
// has not begun.
#include "tests/parley/api/support.hpp"

#include <parley/farm.hpp>

#include <array>
#include <atomic>
#include <stop_token>

namespace {

using namespace api_test;
using parley::cancelled;
using parley::scope;

constexpr int tasks_of_each = 1000;

void spawn_all_into(scope& s, std::atomic<int>& ran) {
    for (int i = 0; i < tasks_of_each; ++i) s.spawn([&ran] { ++ran; });
}

int return_from(std::atomic<int>& ran) {
    scope s;
    spawn_all_into(s, ran);
    return 7;
}

// Each way to leave a block that is none by an exception, where the calling thread is.
void expect_that_all_run() {
    std::atomic<int> ran{0};
    {
        scope s;
        spawn_all_into(s, ran);
    }
    EXPECT_EQ(ran, tasks_of_each) << "end of the block";
    EXPECT_EQ(return_from(ran), 7);
    EXPECT_EQ(ran, 2 * tasks_of_each) << "return";
    for (int round = 0; round < 2; ++round) {
        scope s;
        spawn_all_into(s, ran);
        if (round == 0) continue;
        break;
    }
    EXPECT_EQ(ran, 4 * tasks_of_each) << "continue and break";
    {
        scope s(std::stop_source().get_token());
        spawn_all_into(s, ran);
    }
    EXPECT_EQ(ran, 5 * tasks_of_each) << "with a stop token";
    {
        scope s;
        s.spawn([&] { spawn_all_into(s, ran); });
    }
    EXPECT_EQ(ran, 6 * tasks_of_each) << "spawned by its tasks";
}

// And by exceptions: those of its tasks come out, that which leaves the block drops what has not begun.
void expect_that_exceptions_come_out() {
    const auto leave_with_a_task_that_throws = [] {
        scope s;
        s.spawn([] { throw boom{3}; });
    };
    EXPECT_THROW(leave_with_a_task_that_throws(), boom);
    tally alive{0};
    const auto throw_over = [&](int number) {
        scope s;
        for (int i = 0; i < tasks_of_each; ++i) s.spawn([c = counted(alive)] { throw boom{1}; });
        throw boom{number};
    };
    try {
        throw_over(2);
        ADD_FAILURE();
    } catch (const boom& e) {
        EXPECT_EQ(e.number, 2) << "that of the block, not that of a task";
    }
    EXPECT_EQ(alive, 0);
}

void expect_all_of_it() {
    expect_that_all_run();
    expect_that_exceptions_come_out();
}

TEST(ScopeEnd, WaitsInTheRootTask) {
    with_each_size([](parley::runtime& rt) { rt.run(expect_all_of_it); });
}

TEST(ScopeEnd, WaitsInAThreadOutside) {
    expect_all_of_it();
    in_threads(3, [](unsigned) { expect_all_of_it(); });
}

TEST(ScopeEnd, WaitsInAThreadOutsideForTasksOfAnotherRuntime) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> ran{0};
        {
            scope s(rt);
            spawn_all_into(s, ran);
        }
        EXPECT_EQ(ran, tasks_of_each);
        EXPECT_THROW(scope(rt).spawn([] { throw boom{}; }), boom) << "at the end of the expression";
    });
}

TEST(ScopeEnd, WaitsInATask) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            scope outer;
            for (int i = 0; i < 5; ++i) outer.spawn(expect_all_of_it);
        });
        rt.run([] { parley::async(expect_all_of_it).get(); });
        rt.run([] { parley::fork_join(expect_all_of_it, expect_all_of_it); });
        rt.run([] {
            parley::spawn(expect_all_of_it);
            parley::barrier();
        });
    });
}

TEST(ScopeEnd, WaitsInALoopAndInAFarmsWorker) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] { parley::for_each_index(0, 5, [](int) { expect_all_of_it(); }); });
        const std::array<int, 5> items{};
        int sum = 0;
        (parley::source(items) | parley::farm([](int) {
             expect_all_of_it();
             return 1;
         }) |
         parley::sink([&](int i) {
             sum += i;
         })).run(rt);
        EXPECT_EQ(sum, 5);
    });
}

TEST(ScopeEnd, WaitsInsideAnIsolation) {
    with_each_size([](parley::runtime& rt) { rt.run([] { parley::isolated(expect_all_of_it); }); });
}

TEST(ScopeEnd, WaitsWhereEveryCallIsMadeAtOnce) {
    parley::runtime rt{{.serial = true}};
    rt.run(expect_that_all_run);
    EXPECT_THROW(rt.run([] { scope().spawn([] { throw boom{}; }); }), boom);
}

TEST(ScopeEnd, IsThatOfACancelledRun) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        bool went_on = false;
        EXPECT_THROW(rt.run([&] {
            {
                scope s;
                for (int i = 0; i < tasks_of_each; ++i) s.spawn([c = counted(alive)] { parley::poll(); });
                rt.cancel();
            }
            went_on = true;
        }),
                     cancelled);
        EXPECT_FALSE(went_on) << "as if all had been done";
        EXPECT_EQ(alive, 0);
    });
}

TEST(ScopeEnd, OfAStoppedScopeThrowsWhereSomethingWasDropped) {
    with_each_size([](parley::runtime& rt) {
        const auto drop_one = [] {
            scope s;
            s.request_stop();
            s.spawn([] {});
        };
        const auto drop_nothing = [] {
            scope s;
            s.request_stop();
        };
        rt.run([&] {
            EXPECT_THROW(drop_one(), cancelled);
            EXPECT_NO_THROW(drop_nothing());
        });
    });
}

TEST(ScopeEnd, ThrowsOnceWhatWaitHasNotThrown) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            EXPECT_NO_THROW({
                scope s;
                s.spawn([] { throw boom{}; });
                EXPECT_THROW(s.wait(), boom);
            });
            EXPECT_THROW(
                {
                    scope s;
                    s.spawn([] { throw boom{1}; });
                    EXPECT_THROW(s.wait(), boom);
                    s.spawn([] { throw boom{2}; });
                },
                boom);
        });
    });
}

// That another exception is in flight is no reason to drop anything: the scope's own block is left as planned.
TEST(ScopeEnd, WaitsInADestructorThatAnExceptionCalls) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> ran{0};
        struct at_end {
            std::atomic<int>& counts;
            ~at_end() {
                scope s;
                spawn_all_into(s, counts);
            }
        };
        EXPECT_THROW(rt.run([&] {
            const at_end here{ran};
            throw boom{};
        }),
                     boom);
        EXPECT_EQ(ran, tasks_of_each);
    });
}

TEST(ScopeEnd, InAHandlerWaits) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            try {
                throw boom{};
            } catch (const boom&) {
                expect_all_of_it();
            }
        });
    });
}

}  // namespace
