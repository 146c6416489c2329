// What a witness of a run in virtual time sees: everything, in order, and the run is the same as without it.
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace {

using namespace parley_tests;
using timed::doing;
using timed::phase;
using timed::sight;

struct notebook : timed::witness {
    void sees(const sight& s) override { all.push_back(s); }
    [[nodiscard]] std::uint64_t count(doing what, phase how) const {
        return static_cast<std::uint64_t>(
            std::count_if(all.begin(), all.end(), [&](const sight& s) { return s.what == what && s.how == how; }));
    }
    std::vector<sight> all;
};

struct seen_run {
    timed::run_report report;
    notebook notes;
};

template <class Shape, class... Arguments>
void see(seen_run& into, timed::setup s, Arguments... arguments) {
    Shape shape(arguments...);
    s.seen_by = &into.notes;
    into.report = run(s, shape);
}

void expect_nested(const notebook& notes) {
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<doing>> open;
    std::map<std::uint32_t, timed::moment> last;
    for (const sight& s : notes.all) {
        EXPECT_GE(s.when, last[s.worker]) << "of one worker, in the order of time";
        last[s.worker] = s.when;
        auto& here = open[{s.worker, s.stack}];
        if (s.how == phase::begins) here.push_back(s.what);
        if (s.how != phase::ends) continue;
        ASSERT_FALSE(here.empty());
        ASSERT_EQ(here.back(), s.what);
        here.pop_back();
    }
    for (const auto& [where, slices] : open)
        for (const doing what : slices) EXPECT_TRUE(what == doing::search || what == doing::sleep) << "open at the end";
}

// Whoever gets tasks gets those that somebody gave before, for the same request: as the witness was told of it, and by
// the clocks of both. A request that goes on is answered once more meanwhile.
void expect_arrows(const notebook& notes, const timed::setup& by) {
    const int most = by.how.papers && by.how.papers->continues ? 2 : 1;
    std::map<std::uint64_t, int> under_way;
    std::map<std::uint64_t, timed::moment> given_at;
    for (const sight& s : notes.all) {
        if (s.how != phase::begins || (s.what != doing::giving && s.what != doing::getting)) continue;
        under_way[s.number] += s.what == doing::giving ? 1 : -1;
        EXPECT_GE(under_way[s.number], 0) << s.number;
        EXPECT_LE(under_way[s.number], most) << s.number;
        if (s.what == doing::giving) given_at[s.number] = s.when;
        else EXPECT_GT(s.when, given_at[s.number]) << s.number;
    }
    for (const auto& [request, n] : under_way) EXPECT_EQ(n, 0) << request;
}

std::vector<timed::setup> some_setups() {
    std::vector<timed::setup> all;
    for (const choice& c : all_choices()) {
        all.push_back(setup_of(c, 9, 5));
        all.push_back(setup_of(c, 9, 5));
        all.back().faults = all_faults();
    }
    for (const choice& c : resting_choices()) {
        all.push_back(setup_of(c, 9, 5));
        all.back().faults.resize_pause = 20 * timed::microsecond;
        all.push_back(all.back());
        all.back().faults = all_faults();
        all.back().faults.resize_pause = 5 * timed::microsecond;
    }
    return all;
}

TEST(TimedWitness, ChangesNothing) {
    for (const timed::setup& s : some_setups()) {
        seen_run seen;
        see<awaited_tree>(seen, s, 7U);
        awaited_tree tree(7);
        EXPECT_EQ(text_of(seen.report), text_of(run(s, tree)));
    }
}

TEST(TimedWitness, SeesEachTaskOfADequeAndWhatMoved) {
    for (const timed::setup& s : some_setups()) {
        seen_run seen;
        see<producer>(seen, s, 300U, 3 * timed::microsecond);
        EXPECT_EQ(seen.notes.count(doing::run, phase::begins), 1U);
        EXPECT_EQ(seen.notes.count(doing::run, phase::ends), 1U);
        EXPECT_EQ(seen.notes.count(doing::task, phase::begins), 300U);
        EXPECT_EQ(seen.notes.count(doing::task, phase::ends), 300U);
        expect_nested(seen.notes);
        expect_arrows(seen.notes, s);
    }
}

TEST(TimedWitness, SeesStacksAndSplits) {
    std::uint16_t most_stacks = 0;
    for (const timed::setup& s : some_setups()) {
        seen_run tree;
        see<awaited_tree>(tree, s, 8U);
        expect_nested(tree.notes);
        expect_arrows(tree.notes, s);
        for (const sight& one : tree.notes.all) most_stacks = std::max(most_stacks, one.stack);
        seen_run loop;
        see<single_loop>(loop, s, 2000U);
        expect_nested(loop.notes);
        EXPECT_EQ(loop.notes.count(doing::split, phase::happens), loop.report.total().splits);
    }
    EXPECT_GT(most_stacks, 0U) << "some task came to a worker that waited in another one";
    EXPECT_LT(most_stacks, 64U);
}

TEST(TimedWitness, SeesWhoSleeps) {
    seen_run seen;
    see<producer>(seen, setup_of({}, 9, 5), 3U, 1000 * timed::microsecond);
    EXPECT_GT(seen.notes.count(doing::sleep, phase::begins), 0U);
    EXPECT_LE(seen.notes.count(doing::sleep, phase::begins), seen.report.total().sleeps);
}

// Whoever is away sleeps until it is told to come back, and nobody else's slices are inside.
TEST(TimedWitness, SeesWhoIsAway) {
    std::uint64_t departures = 0;
    for (const choice& c : resting_choices()) {
        timed::setup s = setup_of(c, 9, 5);
        s.faults.resize_pause = 20 * timed::microsecond;
        seen_run seen;
        see<producer>(seen, s, 300U, 3 * timed::microsecond);
        expect_nested(seen.notes);
        const std::uint64_t gone = seen.report.total().departures;
        EXPECT_GE(seen.notes.count(doing::sleep, phase::begins), gone / 2) << c.name;
        departures += gone;
    }
    EXPECT_GT(departures, 0U);
}

}  // namespace
