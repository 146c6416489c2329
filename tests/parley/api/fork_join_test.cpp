// fork_join: what it calls and what it returns.
#include "tests/parley/api/support.hpp"

#include <any>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

namespace {

using namespace api_test;
using parley::fork_join;

int one() { return 1; }
int two() { return 2; }

TEST(ForkJoin, ReturnsTheResultsOfTwoToFiveCallsInOrder) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto a = [] { return 1; };
            const auto b = [] { return 'b'; };
            EXPECT_EQ(fork_join(a, b), std::tuple(1, 'b'));
            EXPECT_EQ(fork_join(a, b, [] { return 3L; }), std::tuple(1, 'b', 3L));
            EXPECT_EQ(fork_join(b, a, b, [] { return 4U; }), std::tuple('b', 1, 'b', 4U));
            EXPECT_EQ(fork_join(a, a, b, b, [] { return std::string("five"); }),
                      std::tuple(1, 1, 'b', 'b', std::string("five")));
        });
    });
}

TEST(ForkJoin, GivesVoidAsMonostateAndReferencesAsReferences) {
    int x = 0;
    const int y = 0;
    const auto nothing = [] {};
    const auto refer = [&]() -> int& { return x; };
    const auto refer_const = [&]() -> const int& { return y; };
    static_assert(std::is_same_v<decltype(fork_join(nothing, nothing)), std::tuple<std::monostate, std::monostate>>);
    static_assert(std::is_same_v<decltype(fork_join(refer, refer_const)), std::tuple<int&, const int&>>);
    static_assert(
        std::is_same_v<decltype(fork_join(refer, nothing, refer_const)), std::tuple<int&, std::monostate, const int&>>);
    with_each_size([&](parley::runtime& rt) {
        rt.run([&] {
            auto [a, b] = fork_join(refer, refer_const);
            EXPECT_EQ(&a, &x);
            EXPECT_EQ(&b, &y);
            auto [c, d, e] = fork_join(refer_const, nothing, refer);
            EXPECT_EQ(&c, &y);
            EXPECT_EQ(&e, &x);
            static_cast<void>(d);
            if (rt.workers() > 1) {
                auto [f, g] = forked_elsewhere(refer, refer_const);
                EXPECT_EQ(&f, &x);
                EXPECT_EQ(&g, &y);
                forked_elsewhere(nothing, nothing);
            }
        });
    });
}

TEST(ForkJoin, MovesResultsThatCanNotBeCopied) {
    const auto make = [](int n) { return [n] { return std::make_unique<int>(n); }; };
    with_each_size([&](parley::runtime& rt) {
        rt.run([&] {
            auto [a, b] = fork_join(make(1), make(2));
            EXPECT_EQ(*a + *b, 3);
            auto [c, d, e] = fork_join(make(1), make(2), make(3));
            EXPECT_EQ(*c * *d * *e, 6);
            if (rt.workers() > 1) {
                auto [f, g] = forked_elsewhere(make(3), make(4));
                EXPECT_EQ(*f + *g, 7);
            }
        });
    });
}

// Results that are tuples themselves, or that everything converts to, must not be unpacked.
TEST(ForkJoin, ResultsThatContainOthersStayAsTheyAre) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        const auto pack = [] { return std::tuple(1); };
        const auto any = [] { return std::any(2); };
        const auto [a, b] = fork_join(pack, any);
        EXPECT_EQ(a, std::tuple(1));
        EXPECT_EQ(std::any_cast<int>(b), 2);
        const auto [c, d, e] = fork_join(any, pack, any);
        EXPECT_EQ(std::any_cast<int>(c), 2);
        EXPECT_EQ(d, std::tuple(1));
        EXPECT_EQ(std::any_cast<int>(e), 2);
    });
}

TEST(ForkJoin, CallsPointersToFunctionsAndStdFunction) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            EXPECT_EQ(fork_join(&one, &two), std::tuple(1, 2));
            int (*const named)() = one;
            EXPECT_EQ(fork_join(named, &two, named), std::tuple(1, 2, 1));
            std::function<int()> f = one;
            const std::function<int()> g = two;
            EXPECT_EQ(fork_join(f, g), std::tuple(1, 2));
        });
    });
}

struct counter {
    int calls = 0;
    int operator()() { return ++calls; }
};

TEST(ForkJoin, NamedCallablesAreCalledThemselvesNotCopies) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            counter f, g, h;
            fork_join(f, g);
            EXPECT_EQ(f.calls, 1);
            EXPECT_EQ(g.calls, 1);
            fork_join(f, g, h);
            EXPECT_EQ(f.calls + g.calls + h.calls, 5);
            if (rt.workers() == 1) return;
            std::atomic<bool> taken{false};
            auto slow = [&, n = 0]() mutable {
                taken = true;
                return ++n;
            };
            fork_join([&] { poll_until([&] { return taken.load(); }); }, slow);
            EXPECT_EQ(slow(), 2) << "the thief called a copy";
        });
    });
}

TEST(ForkJoin, TakesCallablesThatCanNotBeCopiedOrMoved) {
    struct pinned {
        pinned() = default;
        pinned(const pinned&) = delete;
        pinned& operator=(const pinned&) = delete;
        int operator()() const { return 5; }
    };
    with_each_size([](parley::runtime& rt) {
        pinned f, g;
        EXPECT_EQ(rt.run([&] { return fork_join(f, g); }), std::tuple(5, 5));
        const auto owner = [p = std::make_unique<int>(6)] { return *p; };
        EXPECT_EQ(rt.run([&] { return fork_join(owner, owner); }), std::tuple(6, 6));
    });
}

TEST(ForkJoin, TakesClosuresOfAnySize) {
    std::array<int, 2000> many{};
    many[1999] = 7;
    const auto big = [many] { return many[1999]; };
    with_each_size([&](parley::runtime& rt) {
        rt.run([&] {
            EXPECT_EQ(fork_join(big, big), std::tuple(7, 7));
            EXPECT_EQ(fork_join(big, [many] { return many[1999]; }), std::tuple(7, 7));
            if (rt.workers() > 1) {
                EXPECT_EQ(forked_elsewhere(big, big), std::tuple(7, 7));
            }
        });
    });
}

TEST(ForkJoin, RunsTheFirstCallInTheCallingThread) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto here = std::this_thread::get_id();
            const auto [a, b] = fork_join([] { return std::this_thread::get_id(); }, [] {});
            EXPECT_EQ(a, here);
            static_cast<void>(b);
        });
    });
}

TEST(ForkJoin, DestroysWhatItsResultsAndClosuresHold) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        rt.run([&] {
            for (int i = 0; i < 100; ++i) {
                const counted c(alive);
                auto kept = fork_join([c] { return c; }, [c] { return c; });
                static_cast<void>(kept);
            }
            if (rt.workers() > 1) forked_elsewhere([&] { return counted(alive); }, [&] { return counted(alive); });
        });
        EXPECT_EQ(alive, 0);
    });
}

int depth_left(int n) {
    if (n == 0) return 0;
    return 1 + std::get<0>(fork_join([n] { return depth_left(n - 1); }, [] {}));
}
int depth_right(int n) {
    if (n == 0) return 0;
    return 1 + std::get<1>(fork_join([] {}, [n] { return depth_right(n - 1); }));
}

constexpr int deep = is_sanitized ? 1'000 : 10'000;

TEST(ForkJoin, RecursesDeeply) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_EQ(rt.run([] { return fib(18); }), serial_fib(18));
        EXPECT_EQ(rt.run([] { return depth_left(deep); }), deep);
        EXPECT_EQ(rt.run([] { return depth_right(deep); }), deep);
    });
}

TEST(ForkJoin, WorksInsideAsyncScopeAndLoopAndTheyInsideIt) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> sum{0};
        rt.run([&] {
            const auto leaf = [&] { ++sum; };
            const auto fork = [&] { fork_join(leaf, leaf); };
            const auto all = [&] {
                auto f = parley::async(fork);
                parley::scope s;
                s.spawn(fork);
                parley::for_each_index(0, 5, [&](int) { fork(); });
                s.wait();
                f.get();
            };
            fork_join(all, all);
        });
        EXPECT_EQ(sum, 2 * (2 + 2 + 10));
    });
}

TEST(ForkJoin, OutsideAnyRuntimeEntersTheDefaultOne) {
    EXPECT_EQ(fork_join(&one, &two), std::tuple(1, 2));
    EXPECT_EQ(fork_join(&one, &two, &one), std::tuple(1, 2, 1));
    EXPECT_EQ(fib(15), serial_fib(15));
    EXPECT_THROW(fork_join(&one, []() -> int { throw boom{}; }), boom);
    in_threads(4, [](unsigned) { EXPECT_EQ(fib(15), serial_fib(15)); });
}

}  // namespace
