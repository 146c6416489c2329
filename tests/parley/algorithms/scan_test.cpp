// inclusive_scan and exclusive_scan: order, types, in place, exceptions.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <random>
#include <string>

namespace {

using namespace api_test;

constexpr std::size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1'000, 30'011};

// Associative, not commutative: x -> a x + b, one after the other. Not made from nothing.
struct affine {
    affine(std::uint64_t x, std::uint64_t y) : a(x), b(y) {}
    std::uint64_t a, b;
    friend affine operator*(const affine& f, const affine& g) { return {f.a * g.a, f.b * g.a + g.b}; }
    friend bool operator==(const affine&, const affine&) = default;
};

std::vector<affine> some_affine(std::size_t n) {
    std::mt19937_64 random(n);
    std::vector<affine> all;
    for (std::size_t i = 0; i < n; ++i) all.emplace_back(random(), random());
    return all;
}

TEST(Scan, AsTheStandardDoesWithAnOperationThatIsAssociativeOnly) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const std::multiplies<> op;
            const affine init(3, 4);
            for (const std::size_t n : lengths) {
                const auto in = some_affine(n);
                std::vector<affine> out(n, init), expected(n, init);
                for (std::size_t round = 0; round < times(10); ++round) {
                    std::inclusive_scan(in.begin(), in.end(), expected.begin(), op);
                    ASSERT_EQ(parley::inclusive_scan(in.begin(), in.end(), out.begin(), op), out.end());
                    ASSERT_EQ(out, expected);
                    std::inclusive_scan(in.begin(), in.end(), expected.begin(), op, init);
                    ASSERT_EQ(parley::inclusive_scan(in.begin(), in.end(), out.begin(), op, init), out.end());
                    ASSERT_EQ(out, expected);
                    std::exclusive_scan(in.begin(), in.end(), expected.begin(), init, op);
                    ASSERT_EQ(parley::exclusive_scan(in.begin(), in.end(), out.begin(), init, op), out.end());
                    ASSERT_EQ(out, expected);
                }
            }
        });
    });
}

TEST(Scan, InPlace) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                const std::vector<std::uint32_t> in(n, 3);
                auto v = in, expected = in;
                std::inclusive_scan(in.begin(), in.end(), expected.begin());
                parley::inclusive_scan(v.begin(), v.end(), v.begin());
                ASSERT_EQ(v, expected);
                v = in;
                std::exclusive_scan(in.begin(), in.end(), expected.begin(), 5U);
                parley::exclusive_scan(v.begin(), v.end(), v.begin(), 5U);
                ASSERT_EQ(v, expected);
            }
        });
    });
}

TEST(Scan, InSegmentsAndWithAnotherTypeThanTheElements) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const std::deque<short> in(20'000, 30'000);
            std::deque<std::int64_t> out(in.size());
            parley::exclusive_scan(in.begin(), in.end(), out.begin(), std::int64_t{-1});
            for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], 30'000 * static_cast<std::int64_t>(i) - 1);
            parley::inclusive_scan(in.begin(), in.end(), out.begin(), std::plus<>{}, std::int64_t{7});
            for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], 30'000 * static_cast<std::int64_t>(i + 1) + 7);
        });
    });
}

// Tells who looks at it.
struct letter {
    std::atomic<bool>* other;
    std::thread::id here;
    std::string text;
    operator std::string() const {
        if (std::this_thread::get_id() != here) *other = true;
        return text;
    }
};

// Others have certainly had a part of it, which is then scanned by whoever comes.
TEST(Scan, ElementsThatTakeLongReachOtherWorkersAndStayInOrder) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<bool> other{false};
        std::vector<letter> letters;
        for (std::size_t i = 0; i < 200; ++i)
            letters.push_back({&other, std::this_thread::get_id(), std::string(1, static_cast<char>('a' + i % 26))});
        std::vector<std::string> out(letters.size());
        rt.run([&] {
            parley::inclusive_scan(
                letters.begin(), letters.end(), out.begin(),
                [&](const std::string& left, const std::string& right) {
                    if (left.size() == 3) poll_until([&] { return other.load(); });
                    fib(8);
                    return left + right;
                },
                std::string("_"));
        });
        EXPECT_TRUE(other);
        std::string expected = "_";
        for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], expected += letters[i].text);
    }
}

TEST(Scan, OneWorkerCallsTheOperationOncePerElement) {
    parley::runtime one{{.workers = 1}};
    const std::vector<int> in(10'000, 1);
    std::vector<int> out(in.size());
    std::size_t calls = 0;
    const auto op = [&](int a, int b) { return ++calls, a + b; };
    one.run([&] { parley::exclusive_scan(in.begin(), in.end(), out.begin(), 0, op); });
    EXPECT_EQ(calls, in.size());
    one.run([&] { parley::inclusive_scan(in.begin(), in.end(), out.begin(), op); });
    EXPECT_EQ(calls, 2 * in.size() - 1);
}

TEST(Scan, ExceptionsArriveAndItCanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        const std::vector<int> in(20'000, 1);
        std::vector<int> out(in.size());
        for (const int after : {0, 1, 1'000, 15'000}) {
            std::atomic<int> left{after};
            EXPECT_THROW(rt.run([&] {
                parley::inclusive_scan(in.begin(), in.end(), out.begin(),
                                       [&](int a, int b) { return left-- == 0 ? throw boom{} : a + b; });
            }),
                         boom);
        }
        EXPECT_THROW(rt.run([&] {
            for (;;)
                parley::exclusive_scan(in.begin(), in.end(), out.begin(), 0,
                                       [&](int a, int b) { return rt.cancel(), a + b; });
        }),
                     parley::cancelled);
    });
}

TEST(Scan, OutsideAnyRuntimeAndInsideTasks) {
    const std::vector<int> in(10'000, 1);
    in_threads(3, [&](unsigned) {
        std::vector<int> out(in.size());
        parley::inclusive_scan(in.begin(), in.end(), out.begin());
        EXPECT_EQ(out.back(), 10'000);
    });
    with_each_size([&](parley::runtime& rt) {
        std::vector<std::vector<int>> rows(20, std::vector<int>(in.size()));
        rt.run([&] {
            parley::for_each(rows.begin(), rows.end(),
                             [&](std::vector<int>& row) { parley::inclusive_scan(in.begin(), in.end(), row.begin()); });
        });
        for (const auto& row : rows) EXPECT_EQ(row.back(), 10'000);
    });
}

}  // namespace
