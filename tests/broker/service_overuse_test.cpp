// Programs that say that they follow, as the system sees them.

#include "tests/broker/onlooker.hpp"
#include "tests/broker/service_client.hpp"

#include <broker/daemon/overuse.hpp>
#include <broker/daemon/process_room.hpp>

#include <algorithm>
#include <atomic>
#include <memory>

namespace {

using namespace broker_tests;

constexpr nanoseconds spell = 50'000'000;

// A thread more than it has cores, at full speed.
TEST(BrokerOveruse, IsSeenWithinSomeSpells) {
    for (const nanoseconds cores : {1u, 8u}) {
        service::overuse o;
        int spells = 0;
        while (spells < 200 && !o.add(spell, (cores + 1) * spell, cores * spell)) ++spells;
        EXPECT_GT(spells, 3) << cores;
        EXPECT_LT(spells, 120) << cores;
    }
}
// So says docs/internals/broker.md.
TEST(BrokerOveruse, OfTwoCoresInsteadOfOneIsSeenAfterFourteenSpells) {
    service::overuse o;
    for (int i = 1; i < 14; ++i) EXPECT_FALSE(o.add(spell, 2 * spell, spell)) << i;
    EXPECT_TRUE(o.add(spell, 2 * spell, spell));
}
TEST(BrokerOveruse, IsNotWhoRunsOnAllThatItHolds) {
    service::overuse o;
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, 8 * spell, 8 * spell));
}
// The system counts by ticks of up to 10 ms, and tells some spells' time later.
TEST(BrokerOveruse, IsNotWhoseTimeIsToldLate) {
    service::overuse o;
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, i % 3 == 2 ? 24 * spell : 0, 8 * spell));
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(5'000'000, i % 2 == 1 ? 20'000'000 : 0, 10'000'000));
}
// One reading that is late, or one lump of many spells' run time, says nothing.
TEST(BrokerOveruse, IsNotOneLumpInManySpells) {
    service::overuse o;
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, i % 20 == 19 ? 20 * spell : 0, spell));
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, i % 20 == 19 ? 20 * spell : spell, spell));
}
// Two programs of a process count one after the other, and in another order next time: the second one's room is missing
// once, and there twice later.
TEST(BrokerOveruse, IsNotWhoseOtherProgramCountsLater) {
    service::overuse o;
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, 2 * spell, i % 2 == 0 ? spell : 3 * spell));
}
TEST(BrokerOveruse, IsNotAThreadThatOnlyWaitsForNews) {
    service::overuse o;
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, spell + spell / 5, spell));
}
// It may have had its cores a moment longer than it held them.
TEST(BrokerOveruse, IsForgottenOnceItKeepsToItsCores) {
    service::overuse o;
    for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(o.add(spell, i % 100 == 0 ? 3 * spell : spell / 2, spell));
}

// What was held in the last spell may be used in this one: shared cores alone, too.
TEST(BrokerOveruse, RoomIsWhatWasHeldNowOrBefore) {
    const service::machine here = service::look_at_machine({.topology = "synthetic:core:4 pu:1", .sections = {}});
    service::usage u(4, false, 0);
    u.holds({{0, 1}, {1, 1}}, 0);
    EXPECT_EQ(u.take(here, {}, 100).room, 200u);
    u.holds({{1, 2}}, 100);
    EXPECT_EQ(u.take(here, {}, 200).room, 200u);
    EXPECT_EQ(u.take(here, {}, 300).room, 100u);
    u.holds({{1, 2}, {2, 1}, {3, 1}}, 350);
    EXPECT_EQ(u.take(here, {}, 400).room, 300u);
}

// Who ends leaves the room of its last spell to the process' other programs.
TEST(BrokerOveruse, RoomOfASpellThatHasNotEnded) {
    const service::machine here = service::look_at_machine({.topology = "synthetic:core:4 pu:1", .sections = {}});
    service::usage u(4, false, 0);
    u.holds({{0, 1}, {1, 1}}, 0);
    EXPECT_EQ(u.room_until(50), 100u);
    EXPECT_EQ(u.take(here, {}, 100).room, 200u);
    EXPECT_EQ(u.room_until(100), 0u);
    EXPECT_EQ(u.room_until(130), 60u);
}
TEST(BrokerOveruse, ProgramsOfAProcessHoldTogether) {
    service::process_room room;
    EXPECT_EQ(room.add(100), 100u);
    EXPECT_EQ(room.add(50), 150u);
    room.holds(1, {0b0011, 1});
    room.holds(2, {0b0110});
    EXPECT_EQ(room.cores(), (service::core_set{0b0111, 1}));
    room.holds(1, {0b1000});
    EXPECT_EQ(room.cores(), (service::core_set{0b1110}));
    EXPECT_TRUE(room.leaves(1));
    EXPECT_EQ(room.cores(), (service::core_set{0b0110}));
    EXPECT_FALSE(room.leaves(2));
}

// As if it ran on two cores, all the time.
std::optional<nanoseconds> of_two_cores(pid_t, int) noexcept { return 2 * now(); }

// A broker of this machine that moves who does not follow.
class BrokerServiceOveruse : public testing::Test {
protected:
    void SetUp() override {
        if (all < 2) GTEST_SKIP() << "there is one processor only";
    }
    void begin(service::run_time_source ran, service::run_time_source ran_in_tree = unknown,
               nanoseconds quantum_length = 5'000'000) {
        service::settings s = quick(here);
        s.here = service::look_at_machine();
        s.steps.moves = true;
        s.steps.quantum = quantum_length;
        s.ran = ran;
        s.ran_in_tree = ran_in_tree;
        s.log = [this](section_id, const record& r) {
            const quantum* const q = std::get_if<quantum>(&r.in);
            if (q != nullptr && q->length > 0) ++quanta;
        };
        sections = s.here.table->sections();
        broker.emplace(std::move(s));
    }
    // Joins with so many programs of one worker each, starts threads that do not rest, and says that it follows. If it
    // must, it ends where that comes so late that it may be taken for one that does not.
    struct life {
        int programs = 1, threads = 0;
        bool keeps_to_its_core = false, must_be_in_time = false;
    };
    void live(const life& how) const {
        std::vector<client> mine;
        const auto follow = [&mine] {
            for (const client& c : mine) c.feedback().followed = c.page().generation.load();
        };
        const nanoseconds began = now();
        for (int i = 0; i < how.programs; ++i) {
            if (!mine.emplace_back(here.socket()).join(greeting(1)) || !mine.back().gets(1)) _exit(1);
            follow();
        }
        if (how.must_be_in_time && now() - began > patient_quantum) _exit(1);
        if (how.keeps_to_its_core) {
            const std::uint64_t mask = mine.front().mask();
            cpu_set_t own{};
            CPU_SET(static_cast<unsigned>(std::countr_zero(mask)), &own);
            sched_setaffinity(0, sizeof own, &own);
        }
        std::vector<std::thread> busy;
        for (int i = 0; i < how.threads; ++i)
            busy.emplace_back([] {
                while (now() != 0) {}
            });
        for (;; usleep(200)) {
            for (const client& c : mine) c.works(1);
            follow();
        }
    }
    // For forty quanta of a new broker's.
    [[nodiscard]] std::unique_ptr<child> honest(service::run_time_source ran, life how) {
        how.must_be_in_time = true;
        for (;;) {
            broker.reset();
            begin(ran, unknown, patient_quantum);
            auto one = std::make_unique<child>([&] { live(how); });
            const int first = quanta;
            EXPECT_TRUE(comes_true([&] { return quanta > first + 40 * static_cast<int>(sections); }));
            if (one->is_alive()) return one;
        }
    }
    [[nodiscard]] bool was_moved(pid_t pid) const {
        client watcher(here.socket());
        const std::optional<seen> s = look(watcher, 256);
        EXPECT_TRUE(s);
        return s && std::any_of(s->events.begin(), s->events.end(), [&](const event_row& e) {
                   return (e.what == event_kind::moved || e.what == event_kind::could_not_be_moved) &&
                          std::any_of(s->programs.begin(), s->programs.end(),
                                      [&](const program_row& p) { return p.program == e.program && p.pid == pid; });
               });
    }

    // Who has to say that it follows does so within two of them on most busy machines, too.
    static constexpr nanoseconds patient_quantum = 100'000'000;
    const int all = processors_of(0);
    const place here;
    std::uint32_t sections = 1;
    std::atomic<int> quanta = 0;
    std::optional<service::daemon> broker;
};

TEST_F(BrokerServiceOveruse, WhoOnlySaysThatItFollowsIsMoved) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    begin(service::run_time);
    child liar([&] { live({.threads = 16}); });
    EXPECT_TRUE(comes_true([&] { return all_threads_have(liar.pid(), 1); }));
    EXPECT_TRUE(was_moved(liar.pid()));
}

// It may move its threads again, but not for long.
TEST_F(BrokerServiceOveruse, WhoseThreadsMoveBackIsMovedAgain) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    begin(of_two_cores);
    child liar([&] { live({.threads = 2}); });
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(comes_true([&] { return all_threads_have(liar.pid(), 1); }));
        cpu_set_t wide{};
        for (int c = 0; c < CPU_SETSIZE; ++c) CPU_SET(static_cast<unsigned>(c), &wide);
        sched_setaffinity(liar.pid(), sizeof wide, &wide);
    }
}

TEST_F(BrokerServiceOveruse, WhoKeepsToItsCoreIsLeftAlone) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    const auto one = honest(service::run_time, {.threads = 3, .keeps_to_its_core = true});
    EXPECT_FALSE(was_moved(one->pid()));
}

// A process' run time is that of all its programs.
TEST_F(BrokerServiceOveruse, TwoProgramsOfOneProcessMayUseWhatBothHold) {
    const auto one = honest(of_two_cores, {.programs = 2});
    EXPECT_FALSE(was_moved(one->pid()));
    child liar([&] { live({}); });
    EXPECT_TRUE(comes_true([&] { return was_moved(liar.pid()); })) << "else the test sees nothing";
}

// What a command runs on, its leader may say as it likes.
TEST_F(BrokerServiceOveruse, WholeTreeOfALedProgramIsMoved) {
    begin(unknown, service::run_time_of_tree);
    child liar([&] {
        const pid_t itself = getpid();
        for (int i = 0; i < 8; ++i)
            if (fork() == 0) {
                end_with(itself);
                const pid_t its_child = getpid();
                if (i % 2 == 0 && fork() == 0) end_with(its_child);
                while (now() != 0) {}
            }
        hello led = greeting(1);
        led.is_led = 1;
        client c(here.socket());
        if (!c.join(led)) _exit(1);
        for (;; usleep(200)) c.feedback().followed = c.page().generation.load();
    });
    const auto tree = [&] { return service::process_tree(liar.pid()); };
    EXPECT_TRUE(comes_true([&] { return tree().size() == 13; }));
    EXPECT_TRUE(comes_true([&] {
        const auto all_of_it = tree();
        return std::all_of(all_of_it.begin(), all_of_it.end(), [](const auto& p) { return all_threads_have(p.id, 1); });
    }));
    EXPECT_TRUE(was_moved(liar.pid()));
    for (const auto& p : tree())
        if (p.id != liar.pid()) kill(p.id, SIGKILL);
}

}  // namespace
