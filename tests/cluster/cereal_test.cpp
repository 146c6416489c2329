// Cells and results by cereal, where it is installed.
#include <gtest/gtest.h>

#if __has_include(<cereal/cereal.hpp>)

#include "tests/cluster/local_ranks.hpp"

#include <parley/cluster/cereal.hpp>

#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace {

struct species {
    std::map<std::string, double> fractions;
    template <class Archive>
    void serialize(Archive& a) {
        a(fractions);
    }
    friend bool operator==(const species&, const species&) = default;
};

}  // namespace

template <>
struct parley::cluster::serializer<species> : parley::cluster::by_cereal<species> {};

namespace {

using namespace cluster_tests;

TEST(Cereal, WhatItWritesTravelsAndComesHome) {
    const auto thrown = on_ranks(3, {}, [](group& g) {
        const std::vector<species> mine(g.rank() == 0 ? 60 : 0, species{{{"H2", 0.25}, {"O2", 0.5}}});
        const auto doubled = [](const species& s, task_context& here) {
            here.work(100e-6);
            species twice = s;
            for (auto& [name, fraction] : twice.fractions) fraction *= 2;
            return twice;
        };
        const std::vector<species> back = balance(g, mine, doubled);
        ASSERT_EQ(back.size(), mine.size());
        for (const species& s : back) EXPECT_EQ(s, (species{{{"H2", 0.5}, {"O2", 1.0}}}));
    });
    EXPECT_EQ(thrown, nothing(3));
}

TEST(Cereal, BytesThatAreNotItsAreMalformed) {
    bytes data;
    writer w(data);
    w(std::string("\x05\x00\x00", 3));
    reader r(data);
    EXPECT_THROW((void)r.get<species>(), malformed);
}

}  // namespace

#else

TEST(Cereal, NeedsLibcerealDev) { GTEST_SKIP() << "libcereal-dev is not installed"; }

#endif
