// Workers that do not look, and are interrupted: the handler of the library's signal runs at a step of the thread.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/loop.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <array>
#include <chrono>
#include <vector>

namespace parley::explore {

namespace {

// The root never looks, and needs its task to be run.
void long_task() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    rt.run([] {
        bool done = false;
        scope s;
        s.spawn([&done] { done = true; });
        wait_for([&done] { return done; });
        s.wait();
    });
}

// Twice: what the handler has given it has not prepared anew.
void long_fork() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    rt.run([] {
        int done = 0;
        scope s;
        s.spawn([&done] { ++done; });
        s.spawn([&done] { ++done; });
        s.spawn([&done] { ++done; });
        wait_for([&done] { return done == 3; });
        s.wait();
    });
}

// The first iteration needs all others: its worker gives parts of the loop away in the handler.
void refilled_loop() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    std::array<bool, 4> ran{};
    rt.run([&ran] {
        poll();  // from here on it has looked, and had nothing
        for_each_index(0, 4, [&ran](int i) {
            if (i == 0) wait_for([&ran] { return ran[1] && ran[2] && ran[3]; });
            ran[static_cast<unsigned>(i)] = true;
        });
    });
    check(ran[0] && ran[1] && ran[2] && ran[3], "an iteration of a loop was lost");
}

// Two of three workers need what the third one is to do: the first has the loop, and the second is given the middle of it.
// Neither of them looks.
void spread_loop() {
    rested_runtime rt(3, watchdogs::on);
    const explored here;
    std::array<bool, 6> ran{};
    rt.run([&ran] {
        for_each_index(0, 6, [&ran](int i) {
            if (i == 0) wait_for([&ran] { return ran[1] && ran[2] && ran[3]; });
            if (i == 3) wait_for([&ran] { return ran[4] && ran[5]; });
            ran[static_cast<unsigned>(i)] = true;
        });
    });
    for (const bool r : ran) check(r, "an iteration of a loop was lost");
}

// The thief keeps its part of a short loop for itself. Then an iteration is long, and needs the last one of that part.
void own_share() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    std::array<bool, 90> ran{};
    rt.run([&ran] {
        for_each_index(0, 90, [&ran](int i) {
            if (i == 70) wait_for([&ran] { return ran[89]; });
            ran[static_cast<unsigned>(i)] = true;
        });
    });
    for (const bool r : ran) check(r, "an iteration of a loop was lost");
}

// What is small is kept, and what follows is long.
void kept_back() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    const int sum = rt.run([] {
        int small = 0;
        for (int i = 0; i < 2; ++i) {
            const auto [a, b] = fork_join([] { return 1; }, [] { return 1; });
            small += a + b;
        }
        bool done = false;
        scope s;
        s.spawn([&done] { done = true; });
        wait_for([&done] { return done; });
        s.wait();
        return small;
    });
    check(sum == 4, "small forks have a wrong sum");
}

// The small forks of the first iteration are kept again and again, and must not keep the second one back with them.
// So many iterations are over at once. The next one forks until the last one has begun.
template <int Short>
void forks_inside_loop() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    rt.run([] {
        bool last_begun = false;
        for_each_index(0, Short + 2, [&last_begun](int i) {
            if (i == Short + 1) last_begun = true;
            while (i == Short && !last_begun) (void)fork_join([] {}, [] {});
        });
    });
}

// A task computes for so long, and does not look up.
void works_for(std::chrono::microseconds length) {
    using clock = std::chrono::steady_clock;
    for (const auto until = clock::now() + length; clock::now() < until;) {}
}

void small_fork() {
    (void)fork_join([] {}, [] {});
}
void single_loop() {
    for_each_index(0, 1, [](int) {});
}

// The answer to a wait comes when the wait is over, and lies in the task channel. Its worker goes on with something small
// now and then, which it keeps, and needs what is in the answer.
template <void (*Small)(), int Microseconds>
void late_answer() {
    rested_runtime rt(2, watchdogs::on);
    const explored here;
    rt.run([] {
        bool begun = false, done = false;
        scope s;
        auto first = async([&] {
            begun = true;
            s.spawn([&done] { done = true; });
            wait_for([] { return threading::current->queued() == 0; });  // its handler has given the task
        });
        wait_for([&begun] { return begun; });
        first.get();
        while (!done) {
            Small();
            works_for(std::chrono::microseconds(Microseconds));
        }
        s.wait();
    });
}

}  // namespace

std::vector<scene> scenes_of_signals() {
    return {
        {"long_task", "a task that never looks needs one that it has made", &long_task, 2, 5000, 4, 20'000, 2},
        {"long_tasks", "such a task needs three", &long_fork, 1, 5000, 4, 20'000, 2},
        {"refill", "an iteration that never looks needs the rest of its loop", &refilled_loop, 1, 5000, 4, 20'000, 2},
        {"spread_loop", "two of three workers do not look, and need the rest of the loop", &spread_loop, 1, 2000, 4, 40'000,
         3},
        {"own_share", "a part that a thief keeps for itself turns out to be long", &own_share, 1, 1000, 4, 65'000, 1},
        {"kept_back", "small forks are kept, and then something long begins", &kept_back, 2, 5000, 4, 20'000, 2},
        {"late_answer", "an answer comes after its wait, and small forks follow now and then", &late_answer<small_fork, 60>,
         1, 500, 4, 65'000, 3},
        {"late_answer_seldom", "the forks are further apart than a thief spins", &late_answer<small_fork, 3000>, 1, 500, 4,
         65'000, 300},
        {"late_answer_loops", "loops of one index instead of forks", &late_answer<single_loop, 60>, 1, 500, 4, 65'000, 3},
        {"forks_in_loop", "small forks in an iteration that needs the rest of its loop", &forks_inside_loop<0>, 1, 5000, 4,
         20'000, 50},
        {"forks_in_timed_loop", "the first iterations of that loop were short", &forks_inside_loop<1>, 1, 2000, 4, 65'000,
         5},
    };
}

}  // namespace parley::explore
