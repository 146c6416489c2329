// for_each over iterators that only go forward.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstddef>
#include <forward_list>
#include <iterator>
#include <list>
#include <map>
#include <ranges>
#include <sstream>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;

TEST(ForEachForward, VisitsEachElementOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            // Beyond 4096 and 8192 not every element has an iterator kept.
            for (const std::size_t n : {0U, 1U, 2U, 3U, 64U, 4'095U, 4'096U, 4'097U, 8'192U, 8'193U, 50'001U}) {
                std::list<int> list(n);
                parley::for_each(list.begin(), list.end(), [](int& i) { ++i; });
                ASSERT_EQ(std::count(list.begin(), list.end(), 1), std::ptrdiff_t(n));
                std::forward_list<int> one_way(n);
                parley::for_each(one_way, [](int& i) { ++i; });
                ASSERT_EQ(std::count(one_way.begin(), one_way.end(), 1), std::ptrdiff_t(n));
            }
        });
    });
}

TEST(ForEachForward, OfMapsAndOfViewsThatFindTheirNextElement) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::map<int, std::string> map;
            for (int i = 0; i < 3'000; ++i) map[i];
            parley::for_each(map, [](auto& entry) { entry.second = std::to_string(entry.first); });
            for (const auto& [key, text] : map) ASSERT_EQ(text, std::to_string(key));
            std::vector<int> v(9'000);
            const auto is_called = [&](const int& i) { return (&i - v.data()) % 3 == 0; };
            parley::for_each(v | std::views::filter(is_called), [](int& i) { ++i; });
            for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i % 3 == 0 ? 1 : 0);
            v.back() = -1;
            parley::for_each(v | std::views::take_while([](int i) { return i >= 0; }), [](int& i) { i = 5; });
            EXPECT_EQ(std::count(v.begin(), v.end(), 5), 8'999);
        });
    });
}

TEST(ForEachForward, CallsTheFunctionItselfAndMembers) {
    parley::runtime one{{.workers = 1}};
    const std::list<int> twos(1'000, 2);
    auto sum = [s = 0](int i) mutable { return s += i; };
    one.run([&] { parley::for_each(twos, sum); });
    EXPECT_EQ(sum(0), 2'000);
    std::list<std::string> words(100, "word");
    parley::for_each(words, &std::string::clear);
    for (const std::string& w : words) EXPECT_TRUE(w.empty());
}

TEST(ForEachForward, ReachesOtherWorkers) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        std::list<int> list(1'000);
        std::atomic<bool> other{false};
        rt.run([&] {
            const auto here = std::this_thread::get_id();
            parley::for_each(list, [&](int& i) {
                if (std::this_thread::get_id() != here) other = true;
                else if (&i == &list.front()) poll_until([&] { return other.load(); });
            });
        });
        EXPECT_TRUE(other);
    }
}

TEST(ForEachForward, TheFirstExceptionArrivesAndNoElementIsVisitedTwice) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round) {
            std::list<int> calls(10'000);
            EXPECT_THROW(rt.run([&] {
                parley::for_each(calls, [&](int& c) {
                    ++c;
                    if (&c == &calls.back()) throw boom{};
                });
            }),
                         boom);
            for (const int c : calls) ASSERT_LE(c, 1);
        }
    });
}

TEST(ForEachForward, CanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        std::list<int> list(1'000);
        EXPECT_THROW(rt.run([&] {
            for (;;)
                parley::for_each(list, [&](int& i) {
                    if (&i == &list.front()) rt.cancel();
                });
        }),
                     parley::cancelled);
    });
}

template <class R>
constexpr bool range_is_visited = requires(R r) { parley::for_each(r, [](auto&&) {}); };
template <class It>
constexpr bool visited_by_for_each = requires(It i) { parley::for_each(i, i, [](auto&&) {}); };

// What can be read once only cannot be divided.
TEST(ForEachForward, IteratorsThatGoOnceOnlyDoNotCompile) {
    static_assert(visited_by_for_each<std::list<int>::const_iterator> && visited_by_for_each<std::map<int, int>::iterator>);
    static_assert(!visited_by_for_each<std::istream_iterator<int>> &&
                  !visited_by_for_each<std::back_insert_iterator<std::list<int>>>);
    static_assert(!visited_by_for_each<int>);
    static_assert(range_is_visited<std::list<int>&> && !range_is_visited<std::ranges::istream_view<int>>);
}

}  // namespace
