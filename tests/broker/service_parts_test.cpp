// The service's parts that need no socket: the machine, what is measured, what is shown.

#include "tests/broker/service_client.hpp"

#include <broker/daemon/printable.hpp>
#include <broker/daemon/usage.hpp>

#include <cstdlib>
#include <vector>

namespace {

using namespace broker_tests;
using service::look_at_machine;

std::vector<std::size_t> sizes(const service::machine& m) {
    std::vector<std::size_t> all;
    for (section_id s = 0; s < m.table->sections(); ++s) all.push_back(m.table->cores_of(s).size());
    return all;
}

service::machine fake(const std::string& description, const std::string& sections = "caches") {
    return look_at_machine({.topology = "synthetic:" + description, .sections = sections});
}

std::string complaint(const service::machine_options& o) {
    try {
        (void)look_at_machine(o);
    } catch (const service::startup_error& t) {
        return t.what();
    }
    return {};
}

using counts = std::vector<std::size_t>;

TEST(BrokerMachine, HasOneSectionPerThirdLevelCache) {
    EXPECT_EQ(sizes(fake("pack:2 l3:2 core:4 pu:2")), (counts{8, 8, 8, 8}));
}
TEST(BrokerMachine, HasOnePerMemoryNodeWithoutCaches) {
    EXPECT_EQ(sizes(fake("pack:1 numa:2 core:3 pu:1")), (counts{3, 3}));
}
TEST(BrokerMachine, HasOnePerPackageElse) { EXPECT_EQ(sizes(fake("pack:3 core:2 pu:1")), (counts{6})); }
TEST(BrokerMachine, MergesSectionsOfOneCore) {
    const counts all = sizes(fake("pack:2 l3:3 core:1 pu:1"));
    std::size_t sum = 0;
    for (const std::size_t n : all) {
        EXPECT_GE(n, 2u);
        sum += n;
    }
    EXPECT_EQ(sum, 6u);
}
TEST(BrokerMachine, HasOneSectionIfNothingIsSaid) { EXPECT_EQ(sizes(fake("pack:2 l3:2 core:4 pu:2", "")), (counts{32})); }
TEST(BrokerMachine, OfOneCoreHasOneSection) { EXPECT_EQ(sizes(fake("core:1 pu:1")), (counts{1})); }
TEST(BrokerMachine, NearSectionsAreAskedFirst) {
    const service::machine m = fake("pack:2 l3:2 core:2 pu:1");
    const std::span<const section_id> others = m.table->others(2);
    EXPECT_EQ(others.front(), 3u);
    EXPECT_EQ(m.table->others(1).front(), 0u);
}
TEST(BrokerMachine, TakesGivenSections) {
    const service::machine m = fake("l3:1 core:8 pu:1", "0-1+6,2-4");
    EXPECT_EQ(sizes(m), (counts{3, 3}));
    EXPECT_EQ(m.number, (std::vector<std::uint32_t>{0, 1, 6, 2, 3, 4}));
    EXPECT_EQ(m.core_of(6), 2u);
    EXPECT_EQ(m.core_of(7), std::nullopt);
}
TEST(BrokerMachine, SaysWhatIsWrongWithSections) {
    for (const char* wrong : {"0-1,9", "0-1,1-2", "x", "3-1", ",", "0-1,2", "0-99999999999", "0-1+,2-3"})
        EXPECT_NE(complaint({.topology = "synthetic:core:8 pu:1", .sections = wrong}), "") << wrong;
    EXPECT_NE(complaint({.topology = "synthetic:nonsense", .sections = {}}), "");
    EXPECT_NE(complaint({.topology = "/no/such/file", .sections = {}}), "");
}
TEST(BrokerMachine, HereHasNoMoreThanThisProcessMayUse) {
    cpu_set_t mine{};
    ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    for (const std::uint32_t n : look_at_machine().number) EXPECT_TRUE(CPU_ISSET(n, &mine));
}

TEST(BrokerNames, KeepValidUtf8) {
    for (const char* name : {"", "a b~", "größer", "馬", "\U0001F40E", "\u07ff\u0800\uffff\U0010ffff", "\u00a0"})
        EXPECT_EQ(service::printable(name), name);
}
TEST(BrokerNames, HaveNoControlCharacters) {
    EXPECT_EQ(service::printable("\x01\t\n\x1b[2J\x7f"), "???\x3f[2J?");
    EXPECT_EQ(service::printable("a\u0080b\u009bc"), "a?b?c") << "those of eight bits, too";
    EXPECT_EQ(service::printable("\u2027\u2028\u2029\u202a\u202e\u202f"), "\u2027????\u202f");
    EXPECT_EQ(service::printable("\u2065\u2066\u2069\u206a"), "\u2065??\u206a");
}
TEST(BrokerNames, HaveNoInvalidBytes) {
    EXPECT_EQ(service::printable("a\x80z\xbf"), "a?z?") << "no beginning";
    EXPECT_EQ(service::printable("\xc3"), "?") << "cut";
    EXPECT_EQ(service::printable("\xe9\xa6z"), "??z") << "cut";
    EXPECT_EQ(service::printable("\xc1\x81\xe0\x9f\xbf\xf0\x8f\xbf\xbf"), "?????????") << "longer than need be";
    EXPECT_EQ(service::printable("\xed\xa0\x80"), "???") << "half a pair";
    EXPECT_EQ(service::printable("\xf4\x90\x80\x80\xf8\x88\x80\x80\x80\xff"), "??????????") << "beyond Unicode";
}

TEST(BrokerPages, AreWrittenInTheOrderOfWhatTheyTakeAndAdd) {
    using service::page_change;
    allotment_page page;
    service::allotment_writer writer(page);
    const auto of = [](std::uint64_t alone, std::uint64_t shared = 0) {
        service::allotted a;
        a.alone[1] = alone;
        a.shared[1] = shared;
        return a;
    };
    EXPECT_EQ(writer.change_by(of(0b0110)), page_change::other) << "all are new";
    writer.write(of(0b0110), 1);
    EXPECT_EQ(writer.change_by(of(0b0110)), page_change::other);
    EXPECT_EQ(writer.change_by(of(0b0111)), page_change::other);
    EXPECT_EQ(writer.change_by(of(0b0101)), page_change::moves);
    EXPECT_EQ(writer.change_by(of(0b0010)), page_change::only_takes);
    EXPECT_EQ(writer.change_by(of(0)), page_change::only_takes);
    EXPECT_EQ(writer.change_by(of(0b0010, 0b0100)), page_change::other) << "it may use it still";
    EXPECT_LT(page_change::only_takes, page_change::moves);
    EXPECT_LT(page_change::moves, page_change::other);
}

struct page_here {
    std::unique_ptr<feedback_page> page = std::make_unique<feedback_page>();
    void says(std::size_t i, worker_state state, nanoseconds since, nanoseconds useful, std::uint32_t core) {
        parley::sync::write_whole(page->lines[i].version, [&] {
            page->lines[i].state = static_cast<std::uint32_t>(state);
            page->lines[i].since = since;
            page->lines[i].useful = useful;
            page->lines[i].core = core;
        });
        page->workers = std::max<std::uint32_t>(page->workers, static_cast<std::uint32_t>(i) + 1);
    }
};

struct measured {
    service::machine machine = fake("core:4 pu:1");
    page_here feedback;
    service::usage meter;
    measured(const measured&) = delete;
    measured& operator=(const measured&) = delete;
    explicit measured(std::map<core_id, std::uint32_t> holds, bool is_led = false) : meter(4, is_led, 1000) {
        meter.holds(std::move(holds), 1000);
    }
    program_use at(nanoseconds now, std::optional<nanoseconds> ran = std::nullopt) {
        meter.look(*feedback.page, now);
        return meter.take(machine, ran, now).use;
    }
};

TEST(BrokerUsage, RunningStateCounts) {
    measured m({{0, 1}, {1, 1}});
    m.feedback.says(0, worker_state::useful, 1000, 0, 0);
    m.feedback.says(1, worker_state::useful, 1090, 30, 1);
    const program_use use = m.at(1100);
    EXPECT_EQ(use.held(), 200u);
    EXPECT_EQ(use.cores[0].useful, 100u);
    EXPECT_EQ(use.cores[1].useful, 40u);
}
TEST(BrokerUsage, NotMoreThanHeld) {
    measured m(std::map<core_id, std::uint32_t>{{0, 1}});
    for (std::size_t i = 0; i < 4; ++i) m.feedback.says(i, worker_state::useful, 0, ~0ull, 9);
    EXPECT_EQ(m.at(1100).useful(), 100u);
}
TEST(BrokerUsage, NotMoreThanTheSystemSays) {
    measured m({{0, 1}, {1, 1}});
    m.feedback.says(0, worker_state::useful, 1000, 0, 0);
    m.feedback.says(1, worker_state::useful, 1000, 0, 1);
    EXPECT_EQ(m.at(1100, 50).useful(), 50u);
    EXPECT_EQ(m.at(1200, 170).useful(), 120u);
}
TEST(BrokerUsage, StateBegunInTheFutureCountsNothing) {
    measured m(std::map<core_id, std::uint32_t>{{0, 1}});
    m.feedback.says(0, worker_state::useful, 5000, 0, 0);
    EXPECT_EQ(m.at(1100).useful(), 0u);
}
TEST(BrokerUsage, SharedCoreIsHeldInParts) {
    measured m(std::map<core_id, std::uint32_t>{{0, 2}});
    EXPECT_EQ(m.at(1100).held(), 50u);
}
TEST(BrokerUsage, CoresThatCameAndWentAreHeldAsLong) {
    measured m({{0, 1}, {1, 1}});
    m.meter.holds({{1, 1}, {2, 1}}, 1030);
    const program_use use = m.at(1100);
    ASSERT_EQ(use.cores.size(), 3u);
    EXPECT_EQ(use.cores[0].held, 30u);
    EXPECT_EQ(use.cores[1].held, 100u);
    EXPECT_EQ(use.cores[2].held, 70u);
}
TEST(BrokerUsage, LineThatIsWrittenForEverKeepsItsLastWholeCopy) {
    measured m(std::map<core_id, std::uint32_t>{{0, 1}});
    m.feedback.says(0, worker_state::parked, 1000, 60, 0);
    m.meter.look(*m.feedback.page, 1050);
    m.feedback.page->lines[0].version = 7;
    m.feedback.page->lines[0].useful = 0;
    EXPECT_EQ(m.at(1100).useful(), 60u);
}
// All that it ran since it joined, and no more.
TEST(BrokerUsage, LedProgramIsBelievedWhatTheSystemSaysOfItsTree) {
    const service::machine here = fake("core:4 pu:1");
    page_here feedback;
    service::usage u(1, true, 1000, 500);
    u.holds({{0, 1}, {1, 1}}, 1000);
    feedback.says(0, worker_state::parked, 0, 150, 0);
    u.look(*feedback.page, 1100);
    EXPECT_EQ(u.take(here, 540, 1100).use.useful(), 40u);
    EXPECT_EQ(u.take(here, 640, 1200).use.useful(), 100u) << "it may be seen later than said";
    EXPECT_EQ(u.take(here, 840, 1300).use.useful(), 10u) << "what it said is all";
    feedback.says(0, worker_state::parked, 0, ~0ull, 0);
    u.look(*feedback.page, 1400);
    EXPECT_EQ(u.take(here, 840, 1400).use.useful(), 190u);
    EXPECT_EQ(u.take(here, 840, 1500).use.useful(), 0u);
}
// Its tree is looked at for the first time when the first quantum ends.
TEST(BrokerUsage, LedProgramBeginsWhenItsTreeIsSeen) {
    const service::machine here = fake("core:4 pu:1");
    page_here feedback;
    service::usage u(1, true, 1000);
    u.holds({{0, 1}}, 1000);
    feedback.says(0, worker_state::parked, 0, 150, 0);
    u.look(*feedback.page, 1100);
    EXPECT_EQ(u.take(here, 540, 1100).use.useful(), 0u);
    EXPECT_EQ(u.take(here, 580, 1200).use.useful(), 40u);
}
TEST(BrokerUsage, LedProgramsRunTimeIsSpreadOverItsCores) {
    measured m({{0, 1}, {1, 1}}, true);
    m.feedback.says(0, worker_state::parked, 0, 130, 0);
    EXPECT_EQ(m.at(1100).useful(), 130u);
    EXPECT_EQ(m.at(1200).useful(), 0u);
}

}  // namespace
