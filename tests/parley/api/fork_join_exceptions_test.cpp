// fork_join: what comes out when a call throws.
#include "tests/parley/api/support.hpp"

#include <chrono>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::fork_join;

template <class F>
int number_of(F f) {
    try {
        f();
    } catch (const boom& b) {
        return b.number;
    }
    return -1;
}

const auto nothing = [] {};
const auto throw_1 = [] { throw boom{1}; };
const auto throw_2 = [] { throw boom{2}; };

TEST(ForkJoinExceptions, ThatOfEitherCallArrives) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(100); ++i) {
            EXPECT_EQ(number_of([&] { rt.run([] { fork_join(throw_1, nothing); }); }), 1);
            EXPECT_EQ(number_of([&] { rt.run([] { fork_join(nothing, throw_2); }); }), 2);
            EXPECT_EQ(number_of([&] { rt.run([] { fork_join(nothing, nothing, throw_2); }); }), 2);
            EXPECT_EQ(number_of([&] { rt.run([] { fork_join(nothing, throw_2, nothing); }); }), 2);
        }
        if (rt.workers() == 1) return;
        EXPECT_EQ(number_of([&] { rt.run([] { forked_elsewhere(throw_1, nothing); }); }), 1);
        EXPECT_EQ(number_of([&] { rt.run([] { forked_elsewhere(nothing, throw_2); }); }), 2);
    });
}

TEST(ForkJoinExceptions, ThatOfTheFirstCallWins) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(100); ++i)
            EXPECT_EQ(number_of([&] { rt.run([] { fork_join(throw_1, throw_2); }); }), 1);
        if (rt.workers() > 1) {
            EXPECT_EQ(number_of([&] { rt.run([] { forked_elsewhere(throw_1, throw_2); }); }), 1);
        }
    });
}

TEST(ForkJoinExceptions, SecondCallIsNotMadeIfTheFirstThrowsBeforeAnybodyTookIt) {
    parley::runtime rt{{.workers = 1}};  // nobody else could take it
    rt.run([] {
        bool called = false;
        EXPECT_THROW(fork_join(throw_1, [&] { called = true; }), boom);
        EXPECT_FALSE(called);
        EXPECT_THROW(fork_join(throw_1, [&] { called = true; }, [&] { called = true; }), boom);
        EXPECT_FALSE(called);
    });
}

TEST(ForkJoinExceptions, SecondCallThatWasTakenIsAwaitedFirst) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<bool> ended{false};
        EXPECT_EQ(number_of([&] {
                      rt.run([&] {
                          forked_elsewhere(throw_1, [&] {
                              std::this_thread::sleep_for(10ms);
                              ended = true;
                          });
                      });
                  }),
                  1);
        EXPECT_TRUE(ended);
    }
}

TEST(ForkJoinExceptions, NothingLeaks) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        const auto result = [&] { return counted(alive); };
        for (std::size_t i = 0; i < times(100); ++i) {
            EXPECT_THROW(rt.run([&] { fork_join(result, throw_2); }), boom);
            EXPECT_THROW(rt.run([&] { fork_join(throw_1, result); }), boom);
            EXPECT_THROW(rt.run([&] { fork_join(result, throw_2, result); }), boom);
        }
        if (rt.workers() > 1) {
            EXPECT_THROW(rt.run([&] { forked_elsewhere(result, throw_2); }), boom);
            EXPECT_THROW(rt.run([&] { forked_elsewhere(throw_1, result); }), boom);
        }
        EXPECT_EQ(alive, 0);
    });
}

// Every leaf throws: a tree of frames unwinds on several stacks at once.
void tree_of_throws(int depth) {
    if (depth == 0) throw boom{depth};
    fork_join([=] { tree_of_throws(depth - 1); }, [=] { tree_of_throws(depth - 1); });
}

// Only the last leaf throws.
void tree_with_one_throw(int depth, bool throws) {
    if (depth == 0 && throws) throw boom{depth};
    if (depth == 0) return;
    fork_join([=] { tree_with_one_throw(depth - 1, false); }, [=] { tree_with_one_throw(depth - 1, throws); });
}

TEST(ForkJoinExceptions, CrossManyLevels) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(50); ++i) {
            EXPECT_THROW(rt.run([] { tree_of_throws(10); }), boom);
            EXPECT_THROW(rt.run([] { tree_with_one_throw(10, true); }), boom);
            EXPECT_EQ(rt.run([] { return fib(10); }), 55U);
        }
    });
}

// A destructor that forks while an exception unwinds the frame that it is in.
struct forks_when_destroyed {
    ~forks_when_destroyed() {
        try {
            fork_join(nothing, throw_2);
        } catch (const boom& b) {
            caught = b.number;
        }
    }
    int& caught;
};

TEST(ForkJoinExceptions, MayBeThrownAndCaughtWhileAnotherOneUnwinds) {
    with_each_size([](parley::runtime& rt) {
        int caught = 0;
        EXPECT_EQ(number_of([&] {
                      rt.run([&] {
                          const forks_when_destroyed guard{caught};
                          throw_1();
                      });
                  }),
                  1);
        EXPECT_EQ(caught, 2);
    });
}

TEST(ForkJoinExceptions, AnythingMayBeThrown) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_THROW(rt.run([] { fork_join(nothing, [] { throw 7; }); }), int);
        if (rt.workers() > 1) {
            EXPECT_THROW(rt.run([] { forked_elsewhere(nothing, [] { throw "text"; }); }), const char*);
        }
    });
}

}  // namespace
