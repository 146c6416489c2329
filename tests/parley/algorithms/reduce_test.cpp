// reduce and reduce_deterministic: order, types, exceptions.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>
#include <random>
#include <ranges>
#include <string>

namespace {

using namespace api_test;

constexpr std::size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1'000, 1'023, 1'024, 1'025, 30'011};

// Associative, not commutative: x -> a x + b, one after the other.
struct affine {
    std::uint64_t a = 1, b = 0;
    friend affine operator*(const affine& f, const affine& g) { return {f.a * g.a, f.b * g.a + g.b}; }
    friend bool operator==(const affine&, const affine&) = default;
};

std::vector<affine> some_affine(std::size_t n) {
    std::mt19937_64 random(n);
    std::vector<affine> all(n);
    for (affine& f : all) f = {random(), random()};
    return all;
}

TEST(Reduce, KeepsTheOrderAndNeedsAssociativityOnly) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                const auto all = some_affine(n);
                const affine init{3, 4};
                const affine expected = std::accumulate(all.begin(), all.end(), init, std::multiplies<>{});
                for (std::size_t round = 0; round < times(10); ++round) {
                    ASSERT_EQ(parley::reduce(all.begin(), all.end(), init, std::multiplies<>{}), expected);
                    ASSERT_EQ(parley::reduce_deterministic(all.begin(), all.end(), init, std::multiplies<>{}), expected);
                }
            }
        });
    });
}

TEST(Reduce, ElementsThatTakeLongReachOtherWorkersAndStayInOrder) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::string letters(500, ' '), expected;
        for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = static_cast<char>('a' + i % 26);
        std::atomic<bool> other{false};
        const auto here = std::this_thread::get_id();
        const auto slow = [&](const char& c) {
            if (std::this_thread::get_id() != here) other = true;
            else if (&c == letters.data()) poll_until([&] { return other.load(); });
            fib(8);
            return std::string(1, c);
        };
        EXPECT_EQ(
            rt.run([&] { return parley::reduce(letters.begin(), letters.end(), std::string("_"), std::plus<>{}, slow); }),
            "_" + letters);
        EXPECT_TRUE(other);
    }
}

TEST(Reduce, AddsByDefaultFromInitOrFromNothing) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                std::vector<std::int64_t> v(n);
                std::iota(v.begin(), v.end(), -3);
                const auto sum = std::accumulate(v.begin(), v.end(), std::int64_t{0});
                EXPECT_EQ(parley::reduce(v.begin(), v.end()), sum);
                EXPECT_EQ(parley::reduce(v.begin(), v.end(), std::int64_t{10}), sum + 10);
                EXPECT_EQ(parley::reduce_deterministic(v.begin(), v.end(), std::int64_t{10}), sum + 10);
                const std::deque<short> in_segments(v.begin(), v.end());
                EXPECT_EQ(parley::reduce(in_segments.begin(), in_segments.end(), std::int64_t{1}), sum + 1);
            }
        });
    });
}

TEST(Reduce, MapsEachElementOnceAndCombinesAsOftenAsThereAreElements) {
    with_each_size([](parley::runtime& rt) {
        for (const std::size_t n : lengths) {
            std::vector<std::atomic<int>> mapped(n);
            std::atomic<std::size_t> combined{0};
            const auto sum = rt.run([&] {
                return parley::reduce(
                    mapped.begin(), mapped.end(), 0,
                    [&](int a, int b) {
                        ++combined;
                        return a + b;
                    },
                    [](std::atomic<int>& m) { return ++m; });
            });
            EXPECT_EQ(sum, static_cast<int>(n));
            EXPECT_EQ(combined, n);
            for (const auto& m : mapped) ASSERT_EQ(m, 1);
        }
    });
}

// Neither copied nor made from nothing.
class only_moved {
public:
    explicit only_moved(int n) : number(n) {}
    only_moved(only_moved&&) = default;
    only_moved& operator=(only_moved&&) = default;
    friend only_moved operator+(only_moved a, only_moved b) { return only_moved(a.number + b.number); }
    int number;
};

TEST(Reduce, OfNumbersMapsEachOnceInOrderWhateverTheirTypes) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto text = [](auto i) { return std::to_string(i) + ","; };
            std::string expected = "<";
            for (int i = -20; i < 300; ++i) expected += text(i);
            EXPECT_EQ(parley::reduce_index(-20, 300, std::string("<"), std::plus<>{}, text), expected);
            EXPECT_EQ(parley::reduce_index(5, 5, 7, std::plus<>{}, [](int i) { return i; }), 7);
            EXPECT_EQ(parley::reduce_index(5, 4, 7, std::plus<>{}, [](int i) { return i; }), 7);
            const std::vector<int> v(1'000, 3);
            EXPECT_EQ(parley::reduce_index(0, v.size(), std::uint64_t{0}, std::plus<>{},
                                           [&](std::size_t i) { return static_cast<std::uint64_t>(v[i]) + i; }),
                      3'000u + 499'500u);
            constexpr auto top = std::numeric_limits<std::uint64_t>::max();
            EXPECT_EQ(parley::reduce_index(top - 2, top, std::uint64_t{0}, std::plus<>{},
                                           [=](std::uint64_t i) { return top - i; }),
                      3u);
        });
    });
}

// What the map is given may be a temporary, as numbers are, and what it returns may be just that.
TEST(Reduce, MapsMayReturnTheirArgument) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto itself = [](auto&& x) -> decltype(auto) { return std::forward<decltype(x)>(x); };
            const auto iota = std::views::iota(0, 1000);
            EXPECT_EQ(parley::reduce_index(0, 1000, 0L, std::plus<>{}, std::identity{}), 499'500);
            EXPECT_EQ(parley::reduce_index(0, 1000, 0.0, std::plus<>{}, itself), 499'500.0);
            EXPECT_EQ(parley::reduce(iota.begin(), iota.end(), 0L), 499'500);
            EXPECT_EQ(parley::reduce_deterministic(iota.begin(), iota.end(), 0L, std::plus<>{}, itself), 499'500);
        });
    });
}

TEST(Reduce, MovesItsValuesAndMakesNoneFromNothing) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                const std::vector<int> v(n, 3);
                const auto made = [](int i) { return only_moved(i); };
                EXPECT_EQ(parley::reduce(v.begin(), v.end(), only_moved(1), std::plus<>{}, made).number,
                          static_cast<int>(3 * n + 1));
                EXPECT_EQ(parley::reduce_deterministic(v.begin(), v.end(), only_moved(1), std::plus<>{}, made).number,
                          static_cast<int>(3 * n + 1));
            }
        });
    });
}

TEST(Reduce, SumsOfFloatingPointNumbersLieNearTheTrueOne) {
    with_each_size([](parley::runtime& rt) {
        std::mt19937_64 random(1);
        std::vector<double> v(100'003);
        for (double& x : v) x = std::uniform_real_distribution<>(0, 1)(random);
        const double serial = std::accumulate(v.begin(), v.end(), 0.5);
        EXPECT_NEAR(rt.run([&] { return parley::reduce(v.begin(), v.end(), 0.5); }), serial, 1e-7);
        EXPECT_NEAR(rt.run([&] { return parley::reduce_deterministic(v.begin(), v.end(), 0.5); }), serial, 1e-7);
    });
}

TEST(Reduce, DeterministicIsTheSameForEveryNumberOfWorkersAndEveryRun) {
    std::mt19937_64 random(2);
    for (const std::size_t n : {std::size_t{100}, std::size_t{5'000}, times(300'000)}) {
        std::vector<double> v(n);
        for (double& x : v) x = std::exp(std::uniform_real_distribution<>(-30, 30)(random));
        parley::runtime one{{.workers = 1}};
        const auto sum = [&] { return parley::reduce_deterministic(v.begin(), v.end(), 0.0); };
        const double expected = one.run(sum);
        with_each_size([&](parley::runtime& rt) {
            for (std::size_t round = 0; round < times(30); ++round) ASSERT_EQ(rt.run(sum), expected);
        });
    }
}

TEST(Reduce, ExceptionsOfMapAndOperationArriveAndNothingLeaks) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        const std::vector<int> v(5'000, 1);
        std::atomic<int> left{0};
        struct value {
            counted c;
            int n;
        };
        for (const int after : {0, 1, 100, 4'000}) {
            left = after;
            const auto map = [&](int i) { return left-- == 0 ? throw boom{} : i; };
            EXPECT_THROW((void)rt.run([&] { return parley::reduce(v.begin(), v.end(), 0, std::plus<>{}, map); }), boom);
            left = after;
            const auto op = [&](auto&& a, auto&& b) {
                if (left-- == 0) throw boom{};
                return std::make_unique<std::pair<int, std::shared_ptr<counted>>>(a->first + b->first, a->second);
            };
            const auto box = [&](int i) {
                return std::make_unique<std::pair<int, std::shared_ptr<counted>>>(i, std::make_shared<counted>(alive));
            };
            EXPECT_THROW((void)rt.run([&] { return parley::reduce(v.begin(), v.end(), box(0), op, box); }), boom);
            EXPECT_EQ(alive, 0);
            left = after;
            EXPECT_THROW((void)rt.run([&] { return parley::reduce_deterministic(v.begin(), v.end(), box(0), op, box); }),
                         boom);
            EXPECT_EQ(alive, 0);
        }
    });
}

TEST(Reduce, CanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        const std::vector<int> v(1'000, 1);
        EXPECT_THROW(rt.run([&] {
            for (;;) (void)parley::reduce(v.begin(), v.end(), 0, std::plus<>{}, [&](int i) { return rt.cancel(), i; });
        }),
                     parley::cancelled);
    });
}

TEST(Reduce, OutsideAnyRuntimeAndInsideTasks) {
    const std::vector<int> v(10'000, 2);
    EXPECT_EQ(parley::reduce(v.begin(), v.end()), 20'000);
    in_threads(3, [&](unsigned) { EXPECT_EQ(parley::reduce_deterministic(v.begin(), v.end(), 1), 20'001); });
    with_each_size([&](parley::runtime& rt) {
        const auto row = [&](int) { return parley::reduce(v.begin(), v.begin() + 100); };
        EXPECT_EQ(rt.run([&] { return parley::reduce(v.begin(), v.begin() + 50, 0, std::plus<>{}, row); }), 10'000);
    });
}

}  // namespace
