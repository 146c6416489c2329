// Threads outside, several runtimes, workers that come and go.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/blocking.hpp>
#include <parley/errors.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/spawn.hpp>

#include <thread>
#include <vector>

namespace parley::explore {

namespace {

void two_roots() {
    rested_runtime rt(2);
    const explored here;
    int sum = 0;
    const auto root = [&] { sum += rt.run(&forked_sum); };
    std::thread other(root);
    root();
    other.join();
    check(sum == 6, "of two threads that came in one has lost its sum");
}

void scope_from_outside() {
    rested_runtime rt(2);
    const explored here;
    int done = 0;
    scope s(rt);
    s.spawn([&done] { ++done; });
    std::thread other([&] { s.spawn([&done] { ++done; }); });
    other.join();
    s.wait();
    check(done == 2, "a scope of threads outside ended before a task");
}

// Nobody but the workers is there for it: worker 0's seat is empty.
void job_from_outside() {
    rested_runtime rt(2);
    const explored here;
    int done = 0;
    scope s(rt);
    for (int i = 0; i < 2; ++i) s.spawn([&done] { ++done; });
    wait_for([&done] { return done == 2; });
}

template <class Resize>
void tasks_beside(const Resize& resize) {
    rested_runtime rt(2);
    const explored here;
    std::thread other([&] { resize(rt); });
    int done = 0;
    rt.run([&] {
        scope s;
        for (int i = 0; i < 2; ++i)
            s.spawn([&done] {
                (void)fork_join([] {}, [] {});
                ++done;
            });
        s.wait();
    });
    other.join();
    check(done == 2, "a task was lost while workers went and came");
}

void resized() {
    tasks_beside([](runtime& rt) {
        rt.resize(1);
        rt.resize(2);
    });
}

// The worker that goes comes back no more: what it has, and what is on its way to it, is for others.
void goes_away() {
    tasks_beside([](runtime& rt) { rt.resize(1); });
}

// The second call of the fork needs the worker that is to come back.
void comes_back() {
    rested_runtime rt(2);
    rt.resize(1);
    let_others_wait();
    const explored here;
    std::thread other([&] { rt.resize(2); });
    rt.run([] {
        bool begun = false;
        (void)fork_join([&] { look_until([&] { return begun; }); }, [&] { begun = true; });
    });
    other.join();
}

// The root waits for its scope while a thread outside spawns into it.
void scope_of_root_from_outside() {
    rested_runtime rt(2);
    const explored here;
    int done = 0;
    scope* of_root = nullptr;
    bool spawned = false;
    std::thread other([&] {
        wait_for([&] { return of_root != nullptr; });
        of_root->spawn([&done] { ++done; });
        spawned = true;
    });
    rt.run([&] {
        scope s;
        s.spawn([&] {
            wait_for([&] { return spawned; });
            ++done;
        });
        of_root = &s;
        s.wait();
        check(done == 2, "a scope ended before a task of a thread outside");
    });
    other.join();
}

// The root neither looks nor blocks: only the worker that sits out is left for the job.
void lends_a_hand() {
    rested_runtime rt(2);
    rt.resize(1);
    let_others_wait();
    const explored here;
    bool done = false, inside = false;
    scope s(rt);
    std::thread other([&] {
        wait_for([&inside] { return inside; });
        s.spawn([&done] { done = true; });
    });
    rt.run([&] {
        inside = true;
        wait_for([&done] { return done; });
    });
    other.join();
    s.wait();
}

void two_runtimes() {
    rested_runtime a(2), b(2);
    const explored here;
    a.run([&] {
        future<int> mine = async([] { return 1; });
        const int sum = b.run([&] {
            // It lasts, so this thread sleeps meanwhile, as a worker of the first runtime.
            bool begun = false;
            future<int> theirs = async([&begun] {
                begun = true;
                for (int i = 0; i < 40; ++i) give_way();
                return 2;
            });
            look_until([&begun] { return begun; });
            return mine.get() + theirs.get();
        });
        check(sum == 3, "a future of another runtime has a wrong value");
    });
}

void cancelled_root() {
    rested_runtime rt(2);
    {
        const explored here;
        std::thread other([&] { rt.cancel(); });
        try {
            rt.run([] { check(forked_sum() == 3, "a cancelled fork has a wrong result"); });
        } catch (const cancelled&) {}
        other.join();
    }
    check(rt.run(&forked_sum) == 3, "after a cancelled root another one was");
}

void rest_default_runtime() {
    configure({.workers = 2, .watchdog = watchdogs::off});
    run([] { (void)fork_join([] {}, [] {}); });
    spawn([] {});
    run([] { barrier(); });
    let_others_wait();
}

// The thread keeps its seat, comes back to it once while another may be there, and then no more.
void kept_seat() {
    rest_default_runtime();
    const explored here;
    int done = 0;
    for (int i = 0; i < 2; ++i) spawn([&done] { ++done; });
    give_way();
    spawn([&done] { ++done; });
    wait_for([&done] { return done == 3; });
}

// The other worker looks into the seat and falls asleep while the thread spawns, and nothing else comes.
void kept_seat_once() {
    rest_default_runtime();
    const explored here;
    int done = 0;
    spawn([&done] { ++done; });
    wait_for([&done] { return done == 1; });
    spawn([&done] { ++done; });
    wait_for([&done] { return done == 2; });
}

// A barrier of another thread looks into the seat.
void kept_seat_and_barrier() {
    rest_default_runtime();
    const explored here;
    int done = 0;
    bool spawned = false;
    std::thread other([&] {
        wait_for([&spawned] { return spawned; });
        run([&] { (void)fork_join([] {}, [] {}); });
    });
    spawn([&done] { ++done; });
    spawned = true;
    spawn([&done] { ++done; });
    other.join();
    wait_for([&done] { return done == 2; });
}

}  // namespace

std::vector<scene> scenes_of_threads() {
    return {
        {"two_roots", "two threads come into one runtime", &two_roots, 1, 5000},
        {"outside", "threads outside spawn into one scope", &scope_from_outside, 2, 5000},
        {"outside_job", "a thread outside spawns, and comes in for nothing", &job_from_outside, 2, 5000},
        {"resize", "a worker is to go, and to come back, while there are tasks", &resized, 1, 5000},
        {"goes", "a worker is to go while there are tasks", &goes_away, 1, 5000},
        {"comes_back", "a worker comes back, and is needed", &comes_back, 2, 5000},
        {"outside_root", "a thread outside spawns into a scope that its root waits for", &scope_of_root_from_outside, 1,
         5000},
        {"lends", "a worker that sits out takes what nobody else can", &lends_a_hand, 1, 5000, 4, 20000, 500},
        {"two_runtimes", "a thread waits in one runtime for futures of two", &two_runtimes, 1, 5000},
        {"cancel", "a thread outside cancels a root task", &cancelled_root, 2, 5000},
        {"kept_seat", "what a thread leaves in the seat that it keeps", &kept_seat, 2, 5000},
        {"kept_seat_once", "one task that a thread leaves in the seat that it keeps", &kept_seat_once, 2, 5000},
        {"kept_seats2", "two threads keep seats", &kept_seat_and_barrier, 2, 5000},
    };
}

}  // namespace parley::explore
