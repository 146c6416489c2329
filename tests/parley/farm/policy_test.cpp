// What becomes of items whose body throws.
#include "tests/parley/farm/support.hpp"

#include <string>

namespace {

using namespace farm_test;
using namespace parley;

int odd_ones_fail(int i) {
    if (i % 2 != 0) throw boom{i};
    return i / 2;
}

TEST(Policy, SkipLeavesOutWhatFailsAndTellsOfIt) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        std::atomic<int> told{0}, sum{0};
        const auto tell = [&](const std::exception_ptr& what) {
            ++told;
            try {
                std::rethrow_exception(what);
            } catch (const boom& b) {
                sum += b.number;
            }
        };
        (source(std::views::iota(0, 2'000)) | farm(skip(odd_ones_fail, tell)) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, up_to(1'000));
        EXPECT_EQ(told, 1'000);
        EXPECT_EQ(sum, 1'000'000);
    });
}

TEST(Policy, SkipWorksInStagesAndLanesAndForFilters) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        int told = 0;
        const auto filter = [](int i) -> std::optional<int> {
            if (i == 7) throw boom{};
            if (i % 2 != 0) return {};
            return i / 2;
        };
        std::atomic<int> in_lanes{0};
        const auto pass = skip([](int i) { return i; }, [&](const std::exception_ptr&) { ++in_lanes; });
        (source(up_to(200)) | stage(skip(filter, [&](const std::exception_ptr&) { ++told; })) | farm(lanes{pass, pass}) |
         sink(std::back_inserter(out)))
            .run(rt);
        EXPECT_EQ(out, up_to(100));
        EXPECT_EQ(told, 1);
        EXPECT_EQ(in_lanes, 0);
    });
}

TEST(Policy, WhatTheHandlerThrowsEndsTheStream) {
    runtime rt{{.workers = 2}};
    EXPECT_THROW((source(std::views::iota(0)) |
                  farm(skip(odd_ones_fail, [](const std::exception_ptr&) { throw std::string("enough"); })) | sink([](int) {
                  })).run(rt),
                 std::string);
}

TEST(Policy, ExpectedCarriesTheExceptionInTheItemsPlace) {
    with_each_size([](runtime& rt) {
        std::vector<expected<int>> out;
        (source(std::views::iota(0, 1'000)) | farm(as_expected(odd_ones_fail)) | sink([&](expected<int> e) {
             out.push_back(std::move(e));
         })).run(rt);
        ASSERT_EQ(out.size(), 1'000U);
        for (int i = 0; i < 1'000; ++i) {
            expected<int>& e = out[static_cast<std::size_t>(i)];
            ASSERT_EQ(e.has_value(), i % 2 == 0);
            if (e) {
                EXPECT_EQ(e.value(), i / 2);
                EXPECT_EQ(e.error(), nullptr);
            } else {
                EXPECT_THROW((void)e.value(), boom);
            }
        }
    });
}

TEST(Policy, CancelledIsNotSkipped) {
    runtime rt{{.workers = 2}};
    int told = 0;
    EXPECT_THROW((source(std::views::iota(0)) |
                  stage(skip(
                      [](int i) {
                          if (i == 100) throw cancelled{};
                          return i;
                      },
                      [&](const std::exception_ptr&) { ++told; })) |
                  sink([](int) {
                  })).run(rt),
                 cancelled);
    EXPECT_EQ(told, 0);
}

}  // namespace
