// What a worker does before the first block of a loop, or of a part of one.
#include "scripted_host.hpp"

#include <parley/detail/driver/weighing.hpp>
#include <parley/detail/policy/sharing.hpp>
#include <parley/detail/protocol/spreading.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;

// A part of so many iterations of 1 us has come.
struct part_of_loop {
    driver::loop_times times;
    driver::own_share own;
    std::uint64_t so_many;
    explicit part_of_loop(std::uint64_t iterations) : so_many(iterations) { times.takes_over(1000); }
    [[nodiscard]] std::uint64_t left() const { return so_many; }
};

// An answer has come that says so.
struct came_with : in_loop {
    explicit came_with(std::uint32_t range) : in_loop(100us) {
        struct {
            std::uint32_t size;
            [[nodiscard]] std::uint32_t range_of(parley::protocol::request_id) const { return size; }
            std::optional<parley::protocol::asker> take_asker(std::uint32_t) { return {}; }
        } medium{range};
        serves_range.comes_with(medium, 0);
        is_wanted = true;
    }
};

TEST(PartBegins, OthersThatItIsToServeAreServedBeforeTheFirstBlock) {
    came_with w(3);
    part_of_loop part(50);
    driver::part_begins(host(w), part, true);
    EXPECT_TRUE(w.did("serve others"));
    EXPECT_FALSE(part.own.lasts(50)) << "unless it has served all of them";
}

TEST(PartBegins, APartThatIsForNobodyElseIsKept) {
    came_with w(parley::protocol::range::nobody);
    part_of_loop part(50);
    driver::part_begins(host(w), part, true);
    EXPECT_FALSE(w.did("serve others"));
    EXPECT_TRUE(part.own.lasts(50));
    EXPECT_EQ(w.keeps_since, w.now);
}

TEST(PartBegins, AHalfThatIsNotWorthGivingIsKept) {
    for (const std::uint64_t iterations : {11U, 12U}) {  // a part is worth it from 6 us on
        came_with w(3);
        part_of_loop part(iterations);
        driver::part_begins(host(w), part, true);
        EXPECT_EQ(w.did("serve others"), iterations == 12);
        EXPECT_EQ(part.own.lasts(iterations), iterations == 11);
    }
}

TEST(PartBegins, WhatAnybodyMayHaveIsNotKept) {
    came_with w(parley::protocol::range::everybody);
    part_of_loop part(50);
    driver::part_begins(host(w), part, true);
    EXPECT_FALSE(w.did("serve others"));
    EXPECT_FALSE(part.own.lasts(50));
}

TEST(LoopBeginsAgain, ItIsSharedAtOnceIfNearlyAllRestAndBothHalvesPay) {
    for (const bool all : {false, true})
        for (const std::uint64_t iterations : {11U, 12U}) {  // a part is worth it from 6 us on
            came_with w(parley::protocol::range::everybody);
            w.nearly_all_rest = all;
            part_of_loop part(iterations);
            driver::loop_begins_again(host(w), part, true);
            EXPECT_EQ(w.did("serve others"), all && iterations == 12);
        }
}

TEST(LoopBeginsAgain, AnInnerLoopIsNotSharedAtOnce) {
    came_with w(parley::protocol::range::everybody);
    w.nearly_all_rest = true;
    part_of_loop part(50);
    driver::loop_begins_again(host(w), part, false);
    EXPECT_FALSE(w.did("serve others"));
}

// Nobody has a part of it yet.
TEST(LoopBeginsAgain, NothingOfItIsKept) {
    came_with w(parley::protocol::range::nobody);
    part_of_loop part(50);
    driver::loop_begins_again(host(w), part, true);
    EXPECT_FALSE(part.own.lasts(50));
}

TEST(PartBegins, NothingElseIsKeptWithIt) {
    for (int why = 0; why < 2; ++why) {
        came_with w(parley::protocol::range::nobody);
        w.holds_job = why == 0;
        part_of_loop part(50);
        driver::part_begins(host(w), part, why == 0);
        EXPECT_FALSE(part.own.lasts(50)) << why;
    }
}

TEST(PartBegins, WhereNobodyWouldInterruptNothingIsKept) {
    came_with w(parley::protocol::range::nobody);
    w.may_keep = false;
    part_of_loop part(50);
    driver::part_begins(host(w), part, true);
    EXPECT_FALSE(part.own.lasts(50));
}

}  // namespace
