// Records that are copied whole though their writer waits for nobody.
#include <parley/detail/sync/versioned.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <thread>

namespace {

using namespace parley::sync;

struct record {
    version_number version{0};
    std::array<std::atomic<std::uint64_t>, 8> parts{};
};

TEST(Versioned, CopiesAreWhole) {
    record r;
    std::thread writer([&] {
        for (std::uint64_t i = 1; i <= 20'000; ++i)
            write_whole(r.version, [&] {
                for (auto& p : r.parts) set_part(p, i);
            });
    });
    for (std::uint64_t last = 0; last < 20'000;) {
        std::array<std::uint64_t, 8> copy{};
        const auto version = copy_whole(r.version, 1000, [&] {
            for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = part(r.parts[i]);
        });
        if (!version) continue;
        for (const std::uint64_t p : copy) ASSERT_EQ(p, *version / 2);
        last = copy[0];
    }
    writer.join();
}

TEST(Versioned, WhoCopiesDoesNotWaitForADeadWriter) {
    record r;
    r.version = 3;
    EXPECT_EQ(copy_whole(r.version, 10, [] { FAIL(); }), std::nullopt);
    write_whole(r.version, [] {});
    EXPECT_EQ(r.version, 6u);
    EXPECT_EQ(copy_whole(r.version, 1, [] {}), 6u);
}

TEST(Versioned, WhatIsWrittenMeanwhileIsNotWhole) {
    record r;
    int copies = 0;
    EXPECT_EQ(copy_whole(r.version, 2, [&] { ++copies, write_whole(r.version, [] {}); }), std::nullopt);
    EXPECT_EQ(copies, 2);
}

}  // namespace
