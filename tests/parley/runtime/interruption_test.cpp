// What a signal handler may do between any two instructions of its own thread: the processor stops after each of them,
// and in the k-th run something is taken after the k-th.
#include "tests/build_kind.hpp"

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/driver/interruption.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/runtime/splittable.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>
#include <vector>

namespace {

using parley::threading::block;
using parley::threading::deque;
using parley::threading::interruptible;
using parley::threading::interruptions;
using parley::threading::splittable;
using parley::threading::task;
using parley::threading::uninterrupted;
using parley::threading::worker;

TEST(Interruptions, AreOffWhileToldSoAndThenAsBefore) {
    interruptions i;
    EXPECT_FALSE(i.are_off());
    {
        const uninterrupted outer(i);
        EXPECT_TRUE(i.are_off());
        {
            const uninterrupted inner(i);
            EXPECT_TRUE(i.are_off());
        }
        EXPECT_TRUE(i.are_off());
        {
            const interruptible task(i);
            EXPECT_FALSE(i.are_off());
        }
        EXPECT_TRUE(i.are_off());
    }
    EXPECT_FALSE(i.are_off());
}

TEST(Interruptions, ANoteIsLeftUntilItIsForgotten) {
    parley::threading::note_of_handler note;
    EXPECT_FALSE(note.is_left());
    note.leave();
    EXPECT_TRUE(note.is_left());
    note.forget();
    EXPECT_FALSE(note.is_left());
}

#if defined(__x86_64__)

// The trap flag of the processor; what lies below the stack pointer may be in use.
void step_by_step() {
    asm volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}
void at_full_speed() {
    asm volatile("lea -128(%%rsp), %%rsp; pushfq; andq $-0x101, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}

struct stepping {
    void (*interruption)(void*);
    void* context;
    long at;
    long steps;
};
stepping now;

void on_step(int) {
    if (now.steps++ == now.at) now.interruption(now.context);
}

// Calls run() again and again, interrupted after its first instruction that is stepped through, its second and so on.
template <class Run>
void interrupt_everywhere(Run run) {
    struct sigaction mine{}, before{};
    mine.sa_handler = &on_step;
    sigaction(SIGTRAP, &mine, &before);
    now.at = 0;
    do {
        now.steps = 0;
        run();
        ++now.at;
    } while (now.steps >= now.at && !testing::Test::HasFailure());
    sigaction(SIGTRAP, &before, nullptr);
    EXPECT_GT(now.at, 10);
}

template <class Work>
void stepwise(Work work) {
    step_by_step();
    work();
    at_full_speed();
}

// Sanitizers keep signals for later, or take too long.
template <class Param>
class Stepwise : public testing::TestWithParam<Param> {
protected:
    void SetUp() override {
        if (parley_tests::is_sanitized) GTEST_SKIP() << "sanitizer";
    }
};

class DequeInterrupted : public Stepwise<bool> {
public:
    // All that is pushed leaves once: with the owner, with the interruption, or at the end.
    void everywhere(std::size_t filled, void (DequeInterrupted::*work)()) {
        interrupt_everywhere([&] {
            deque fresh;
            d = &fresh;
            d->keep_a_block();
            got.clear();
            taken = nullptr;
            tasks.assign(filled + 8, task{nullptr});
            pushed = 0;
            got.reserve(tasks.size());
            for (std::size_t i = 0; i < filled; ++i) (void)push();
            now.interruption = [](void* self) { static_cast<DequeInterrupted*>(self)->take(); };
            now.context = this;
            stepwise([&] { (this->*work)(); });
            check();
        });
    }

    void take() {
        if (!d->is_changing() && d->size_when_interrupted() > 0) taken = d->take_when_interrupted(GetParam());
    }
    task** push() { return d->push(&tasks[pushed++]); }
    void join(std::size_t i, task** slot) {
        if (d->pop_if(&tasks[i], slot)) got.push_back(&tasks[i]);
    }
    void pop_all(deque& from) {
        while (task* const t = from.pop()) got.push_back(t);
    }
    void check() {
        pop_all(*d);
        EXPECT_TRUE(d->empty() || d->size() == 0);
        deque thief;
        if (taken != nullptr) thief.receive(taken);
        pop_all(thief);
        // Short: it runs once for each instruction.
        std::vector<char> seen(tasks.size(), 0);
        bool once = got.size() == pushed;
        for (const task* const t : got) once = once && seen[static_cast<std::size_t>(t - tasks.data())]++ == 0;
        ASSERT_TRUE(once) << got.size() << " of " << pushed << ", interrupted after instruction " << now.at;
    }

    void fork_and_join() {
        const std::size_t a = pushed;
        task** const slot = push();
        join(a, slot);
    }
    void fork_and_join_nested() {
        const std::size_t a = pushed;
        task** const outer = push();
        task** const inner = push();
        join(a + 1, inner);
        fork_and_join();
        join(a, outer);
    }
    void pop_them() { pop_all(*d); }
    void push_and_pop() {
        (void)push();
        pop_all(*d);
        (void)push();
        (void)push();
        pop_all(*d);
    }

    deque* d = nullptr;
    std::vector<task> tasks;
    std::size_t pushed = 0;
    std::vector<task*> got;
    task* taken = nullptr;
};

// With nothing else in the deque both want the same task.
TEST_P(DequeInterrupted, AtTheLastTask) { everywhere(0, &DequeInterrupted::fork_and_join); }
TEST_P(DequeInterrupted, WithOlderTasks) { everywhere(3, &DequeInterrupted::fork_and_join); }
TEST_P(DequeInterrupted, InsideAnother) { everywhere(0, &DequeInterrupted::fork_and_join_nested); }
TEST_P(DequeInterrupted, WhilePopping) { everywhere(3, &DequeInterrupted::pop_them); }
TEST_P(DequeInterrupted, WhilePushingAndPopping) { everywhere(1, &DequeInterrupted::push_and_pop); }
TEST_P(DequeInterrupted, AtTheEndOfABlock) {
    everywhere(block::capacity - 1, &DequeInterrupted::fork_and_join_nested);
    everywhere(block::capacity, &DequeInterrupted::fork_and_join_nested);
}
INSTANTIATE_TEST_SUITE_P(One, DequeInterrupted, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Half, DequeInterrupted, testing::Values(true));

// Blocks of a loop while parts of it are split off: each iteration runs once.
class LoopInterrupted : public Stepwise<unsigned> {
public:
    void split() {
        if (!loop.can_split()) return;
        const std::uint64_t left = loop.end - loop.next;
        const std::uint64_t part = GetParam() == 0 ? left : std::max<std::uint64_t>(left / GetParam(), 1);
        taken = {loop.end - part, loop.end};
        loop.end -= part;
    }
    splittable loop{nullptr, nullptr};
    std::pair<std::uint64_t, std::uint64_t> taken;
};

TEST_P(LoopInterrupted, EachIterationRunsOnce) {
    interrupt_everywhere([&] {
        std::vector<int> ran(10, 0);
        loop.next = 0;
        loop.end = ran.size();
        loop.ready = 1;
        taken = {0, 0};
        now.interruption = [](void* self) { static_cast<LoopInterrupted*>(self)->split(); };
        now.context = this;
        stepwise([&] {
            while (loop.next < loop.end) {
                const std::uint64_t from = loop.next;
                const std::uint64_t to = loop.begin(3);
                for (std::uint64_t i = from; i < to; ++i) ++ran[i];
            }
        });
        for (std::uint64_t i = taken.first; i < taken.second; ++i) ++ran[i];
        EXPECT_EQ(ran, std::vector<int>(10, 1)) << "after instruction " << now.at;
    });
}
INSTANTIATE_TEST_SUITE_P(AllOrPart, LoopInterrupted, testing::Values(0U, 2U, 10U));

// A look is made at the latest after as many occasions as may be left out, and none is counted that was not there.
using LookingInterrupted = Stepwise<int>;
TEST_P(LookingInterrupted, NeverLeavesOutMoreThanFitIntoThePause) {
    using namespace std::chrono_literals;
    parley::threading::looking look;
    interrupt_everywhere([&] {
        parley::threading::looking::clock::time_point time{1s};
        look = {};
        for (int i = 0; i < 3; ++i) {
            look.begins();
            look.again_after(1us, time);
            for (time += 50ns; look.looks_away(); time += 50ns) {}
        }
        look.begins();
        look.again_after(1us, time);
        for (int i = 0; i < 7; ++i) time += look.looks_away() ? 50ns : 0ns;
        look.begins();
        now.interruption = [](void* l) { static_cast<parley::threading::looking*>(l)->at_once_when_interrupted(); };
        now.context = &look;
        stepwise([&] {
            if (GetParam() == 0) look.at_once();
            if (GetParam() == 1) (void)look.looks_away();
            if (GetParam() == 2) look.again_after(1us, time);
        });
        look.begins();
        look.again_after(1us, time += 50ns);
        int left_out = 0;
        while (look.looks_away()) ++left_out;
        EXPECT_LE(left_out, 200) << "after instruction " << now.at;
    });
}
INSTANTIATE_TEST_SUITE_P(EachFunction, LookingInterrupted, testing::Values(0, 1, 2));

#endif

}  // namespace
