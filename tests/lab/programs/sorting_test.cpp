#include "lab/programs/sorting.hpp"

#include <gtest/gtest.h>

#include "tests/lab/programs/awkward_elements.hpp"

namespace {

using namespace parley_programs;
using parley_tests::awkward;
using parley_tests::elements;
using parley_tests::sorted;

TEST(Sorting, QuickSortSorts) {
    for (const std::size_t n : {0U, 1U, 2U, 3U, 19U, 20U, 21U, 22U, 50U, 1000U, 2047U}) {
        for (elements all : awkward(n)) {
            const elements expected = sorted(all);
            quick_sort(all);
            EXPECT_EQ(all, expected) << n;
        }
    }
}

TEST(Sorting, QuickSortSortsAllShortSequences) {
    for (unsigned code = 0; code < 3U * 3U * 3U * 3U * 3U * 3U; ++code) {
        elements all;
        for (unsigned rest = code, i = 0; i < 6; ++i, rest /= 3) {
            all.insert(all.end(), 5, static_cast<sort_element>(rest % 3));  // 30: above insertion
        }
        const elements expected = sorted(all);
        quick_sort(all);
        ASSERT_EQ(all, expected) << code;
    }
}

TEST(Sorting, ChecksumTellsWhichElementsNotInWhichOrder) {
    elements all(10'000);
    fill_with_elements(all, 5);
    const std::uint64_t sum = checksum_of(all);
    EXPECT_EQ(sum, expected_checksum(10'000, 5));
    EXPECT_NE(sum, expected_checksum(10'000, 6));
    EXPECT_LT(sum, std::uint64_t{1} << 53);
    EXPECT_EQ(checksum_of(sorted(all)), sum);
    for (const std::size_t i : {0U, 5000U, 9999U}) {
        elements other = all;
        other[i] += 1;
        EXPECT_NE(checksum_of(other), sum);
        other[i] = other[(i + 1) % other.size()];
        EXPECT_NE(checksum_of(other), sum);
    }
    elements swapped = all;  // a sum of the elements themselves would not see this
    swapped[0] += 1;
    swapped[1] -= 1;
    EXPECT_NE(checksum_of(swapped), sum);
}

TEST(Sorting, UnsortedIsSaid) {
    EXPECT_EQ(describe_sorted(elements{1, 2, 2, 3}).at("sorted"), true);
    EXPECT_EQ(describe_sorted(elements{1, 3, 2}).at("sorted"), false);
}

}  // namespace
