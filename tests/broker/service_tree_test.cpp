// The processes of a program that is led.

#include "tests/broker/service_client.hpp"

#include <broker/daemon/process_tree.hpp>
#include <broker/daemon/tree_clock.hpp>

#include <algorithm>

namespace {

using namespace broker_tests;

// A process, its child and its grandchild, which runs without rest.
class BrokerTree : public testing::Test {
protected:
    void TearDown() override {
        for (const service::seen_process& p : service::process_tree(root.pid()))
            if (p.id != root.pid()) kill(p.id, SIGKILL);
    }
    [[nodiscard]] std::vector<service::seen_process> whole() const {
        std::vector<service::seen_process> tree;
        EXPECT_TRUE(comes_true([&] { return (tree = service::process_tree(root.pid())).size() == 3; }));
        return tree;
    }

    child root{[] {
        const pid_t itself = getpid();
        if (fork() != 0) return;
        end_with(itself);
        const pid_t its_child = getpid();
        if (fork() != 0)
            for (;;) pause();
        end_with(its_child);
        while (now() != 0) {}
    }};
};

TEST_F(BrokerTree, ParentsComeBeforeTheirChildren) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    const auto tree = whole();
    ASSERT_EQ(tree.size(), 3u);
    EXPECT_EQ(tree[0].id, root.pid());
    EXPECT_EQ(tree[1].parent, tree[0].id);
    EXPECT_EQ(tree[2].parent, tree[1].id);
    for (const auto& p : tree) EXPECT_EQ(p.threads, std::vector<pid_t>{p.id});
}
TEST_F(BrokerTree, OfWhichNoMoreAreLookedAtThanAskedFor) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    (void)whole();
    EXPECT_EQ(service::process_tree(root.pid(), 2).size(), 2u);
    EXPECT_EQ(service::process_tree(root.pid(), 1).size(), 1u);
}
TEST_F(BrokerTree, RunTimeIsThatOfAll) {
    const auto tree = whole();
    const nanoseconds first = *service::run_time_of_tree(root.pid(), -1);
    EXPECT_TRUE(comes_true([&] { return *service::run_time_of_tree(root.pid(), -1) > first + 20'000'000; }));
    // The root sleeps: but for its beginning, all is the grandchild's.
    EXPECT_TRUE(comes_true(
        [&] { return service::run_time_with_dead(tree[2].id) > service::run_time_with_dead(root.pid()) + 20'000'000; }));
    const nanoseconds grandchild = service::run_time_with_dead(tree[2].id);
    EXPECT_GE(*service::run_time_of_tree(root.pid(), -1), grandchild);
}
// A process of another namespace has no number here.
TEST(BrokerTreeOfNobody, HasNoRunTime) {
    EXPECT_EQ(service::run_time_of_tree(0, -1), std::nullopt);
    EXPECT_EQ(service::run_time_of_tree(-1, -1), std::nullopt);
    EXPECT_EQ(service::confine_tree(0, -1, {}).moved, 0u);
}
TEST(BrokerTreeOfThreads, IsNotSeenBeyondTheLimit) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    child many([] {
        for (int i = 0; i < 7; ++i) std::thread([] { pause(); }).detach();
    });
    EXPECT_TRUE(comes_true([&] { return service::process_tree(many.pid())[0].threads.size() == 8; }));
    EXPECT_EQ(service::process_tree(many.pid(), 3)[0].threads.size(), 3u);
}
TEST_F(BrokerTree, IsBoundAndSetFreeAsAWhole) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    const int all = processors_of(0);
    if (all < 2) GTEST_SKIP() << "there is one processor only";
    const auto tree = whole();
    const service::machine here = service::look_at_machine();
    service::core_set one{}, every{};
    one[here.number[0] / 64] |= std::uint64_t{1} << here.number[0] % 64;
    for (const std::uint32_t n : here.number) every[n / 64] |= std::uint64_t{1} << n % 64;
    EXPECT_EQ(service::confine_tree(root.pid(), -1, one).moved, 3u);
    for (const auto& p : tree) EXPECT_EQ(processors_of(p.id), 1);
    service::set_tree_free(root.pid(), -1, one, every);
    for (const auto& p : tree) EXPECT_EQ(processors_of(p.id), all);
}

nanoseconds runs = 0;
std::optional<nanoseconds> at_once(pid_t, int) noexcept { return runs; }
std::optional<nanoseconds> slowly(pid_t, int) noexcept {
    const nanoseconds begin = now();
    while (now() - begin < 1'000) {}
    return runs;
}
std::optional<nanoseconds> not_at_all(pid_t, int) noexcept { return std::nullopt; }

TEST(BrokerTreeClock, NeverGoesBack) {
    service::tree_clock c(at_once);
    const nanoseconds second = 1'000'000'000;
    runs = 700;
    EXPECT_EQ(c.read(1, -1, second).ran, 700u);
    runs = 300;
    EXPECT_EQ(c.read(1, -1, 2 * second).ran, 700u) << "somebody ended while it was looked at";
    runs = 900;
    EXPECT_EQ(c.read(1, -1, 3 * second).ran, 900u);
}
// Looking took a thousand nanoseconds at least.
TEST(BrokerTreeClock, GuessesWhereLookingCostsMuch) {
    service::tree_clock c(slowly);
    const nanoseconds second = 1'000'000'000;
    runs = 0;
    EXPECT_TRUE(c.read(1, -1, second).is_seen);
    runs = 3 * second;
    const auto seen = c.read(1, -1, 1000 * second);
    EXPECT_TRUE(seen.is_seen);
    EXPECT_EQ(seen.ran, 3 * second);
    const auto guessed = c.read(1, -1, 1000 * second + 9990);
    EXPECT_FALSE(guessed.is_seen);
    EXPECT_NEAR(static_cast<double>(*guessed.ran - 3 * second), 30, 1) << "three in 999 seconds";
    EXPECT_TRUE(c.read(1, -1, 2000 * second).is_seen);
}
// Binding goes into the same part of the time.
TEST(BrokerTreeClock, GuessesAfterOtherWorkThatTookLong) {
    service::tree_clock c(at_once);
    const nanoseconds second = 1'000'000'000;
    EXPECT_TRUE(c.read(1, -1, second).is_seen);
    EXPECT_TRUE(c.is_due(1000 * second));
    c.spend(1000 * second, [] { (void)slowly(1, -1); });
    EXPECT_FALSE(c.is_due(1000 * second + 9990));
    EXPECT_FALSE(c.read(1, -1, 1000 * second + 9990).is_seen);
    EXPECT_TRUE(c.is_due(2000 * second));
}
TEST(BrokerTreeClock, KnowsNothingOfWhoHasEnded) {
    service::tree_clock c(not_at_all);
    EXPECT_EQ(c.read(1, -1, 1).ran, std::nullopt);
}

}  // namespace
