// Ways to share a machine, compared: the same mixes for all, and runs that cannot be are seen.
#include <lab/sim/sharing_study.hpp>
#include <lab/sim/timed/report.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace parley::sim;

TEST(SharingStudy, KeysAreWordsOfTheirOwn) {
    std::set<std::string> keys;
    for (const known_way& w : known_ways()) keys.insert(w.key);
    for (const program_mix& m : program_mixes()) keys.insert(m.key);
    EXPECT_EQ(keys.size(), known_ways().size() + program_mixes().size());
    for (const std::string& k : keys) EXPECT_EQ(k.find(' '), std::string::npos) << k;
    EXPECT_EQ(known_ways().back().key, "default");
}

TEST(SharingStudy, NoWayBeatsTheBound) {
    const virtual_machine machine;
    for (const program_mix& m : program_mixes()) {
        const sharing_series bound = lower_bounds(m, 3, machine);
        for (const known_way& w : known_ways()) {
            const sharing_series found = over_seeds(m, w, 3, machine);
            for (const double r : ratios(found.makespan, bound.makespan)) EXPECT_GE(r, 1 - 1e-6) << m.name << ", " << w.key;
            for (const double r : ratios(found.flow, bound.flow)) EXPECT_GE(r, 1 - 1e-6) << m.name << ", " << w.key;
        }
    }
}

TEST(SharingStudy, AWrongRunIsSeen) {
    const virtual_machine machine;
    const std::vector<virtual_program> mixed = program_mixes().front().make(1);
    const sharing_report good = run_sharing(mixed, machine, known_ways().back().how);
    EXPECT_EQ(what_is_wrong(good, mixed, machine), "");
    sharing_report bad = good;
    bad.ended = false;
    EXPECT_NE(what_is_wrong(bad, mixed, machine), "");
    bad = good;
    bad.ends[0] = 0.5;
    EXPECT_NE(what_is_wrong(bad, mixed, machine), "");
    bad = good;
    bad.makespan /= 10;
    EXPECT_NE(what_is_wrong(bad, mixed, machine), "");
}

TEST(SharingStudy, StopsWhenItIsTold) {
    EXPECT_THROW((void)over_seeds(program_mixes().front(), known_ways().back(), 2, {}, [] { return true; }), timed::stopped);
}

}  // namespace
