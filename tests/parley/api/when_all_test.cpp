// when_all: several futures as one.
#include "tests/parley/api/support.hpp"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

namespace {

using namespace api_test;
using parley::async;
using parley::future;
using parley::when_all;

TEST(WhenAll, GivesTheResultsInTheOrderOfTheArguments) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            future<int> one = async([] { return 1; });
            const auto [a, b, c] =
                when_all(std::move(one), async([] { return std::string("two"); }), async([] { return 3.0; })).get();
            EXPECT_EQ(a, 1);
            EXPECT_EQ(b, "two");
            EXPECT_EQ(c, 3.0);
            EXPECT_FALSE(one.valid());  // NOLINT: moved in
        });
    });
}

TEST(WhenAll, GivesNothingReferencesAndWhatCanOnlyBeMoved) {
    with_each_size([](parley::runtime& rt) {
        int x = 0;
        rt.run([&] {
            auto all =
                when_all(async([] {}), async([&]() -> int& { return x; }), async([] { return std::make_unique<int>(2); }),
                         async([]() -> const std::string { return "const"; }));
            using expected = std::tuple<std::monostate, int&, std::unique_ptr<int>, const std::string>;
            static_assert(std::is_same_v<decltype(all.get()), expected>);
            const auto results = all.get();
            EXPECT_EQ(&std::get<1>(results), &x);
            EXPECT_EQ(*std::get<2>(results), 2);
            EXPECT_EQ(std::get<3>(results), "const");
        });
    });
}

TEST(WhenAll, OfAVectorGivesAVector) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<future<std::size_t>> some;
            for (std::size_t i = 0; i < 1000; ++i) some.push_back(async([i] { return i * i; }));
            const std::vector<std::size_t> results = when_all(std::move(some)).get();
            ASSERT_EQ(results.size(), 1000U);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < 1000; ++i) wrong += results[i] != i * i;
            EXPECT_EQ(wrong, 0U);
        });
    });
}

TEST(WhenAll, OfOtherContainersMovesTheFuturesOut) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        std::deque<future<int>> some;
        for (int i = 0; i < 3; ++i) some.push_back(async([i] { return i; }));
        EXPECT_EQ(when_all(std::move(some)).get(), (std::vector<int>{0, 1, 2}));
        std::array<future<int>, 2> two{async([] { return 1; }), async([] { return 2; })};
        EXPECT_EQ(when_all(std::move(two)).get(), (std::vector<int>{1, 2}));
    });
}

TEST(WhenAll, OfAVectorGivesNothingReferencesAndWhatCanOnlyBeMoved) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> ran{0};
        int x = 0;
        rt.run([&] {
            std::vector<future<void>> nothing;
            for (int i = 0; i < 10; ++i) nothing.push_back(async([&] { ++ran; }));
            auto all = when_all(std::move(nothing));
            static_assert(std::is_void_v<decltype(all.get())>);
            all.get();
            EXPECT_EQ(ran, 10);

            std::vector<future<int&>> references;
            references.push_back(async([&]() -> int& { return x; }));
            const std::vector<std::reference_wrapper<int>> found = when_all(std::move(references)).get();
            EXPECT_EQ(&found.at(0).get(), &x);

            std::vector<future<std::unique_ptr<int>>> owners;
            owners.push_back(async([] { return std::make_unique<int>(5); }));
            EXPECT_EQ(*when_all(std::move(owners)).get().at(0), 5);
        });
    });
}

TEST(WhenAll, OfNothingIsReady) {
    auto none = when_all();
    EXPECT_TRUE(none.valid());
    EXPECT_TRUE(none.is_ready());
    static_assert(std::is_same_v<decltype(none.get()), std::tuple<>>);
    none.get();
    EXPECT_FALSE(none.valid());
    auto empty = when_all(std::vector<future<int>>());
    EXPECT_TRUE(empty.is_ready());
    EXPECT_TRUE(empty.get().empty());
}

TEST(WhenAll, ThrowsTheFirstExceptionInTheOrderOfTheArguments) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            for (std::size_t i = 0; i < times(50); ++i) {
                try {
                    when_all(async([] { fib(8); }), async([] {
                                 fib(10);
                                 throw boom{1};
                             }),
                             async([] { throw boom{2}; }))
                        .get();
                    ADD_FAILURE() << "nothing thrown";
                } catch (const boom& b) {
                    EXPECT_EQ(b.number, 1);
                }
                std::vector<future<int>> some;
                for (int k = 0; k < 20; ++k) some.push_back(async([k] { return k % 7 == 5 ? throw boom{k} : k; }));
                try {
                    when_all(std::move(some)).get();
                    ADD_FAILURE() << "nothing thrown";
                } catch (const boom& b) {
                    EXPECT_EQ(b.number, 5);
                }
            }
        });
    });
}

TEST(WhenAll, ThrowsAfterAllHaveEnded) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(50); ++i)
            rt.run([&] {
                std::atomic<int> ended{0};
                auto all = when_all(async([] { throw boom{}; }), async([&] { fib(10), ++ended; }),
                                    async([&] { fib(12), ++ended; }));
                EXPECT_THROW(all.get(), boom);
                EXPECT_EQ(ended, 2);
                EXPECT_FALSE(all.valid());
            });
    });
}

TEST(WhenAll, WaitReturnsWhenAllHaveEndedAndThrowsNothing) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            std::atomic<int> ended{0};
            auto all = when_all(async([&] {
                                    ++ended;
                                    throw boom{};
                                }),
                                async([&] { fib(10), ++ended; }));
            all.wait();
            EXPECT_EQ(ended, 2);
            EXPECT_TRUE(all.is_ready());
            EXPECT_TRUE(all.valid());
            EXPECT_THROW(all.get(), boom);
        });
    });
}

TEST(WhenAll, IsReadyWhenTheLastOneIs) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            std::atomic<bool> go{false};
            auto all = when_all(async([] {}), async([&] { poll_until([&] { return go.load(); }); }));
            EXPECT_FALSE(all.is_ready());
            go = true;
            poll_until([&] { return all.is_ready(); });
        });
    }
}

TEST(WhenAll, JoinsAndDropsResultsWhenForgotten) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        rt.run([&] {
            for (int i = 0; i < 50; ++i) {
                std::atomic<int> ran{0};
                const auto task = [&, c = counted(alive)] {
                    ++ran;
                    return c;
                };
                { const auto all = when_all(async(task), async(task)); }
                EXPECT_EQ(ran, 2) << "the destructor did not wait";
                std::vector<future<counted>> some;
                some.push_back(async(task));
                some.push_back(async([&]() -> counted { throw boom{}; }));
                { const auto all = when_all(std::move(some)); }
                EXPECT_EQ(ran, 3);
                auto over = when_all(async(task));
                over = when_all(async(task));
                EXPECT_GE(ran, 4);
                over = {};
                EXPECT_EQ(ran, 5);
            }
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(WhenAll, DropsTheOtherResultsWhenItThrows) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        rt.run([&] {
            EXPECT_THROW(when_all(async([&] { return counted(alive); }), async([] { throw boom{}; }),
                                  async([&] { return counted(alive); }))
                             .get(),
                         boom);
            EXPECT_EQ(alive, 0);
        });
    });
}

TEST(WhenAll, SecondGetAndEmptyFuturesAreUsageErrors) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto all = when_all(async([] { return 1; }));
            EXPECT_EQ(std::get<0>(all.get()), 1);
            EXPECT_THROW(all.get(), parley::usage_error);
            EXPECT_THROW(all.wait(), parley::usage_error);
            decltype(all) never;
            EXPECT_FALSE(never.valid());
            EXPECT_FALSE(never.is_ready());
            EXPECT_THROW(never.get(), parley::usage_error);
            auto moved = when_all(async([] { return 2; }));
            auto to = std::move(moved);
            EXPECT_TRUE(to.valid());
            EXPECT_THROW(moved.get(), parley::usage_error);  // NOLINT: that is what is tested
            EXPECT_EQ(std::get<0>(to.get()), 2);
            std::vector<future<void>> none(2);
            for (auto& f : none) f = async([] {});
            auto nothing = when_all(std::move(none));
            EXPECT_NO_THROW(nothing.get());
            EXPECT_THROW(nothing.get(), parley::usage_error);
            EXPECT_THROW(nothing.wait(), parley::usage_error);

            std::atomic<bool> ran{false};
            EXPECT_THROW((void)when_all(async([&] { ran = true; }), future<int>()), parley::usage_error);
            EXPECT_TRUE(ran) << "the others were not awaited";
            EXPECT_THROW((void)when_all(std::vector<future<int>>(3)), parley::usage_error);
        });
    });
}

TEST(WhenAll, Nests) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto inner = when_all(async([] { return 1; }), async([] { return 2; }));
            const auto results = when_all(std::move(inner), async([] { return 3; })).get();
            EXPECT_EQ(std::get<0>(results), std::make_tuple(1, 2));
            EXPECT_EQ(std::get<1>(results), 3);
        });
    });
}

TEST(WhenAll, HelpsWhileItWaits) {
    parley::runtime rt{{.workers = 1}};  // nobody else can run them
    rt.run([] {
        std::vector<future<std::uint64_t>> some;
        for (int i = 0; i < 100; ++i) some.push_back(async([] { return fib(5); }));
        for (const std::uint64_t n : when_all(std::move(some)).get()) EXPECT_EQ(n, serial_fib(5));
    });
}

TEST(WhenAll, MayBeFetchedInAnotherTaskAndOutside) {
    with_each_size([](parley::runtime& rt) {
        auto all = rt.run([] {
            auto some = when_all(async([] { return fib(8); }), async([] { return 2; }));
            auto later = async([f = std::move(some)]() mutable { return std::get<0>(f.get()); });
            return when_all(std::move(later), async([] { return 3; }));
        });
        EXPECT_EQ(all.get(), std::make_tuple(serial_fib(8), 3));
    });
}

TEST(WhenAll, LeavesWhenTheWorkIsCancelled) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_THROW(rt.run([&] {
            auto all = when_all(async([] {}), async([] {}), async([] {}));
            rt.cancel();
            all.get();
            parley::poll();
        }),
                     parley::cancelled);
        EXPECT_EQ(rt.run([] { return fib(5); }), 5U);
    });
}

TEST(WhenAll, IsMovedOnlyAndThrowsNothingThen) {
    using joint = decltype(when_all(std::declval<future<int>>()));
    using joint_of_vector = decltype(when_all(std::declval<std::vector<future<int>>>()));
    static_assert(std::is_nothrow_destructible_v<joint> && std::is_nothrow_destructible_v<joint_of_vector>);
    static_assert(std::is_nothrow_move_constructible_v<joint>);
    static_assert(std::is_nothrow_move_assignable_v<joint_of_vector>);
    static_assert(!std::is_copy_constructible_v<joint>);
    // What is given must be given away.
    static_assert(!std::is_invocable_v<decltype([](auto& v) -> decltype(when_all(v)) { return when_all(v); }),
                                       std::vector<future<int>>&>);
}

}  // namespace
