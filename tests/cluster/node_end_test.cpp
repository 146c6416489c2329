// Single messages to one rank: the way of results, and how it learns that all tasks are done.
#include "tests/cluster/one_node.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace cluster_tests;
using enum message_kind;
using places = std::vector<position>;
using result = std::tuple<std::uint64_t, bool, std::string>;

bytes text(const std::string& s) {
    bytes all;
    writer w(all);
    w(s);
    return all;
}

options ring_of(termination ends = termination::barrier) {
    options how;
    how.overlay.kind = graph::ring;
    how.ends = ends;
    return how;
}
// Every rank knows every other: the tree has four children each.
options ends_by(termination ends) {
    options how;
    how.ends = ends;
    return how;
}

// --- the way of results --------------------------------------------------------------------------

TEST(Results, TravelTogetherAsFarAsTheirWayIsTheSame) {
    one_node four(4, 8, ring_of());
    four.rank.send_result(1, 10, false, text("ten"));
    four.rank.send_result(2, 20, true, text("twenty"));
    four.rank.send_result(6, 60, false, text("sixty"));
    four.rank.send_result(3, 30, false, text("thirty"));
    four.rank.send_result(1, 11, false, text("eleven"));
    const auto sent = of_kind(results, four.advance());
    ASSERT_EQ(receivers(results, sent), (places{3, 5}));
    EXPECT_EQ(sent[0].head.count, 4u);
    EXPECT_EQ(sent[1].head.count, 1u);

    one_node three(3, 8, ring_of());
    const auto on = of_kind(results, three.receive(sent[0].head, sent[0].payload));
    EXPECT_EQ(three.holds.results, (std::vector<result>{{30, false, "thirty"}}));
    ASSERT_EQ(receivers(results, on), places{2});
    EXPECT_EQ(on[0].head.count, 3u);

    one_node two(2, 8, ring_of());
    (void)two.receive(on[0].head, on[0].payload);
    EXPECT_EQ(two.holds.results, (std::vector<result>{{20, true, "twenty"}}));
    EXPECT_EQ(two.rank.count().results_home, 1u);
}

TEST(Results, WaitForCompanyWhileTheRankIsBusy) {
    options how = ring_of();
    how.result_bytes = 100;
    one_node n(4, 8, how);
    n.holds.tasks = {1};
    n.rank.send_result(1, 1, false, text("short"));
    EXPECT_TRUE(of_kind(results, n.advance()).empty());
    n.rank.send_result(1, 2, false, text(std::string(100, 'x')));
    EXPECT_EQ(receivers(results, n.advance()), places{3});
}

TEST(Results, GoAtOnceWhenTheRankHasNothingElseToDo) {
    one_node n(4, 8, ring_of());
    n.rank.send_result(1, 1, false, text("short"));
    n.becomes_idle();
    EXPECT_EQ(receivers(results, n.advance()), places{3});
    EXPECT_TRUE(of_kind(results, n.advance()).empty());
}

TEST(Results, GoStraightHomeWhereTheyMay) {
    options how = ring_of();
    how.results = routing::direct;
    one_node n(4, 8, how);
    n.rank.send_result(1, 1, false, text("one"));
    n.rank.send_result(7, 2, false, text("two"));
    n.rank.advance();
    EXPECT_EQ(receivers(results, n.advance()), (places{1, 7}));
}

// --- bytes that nobody has written ---------------------------------------------------------------

TEST(Malformed, AKindThatIsNotThereThrows) {
    one_node n(1, 5);
    EXPECT_THROW((void)n.receive({.from = 0, .kind = static_cast<message_kind>(message_kinds)}), malformed);
    EXPECT_THROW((void)n.receive({.from = 0, .kind = static_cast<message_kind>(255)}), malformed);
}

TEST(Malformed, AResultForNobodyThrows) {
    bytes payload;
    writer w(payload);
    w(position{5}, std::uint32_t{0}, std::uint64_t{0});
    one_node n(1, 5);
    EXPECT_THROW((void)n.receive({.from = 0, .kind = results}, payload), malformed);
}

TEST(Malformed, ResultsThatEndTooEarlyThrow) {
    one_node from(0, 2);
    from.rank.send_result(1, 7, false, text("seven"));
    from.rank.advance();
    const letter whole = of_kind(results, from.advance()).at(0);
    for (std::size_t n = 1; n < whole.payload.size(); ++n) {
        one_node to(1, 2);
        const bytes part(whole.payload.begin(), whole.payload.begin() + static_cast<std::ptrdiff_t>(n));
        EXPECT_THROW((void)to.receive(whole.head, part), malformed) << n << " bytes";
    }
}

TEST(Malformed, TasksThatEndTooEarlyThrow) {
    one_node n(1, 5);
    EXPECT_THROW((void)n.receive({.from = 0, .kind = tasks, .count = 2}, bytes(sizeof(int))), malformed);
}

TEST(Results, GoAtOnceWhereNobodyWorksNow) {
    one_node n(4, 8, ring_of());
    n.holds.tasks = {1};
    n.holds.attended = false;
    n.rank.send_result(1, 1, false, text("short"));
    EXPECT_EQ(receivers(results, n.advance()), places{3});
}

// --- waves ---------------------------------------------------------------------------------------

std::vector<letter> wave_comes(one_node& n, std::uint32_t number = 1) {
    return n.receive({.from = 0, .kind = wave, .wave = number});
}
std::vector<letter> reports_of(const std::vector<letter>& sent) { return of_kind(report, sent); }

TEST(Waves, ARankReportsWhenItIsPassive) {
    one_node n(1, 5, ends_by(termination::waves));
    EXPECT_TRUE(reports_of(wave_comes(n)).empty());
    n.holds.tasks = {1};
    n.holds.busy = false;
    n.rank.send_result(2, 1, false, text("waits"));  // a result on its way
    EXPECT_TRUE(reports_of(n.advance()).empty());
    n.holds.tasks.clear();
    n.becomes_idle();
    const auto sent = reports_of(n.advance());
    ASSERT_EQ(receivers(report, sent), places{0});
    EXPECT_EQ(sent[0].head.wave, 1u);
    EXPECT_EQ(sent[0].head.sent, 1u);
    EXPECT_EQ(sent[0].head.received, 0u);
    EXPECT_TRUE(reports_of(n.advance()).empty());  // once
}

TEST(Waves, OnlyWhatBringsSomethingToDoIsCounted) {
    one_node n(1, 5, ends_by(termination::waves));
    (void)n.is_asked(3);
    (void)n.receive({.from = 4, .kind = offer});
    n.holds.tasks = {1};
    (void)n.is_asked(2);
    const position asked = 0;
    (void)n.gets_tasks(asked, {7, 8});
    n.holds.tasks.clear();
    n.becomes_idle();
    const auto sent = reports_of(wave_comes(n));
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].head.sent, 1u);
    EXPECT_EQ(sent[0].head.received, 1u);
}

TEST(Waves, WithABarrierARankReportsWhenItsOwnTasksAreDone) {
    one_node n(1, 5, ends_by(termination::barrier));
    n.becomes_idle();
    EXPECT_TRUE(reports_of(wave_comes(n)).empty());
    n.holds.complete = true;
    n.holds.busy = true;  // with another's
    n.holds.tasks = {1};
    EXPECT_EQ(receivers(report, n.advance()), places{0});
}

TEST(Waves, AReportSumsUpThoseOfTheChildren) {
    one_node n(1, 9, ends_by(termination::waves));
    n.becomes_idle();
    EXPECT_EQ(receivers(wave, wave_comes(n, 3)), (places{5, 6, 7, 8}));
    for (const position child : {5u, 8u, 6u}) {
        EXPECT_TRUE(reports_of(n.receive({.from = child, .kind = report, .wave = 3, .sent = 10, .received = 1})).empty());
        // Of an earlier wave: it does not count.
        EXPECT_TRUE(reports_of(n.receive({.from = 7, .kind = report, .wave = 2, .sent = 100})).empty());
    }
    const auto sent = reports_of(n.receive({.from = 7, .kind = report, .wave = 3, .sent = 10, .received = 1}));
    ASSERT_EQ(receivers(report, sent), places{0});
    EXPECT_EQ(sent[0].head.sent, 40u);
    EXPECT_EQ(sent[0].head.received, 4u);
}

// The root of two ranks, which has nothing to do; the other reports.
std::vector<letter> other_reports(one_node& root, std::uint32_t number, std::uint64_t sent, std::uint64_t received,
                                  const bytes& said = {}) {
    return root.receive({.from = 1, .kind = report, .wave = number, .sent = sent, .received = received}, said);
}

TEST(Waves, TheRootNeedsTwoWavesBetweenWhichNothingHasMoved) {
    one_node root(0, 2, ends_by(termination::waves));
    root.becomes_idle();
    EXPECT_EQ(receivers(wave, root.advance()), places{1});
    EXPECT_EQ(receivers(wave, other_reports(root, 1, 3, 3)), places{1});
    EXPECT_EQ(receivers(wave, other_reports(root, 2, 5, 3)), places{1});  // two are on their way
    EXPECT_EQ(receivers(wave, other_reports(root, 3, 5, 5)), places{1});  // they have come: where have they led?
    EXPECT_FALSE(root.rank.is_finished());
    EXPECT_EQ(receivers(finished, other_reports(root, 4, 5, 5)), places{1});
    EXPECT_TRUE(root.rank.is_finished());
    EXPECT_FALSE(root.rank.is_closed());
}

// Then all messages are counted, not only those that bring something to do: the numbers before do not compare.
TEST(Waves, TheLastMessagesTakeTwoWavesOfTheirOwn) {
    one_node root(0, 2, ends_by(termination::waves));
    root.becomes_idle();
    ASSERT_EQ(receivers(request, root.advance()), places{1});
    (void)root.receive({.from = 1, .kind = nothing});
    (void)other_reports(root, 1, 5, 5);
    ASSERT_EQ(receivers(finished, other_reports(root, 2, 5, 5)), places{1});
    EXPECT_EQ(receivers(wave, other_reports(root, 3, 4, 4)), places{1});
    EXPECT_FALSE(root.rank.is_closed());
    EXPECT_EQ(receivers(closed, other_reports(root, 4, 4, 4)), places{1});
    EXPECT_TRUE(root.rank.is_closed());
}

TEST(Waves, ABarrierIsOneWave) {
    one_node root(0, 2, ends_by(termination::barrier));
    root.holds.complete = true;
    (void)root.advance();
    EXPECT_EQ(receivers(finished, other_reports(root, 1, 9, 2)), places{1});
}

TEST(Waves, AfterTheEndNobodyAsksAndNobodyGets) {
    one_node n(1, 9);
    n.becomes_idle();
    const position asked = of_kind(request, n.advance()).at(0).to;
    EXPECT_EQ(receivers(finished, n.receive({.from = 0, .kind = finished})), (places{5, 6, 7, 8}));
    // Its own request is out: the answer must come first.
    EXPECT_EQ(receivers(nothing, n.is_asked(3)), places{3});
    (void)wave_comes(n, 2);
    for (const position child : {5u, 6u, 7u, 8u})
        EXPECT_TRUE(reports_of(n.receive({.from = child, .kind = report, .wave = 2})).empty());
    const auto sent = n.receive({.from = asked, .kind = nothing});
    EXPECT_EQ(receivers(report, sent), places{0});
    EXPECT_TRUE(of_kind(request, sent).empty());
}

TEST(Waves, AnOfferAfterTheEndIsDeclined) {
    one_node n(1, 5);
    n.becomes_idle();
    (void)n.receive({.from = 0, .kind = finished});
    EXPECT_EQ(receivers(decline, n.receive({.from = 3, .kind = offer})), places{3});
}

TEST(Waves, OneRankAloneEnds) {
    for (const termination ends : {termination::waves, termination::barrier}) {
        one_node n(0, 1, ends_by(ends));
        EXPECT_TRUE(n.advance().empty());
        EXPECT_FALSE(n.rank.is_finished());
        n.becomes_idle();
        n.holds.complete = true;
        EXPECT_TRUE(n.advance().empty());
        EXPECT_TRUE(n.rank.is_closed());
    }
}

// What a child without children says, once told that all is done.
bytes last_words(position child, const std::string& failure) {
    one_node n(child, 3);
    n.becomes_idle();
    n.holds.complete = true;
    n.rank.failed(failure);
    (void)n.receive({.from = 0, .kind = finished});
    return reports_of(wave_comes(n)).at(0).payload;
}

TEST(Waves, TheLowestRanksFailureIsNamedWhoeverReportsFirst) {
    for (const places& order : {places{1, 2}, places{2, 1}}) {
        one_node root(0, 3);
        root.holds.complete = true;
        (void)root.advance();
        for (const position p : order) (void)root.receive({.from = p, .kind = report, .wave = 1});
        ASSERT_TRUE(root.rank.is_finished());
        for (std::uint32_t number = 2; number <= 3; ++number)
            for (const position p : order)
                (void)root.receive({.from = p, .kind = report, .wave = number}, last_words(p, "no luck"));
        ASSERT_TRUE(root.rank.is_closed());
        EXPECT_EQ(root.rank.total().failed, 2u);
        EXPECT_EQ(root.rank.total().first_failure, "rank 1: no luck");
    }
}

}  // namespace
