// In which order a worker runs what has been made: docs/guide/waiting.md. With one worker nobody else has a say.
#include "tests/parley/api/support.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace api_test;

// What a word does with three tasks of these names.
template <class Word>
std::string order_of(const Word& word) {
    std::string order;
    word([&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; });
    return order;
}

std::string order_of_each_word() {
    std::string all = order_of([](auto a, auto b, auto c) { parley::fork_join(a, b, c); });
    for (const bool waits : {true, false}) {
        all += ' ';
        all += order_of([waits](auto a, auto b, auto c) {
            parley::scope s;
            s.spawn(a);
            s.spawn(b);
            s.spawn(c);
            if (waits) s.wait();
        });
    }
    all += ' ';
    all += order_of([](auto a, auto b, auto c) {
        const auto x = parley::async(a), y = parley::async(b), z = parley::async(c);
        z.wait();
        y.wait();
        x.wait();
    });
    return all;
}

constexpr const char* newest_first_but_of_forks = "abc cba cba cba";

TEST(Order, OfForksIsAsWrittenAndOfTasksTheNewestFirst) {
    parley::runtime rt{{.workers = 1}};
    EXPECT_EQ(rt.run(order_of_each_word), newest_first_but_of_forks);
    EXPECT_EQ(rt.run([] { return parley::async(order_of_each_word).get(); }), newest_first_but_of_forks) << "in a task";
}

TEST(Order, OfSpawnedTasksIsTheNewestFirst) {
    parley::runtime rt{{.workers = 1}};
    EXPECT_EQ(rt.run([] {
        return order_of([](auto a, auto b, auto c) {
            parley::spawn(a);
            parley::spawn(b);
            parley::spawn(c);
            parley::barrier();
        });
    }),
              "cba");
}

// The default runtime of a process of its own.
TEST(Order, InAThreadOutsideIsTheOneInsideRun) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("PARLEY_WORKERS", "1", 1);
    EXPECT_EXIT(
        {
            std::fprintf(stderr, "%s\n", order_of_each_word().c_str());
            std::thread([] { std::fprintf(stderr, "%s\n", order_of_each_word().c_str()); }).join();
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^(abc cba cba cba\n){2}$");
    unsetenv("PARLEY_WORKERS");
}

TEST(Order, OfWhatAThreadOutsideGivesToAnotherRuntimeIsAsGiven) {
    parley::runtime rt{{.workers = 1}};
    EXPECT_EQ(order_of([&](auto a, auto b, auto c) {
                  parley::scope s(rt);
                  s.spawn(a);
                  s.spawn(b);
                  s.spawn(c);
              }),
              "abc");
}

// Depth first, until the goal is found: the first leaf of all.
struct search {
    static constexpr int children = 3;
    bool is_worst_first;
    parley::scope all{};
    int visited = 0;
    bool found = false;

    void visit(int depth, bool is_on_the_way) {
        if (found) return;
        ++visited;
        if (depth == 0) {
            found = found || is_on_the_way;
            return;
        }
        for (int n = 0; n < children; ++n) {
            const int child = is_worst_first ? children - 1 - n : n;
            all.spawn([this, depth, is_best = is_on_the_way && child == 0] { visit(depth - 1, is_best); });
        }
    }
};

TEST(Order, ASearchThatWantsItsBestChildFirstSpawnsItLast) {
    constexpr int depth = 6;
    parley::runtime rt{{.workers = 1}};
    const auto visited_by = [&](bool is_worst_first) {
        return rt.run([&] {
            search s{.is_worst_first = is_worst_first};
            s.visit(depth, true);
            s.all.wait();
            EXPECT_TRUE(s.found);
            return s.visited;
        });
    };
    EXPECT_EQ(visited_by(true), depth + 1);
    EXPECT_EQ(visited_by(false), (729 * 3 - 1) / 2) << "all nodes";
}

}  // namespace
