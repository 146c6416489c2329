// Answers that their victim takes back, or that their thief begins just before it would: in each state that a thief may be
// in. Behind each of them the thief is asked for something that it alone can do, so its request must be found again.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/detail/policy/tuning.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <array>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace parley::explore {

namespace {

// By a task: until others have all that it has made.
void give_all() {
    look_until([] { return threading::current->queued() == 0; });
}

// By the root, at the end of a scene: another worker has to come for a task.
void need_a_thief() {
    bool begun = false;
    (void)fork_join([&begun] { look_until([&begun] { return begun; }); }, [&begun] { begun = true; });
}

// The thief sleeps, and is woken by the answer.
void from_sleeper() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int ran = 0;
        scope s;
        s.spawn([&ran] { ++ran; });
        give_all();
        s.wait();
        check(ran == 1, "a task that was given was not run once");
        need_a_thief();
    });
}

// The thief has just done something, and looks for more.
void from_one_that_looks() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        need_a_thief();
        const auto [a, b] = fork_join([] { return give_all(), 1; }, [] { return 2; });
        check(a + b == 3, "the result of a call that was given is wrong");
        need_a_thief();
    });
}

// The thief gets half of what there is, in one message.
void several() {
    runtime rt({.workers = 2, .watchdog = watchdogs::off}, {.steal = threading::stealing::half});
    rt.run([] { barrier(); });
    let_others_wait();
    const explored here;
    rt.run([] {
        std::array<int, 3> ran{};
        scope s;
        for (int& r : ran) s.spawn([&r] { ++r; });
        give_all();
        s.wait();
        for (const int r : ran) check(r == 1, "a task that was given was not run once");
        need_a_thief();
    });
}

// The thief's wait is over when the answer comes, and it turns to something that needs the task and does not look. It is
// the root, whose wait has a time. Its victim looks for it, and then waits.
template <int IdleUs>
void from_a_busy_one() {
    runtime rt({.workers = 2, .watchdog = watchdogs::off, .idle = std::chrono::microseconds(IdleUs)});
    rt.run([] { barrier(); });
    let_others_wait();
    const explored here;
    rt.run([] {
        bool begun = false, done = false;
        future<void> other = async([&] {
            begun = true;
            scope s;
            s.spawn([&done] { done = true; });
            for (int i = 0; i < 20 && threading::current->queued() > 0; ++i) {
                poll();
                give_way();
            }
            s.wait();
            check(done, "a scope ended before a task");
        });
        look_until([&begun] { return begun; });
        (void)other.wait_for(std::chrono::microseconds(50));
        wait_for([&done] { return done; });
        other.get();
        need_a_thief();
    });
}

// The rest of a loop.
void part_of_loop() {
    rested_runtime rt(2);
    const explored here;
    std::array<int, 4> ran{};
    rt.run([&ran] {
        for_each_index(0, 4, [&ran](int i) { ++ran[static_cast<unsigned>(i)]; });
        need_a_thief();
    });
    for (const int r : ran) check(r == 1, "an iteration was not run once");
}

// A high task goes back to the high ones.
void high_one() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int ran = 0;
        scope s;
        s.spawn(priority::high, [&ran] { ++ran; });
        give_all();
        s.wait();
        check(ran == 1, "a high task that was given was not run once");
        need_a_thief();
    });
}

// What was made inside an isolated region is awaited outside of it. Then it still begins isolated, before anything else.
void made_inside() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int ran = 0;
        scope s;
        isolated([&] {
            s.spawn([&ran] {
                check(threading::current->is_isolated(), "a task that was made in an isolated region is not isolated");
                ++ran;
            });
            give_all();
        });
        s.wait();
        check(ran == 1, "an isolated task that was given was not run once");
        need_a_thief();
    });
}

// Whoever waits in an isolated region takes nothing back that was made outside of it.
void waits_inside() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        scope outer;
        outer.spawn([&done] {
            check(!is_inside, "a task from outside was taken back on top of an isolated wait");
            ++done;
        });
        give_all();
        isolated([&done] {
            const inside region;
            scope s;
            s.spawn([&done] { ++done; });
            give_all();
            s.wait();
        });
        outer.wait();
        check(done == 2, "a scope with an isolated region ended before a task");
        need_a_thief();
    });
}

// What is taken back wants a lock that an isolated region keeps. The region has a task for the worker that takes back.
void wants_a_lock() {
    rested_runtime rt(3);
    const explored here;
    std::mutex lock;
    int done = 0;
    rt.run([&] {
        bool begun = false;
        future<void> other = async([&] {
            begun = true;
            scope s;
            s.spawn([&] {
                const std::scoped_lock guard(lock);
                ++done;
            });
            for (int i = 0; i < 20 && threading::current->queued() > 0; ++i) {
                poll();
                give_way();
            }
            s.wait();
        });
        look_until([&begun] { return begun; });
        isolated([&] {
            const std::scoped_lock guard(lock);
            scope s;
            s.spawn([&done] { ++done; });
            for (int i = 0; i < 5; ++i) {
                poll();
                give_way();
            }
            s.wait();
        });
        other.get();
    });
    check(done == 2, "a task was lost beside an isolated region");
}

// The thief is to go while the answer is on its way.
void from_one_that_goes() {
    rested_runtime rt(2);
    const explored here;
    int ran = 0;
    std::thread other([&rt] { rt.resize(1); });
    rt.run([&ran] {
        scope s;
        s.spawn([&ran] { ++ran; });
        poll();
        s.wait();
    });
    other.join();
    rt.resize(2);
    rt.run(&need_a_thief);
    check(ran == 1, "a task that was given was not run once");
}

// Two thieves, and what one of them has not begun makes a task for the other.
void from_two() {
    rested_runtime rt(3);
    const explored here;
    rt.run([] {
        int ran = 0;
        scope s;
        for (int i = 0; i < 2; ++i)
            s.spawn([&ran, &s] {
                s.spawn([&ran] { ++ran; });
                ++ran;
            });
        give_all();
        s.wait();
        check(ran == 4, "a task that was given, or one that it made, was not run once");
        need_a_thief();
    });
}

// A barrier ends only when what was taken back is done, and what it has made.
void before_a_barrier() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        scope s;
        s.spawn([&done, &s] {
            s.spawn([&done] { ++done; });
            ++done;
        });
        give_all();
        barrier();
        check(done == 2, "a barrier ended before a task that was given");
        s.wait();
    });
}

}  // namespace

std::vector<scene> scenes_of_answers_taken_back() {
    return {
        {"taken_back", "from a thief that the answer wakes", &from_sleeper, 2, 5000},
        {"taken_back_awake", "from one that looks for work", &from_one_that_looks, 1, 5000},
        {"taken_back_half", "several tasks in one message", &several, 1, 5000},
        {"taken_back_busy", "from one whose wait was over before", &from_a_busy_one<30>, 1, 5000},
        {"taken_back_at_once", "from such a one, by a worker that sleeps at once", &from_a_busy_one<0>, 1, 5000},
        {"taken_back_loop", "the rest of a loop", &part_of_loop, 1, 5000},
        {"taken_back_high", "a high task", &high_one, 1, 2000},
        {"taken_back_isolated", "what was made in an isolated region that is over", &made_inside, 1, 5000},
        {"taken_back_not", "a wait in an isolated region takes nothing back", &waits_inside, 1, 5000},
        {"taken_back_lock", "what wants a lock, beside an answer of the region that keeps it", &wants_a_lock, 1, 20'000},
        {"taken_back_goes", "from one that is to go", &from_one_that_goes, 1, 5000},
        {"taken_back3", "from one of two thieves", &from_two, 1, 5000},
        {"taken_back_barrier", "before a barrier", &before_a_barrier, 1, 5000},
    };
}

}  // namespace parley::explore
