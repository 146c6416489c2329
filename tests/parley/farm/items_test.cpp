// What items may be, where they come from, and what may become of one.
#include "tests/parley/farm/support.hpp"

#include <iterator>
#include <list>
#include <set>
#include <sstream>
#include <string>

namespace {

using namespace farm_test;
using namespace parley;

TEST(Pipeline, TakesMoveOnlyItems) {
    with_each_size([](runtime& rt) {
        std::vector<std::unique_ptr<int>> in;
        for (int i = 0; i < 1'000; ++i) in.push_back(std::make_unique<int>(i));
        std::vector<std::unique_ptr<int>> out;
        (source(std::move(in)) | farm([](std::unique_ptr<int> p) {
             *p += 1;
             return p;
         }) |
         stage([](std::unique_ptr<int>&& p) { return std::move(p); }) | sink(std::back_inserter(out)))
            .run(rt);
        ASSERT_EQ(out.size(), 1'000U);
        for (int i = 0; i < 1'000; ++i) EXPECT_EQ(*out[static_cast<std::size_t>(i)], i + 1);
    });
}

TEST(Pipeline, AnOptionalResultFilters) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        (source(std::views::iota(0, 20'000)) | farm([](int i) { return i % 3 == 0 ? std::optional(i) : std::nullopt; }) |
         stage([](int i) -> std::optional<int> {
             if (i % 2 != 0) return {};
             return i / 6;
         }) |
         sink([&](int i) {
             out.push_back(i);
         })).run(rt, {.tokens = 32});
        EXPECT_EQ(out, up_to(3'334));
    });
}

TEST(Pipeline, AnEmitterMakesManyOfOneInOrder) {
    with_each_size([](runtime& rt) {
        std::vector<int> out, expected;
        for (int i = 0; i < 2'000; ++i)
            for (int k = 0; k < i % 5; ++k) expected.push_back(10 * i + k);
        (source(std::views::iota(0, 2'000)) | farm([](int i, emitter<int>& emit) {
             for (int k = 0; k < i % 5; ++k) emit(10 * i + k);
         }) |
         stage([](int i, emitter<std::string>& emit) { emit(std::to_string(i)); }) |
         farm([](const std::string& s) { return std::stoi(s); }) | sink([&](int i) {
             out.push_back(i);
         })).run(rt, {.tokens = 16});
        EXPECT_EQ(out, expected);
    });
}

// Items that were one are not bound to one worker.
TEST(Pipeline, ManyOfOneAreWorkedOnBySeveralWorkers) {
    for (const unsigned w : several) {
        runtime rt{{.workers = w}};
        std::atomic<int> others{0};
        std::vector<int> out;
        (source(up_to(1)) | stage([](int, emitter<int>& emit) {
             for (int i = 0; i < 1'000; ++i) emit(i);
         }) |
         farm([&](int i) {
             if (i == 0) block_until([&] { return others > 0; });
             else if (i >= 500) ++others;
             return i;
         }) |
         sink(std::back_inserter(out)))
            .run(rt);
        EXPECT_EQ(out, up_to(1'000));
    }
}

TEST(Pipeline, AFailureInOneOfManyPiecesComesOutOfRun) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        EXPECT_THROW((source(up_to(3)) | stage([&](int, emitter<std::unique_ptr<counted>>& emit) {
                          for (int i = 0; i < 1'000; ++i) emit(std::make_unique<counted>(alive));
                      }) |
                      farm([n = std::make_shared<std::atomic<int>>(0)](std::unique_ptr<counted> c) {
                          if (++*n == 1'500) throw boom{};
                          return c;
                      }) |
                      sink([](const std::unique_ptr<counted>&) {
                      })).run(rt),
                     boom);
        EXPECT_EQ(alive, 0);
    });
}

TEST(Pipeline, SourcesAreRangesViewsAndCallables) {
    runtime rt{{.workers = 2}};
    const auto sum_of = [&](auto pipe) {
        long sum = 0;
        (std::move(pipe) | sink([&](long i) { sum += i; })).run(rt);
        return sum;
    };
    std::vector<int> v = up_to(10);
    const std::vector<int> constant = up_to(10);
    std::list<int> l(v.begin(), v.end());
    std::set<int> s(v.begin(), v.end());
    std::istringstream text("1 2 3");
    EXPECT_EQ(sum_of(source(v)), 45);
    EXPECT_EQ(v, up_to(10)) << "an lvalue is read only";
    EXPECT_EQ(sum_of(source(constant)), 45);
    EXPECT_EQ(sum_of(source(l)), 45);
    EXPECT_EQ(sum_of(source(std::move(s))), 45);
    EXPECT_EQ(sum_of(source(v | std::views::filter([](int i) { return i > 8; }))), 9);
    EXPECT_EQ(sum_of(source(std::ranges::istream_view<int>(text))), 6);
    EXPECT_EQ(sum_of(source([i = 3]() mutable { return i > 0 ? std::optional(i--) : std::nullopt; })), 6);
}

// An input range that counts how often it was asked for another element.
struct asked_range : std::ranges::view_interface<asked_range> {
    struct iterator {
        using value_type = int;
        using difference_type = std::ptrdiff_t;
        int operator*() const { return *asked; }
        iterator& operator++() {
            ++*asked;
            return *this;
        }
        void operator++(int) { ++*asked; }
        bool operator==(std::default_sentinel_t) const { return *asked == 5; }
        int* asked;
    };
    explicit asked_range(int& a) : asked(&a) {}
    [[nodiscard]] iterator begin() const { return {asked}; }
    [[nodiscard]] std::default_sentinel_t end() const { return {}; }
    int* asked;
};

// The next element may not be there for a long time.
TEST(Pipeline, ARangeIsAskedForAnElementWhenThatIsWanted) {
    int asked = 0;
    streaming::range_source<asked_range> from{asked_range(asked)};
    struct nobody_waits final : streaming::source_side {
        void wake() noexcept override {}
    } nobody;
    streaming::range_source<asked_range>::cursor at(from, nobody);
    streaming::row<int> items;
    for (int i = 0; i < 5; ++i) {
        items.clear();
        EXPECT_EQ(at.draw(items, 1, streaming::patience(false)), streaming::drawn::more);
        EXPECT_EQ(asked, i);
        EXPECT_EQ(items, std::vector<int>{i});
    }
    items.clear();
    EXPECT_EQ(at.draw(items, 1, streaming::patience(false)), streaming::drawn::ended);
    asked = 0;
    std::vector<int> out;
    runtime rt{{.workers = 2}};
    (source(asked_range(asked)) | sink(std::back_inserter(out))).run(rt);
    EXPECT_EQ(out, up_to(5));
}

TEST(Pipeline, TakesAndGivesTruthValues) {
    with_each_size([](runtime& rt) {
        const auto is_odd = [](int i) { return i % 2 != 0; };
        const auto negate = [](bool b) { return !b; };
        const auto twice = [](bool b, emitter<bool>& emit) {
            emit(b);
            emit(b);
        };
        std::vector<bool> out;
        (source(up_to(1'000)) | farm(is_odd) | farm(farm(negate) | stage(negate)) | stage(negate) |
         farm(lanes{negate, own_thread(negate)}) | loop(farm(negate), [](bool b) { return b; }) | farm(twice) |
         sink(std::back_inserter(out)))
            .run(rt);
        EXPECT_EQ(out, std::vector<bool>(2'000, true));
        out.clear();
        (source(std::vector<bool>(1'000, false)) | stage([](bool, emitter<int>& emit) { emit(0); }) |
         stage([n = 0](int) mutable { return n++; }) | farm(is_odd) | sink([&](bool b) {
             out.push_back(b);
         })).run(rt);
        ASSERT_EQ(out.size(), 1'000U);
        for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i % 2 != 0);
        std::vector<bool> again;
        (source(up_to(10)) | stage([](int, emitter<bool>& emit) {
             for (int i = 0; i < 1'000; ++i) emit(i % 2 == 0);
         }) |
         farm(negate) | sink(std::back_inserter(again)))
            .run(rt);
        EXPECT_EQ(again.size(), 10'000U);
    });
}

}  // namespace
