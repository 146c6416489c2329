// Beginnings and ends: of runtimes, of threads that have been in them, of futures.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/blocking.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/shared_future.hpp>
#include <parley/spawn.hpp>
#include <parley/when_all.hpp>

#include <array>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace parley::explore {

namespace {

// From the first thread to the last.
void whole_life() {
    const explored here;
    int done = 0;
    {
        runtime rt({.workers = 2, .watchdog = watchdogs::off});
        rt.run([&done] {
            spawn([&done] { ++done; });
            (void)fork_join([] {}, [] {});
        });
    }
    check(done == 1, "a runtime has ended before its task");
}

// The other thread leaves while the runtime is to end.
void ends_as_a_thread_leaves() {
    std::optional<rested_runtime> rt(2);
    const explored here;
    int sum = 0;
    bool inside = false;
    std::thread other([&] {
        sum = rt->run([&inside] {
            inside = true;
            return forked_sum();
        });
    });
    wait_for([&inside] { return inside; });
    rt.reset();
    check(sum == 3, "a runtime has ended before a thread in it");
    other.join();
}

// A thread that keeps a seat ends, and leaves tasks.
void keeper_ends() {
    configure({.workers = 2, .watchdog = watchdogs::off});
    run([] { barrier(); });
    let_others_wait();
    const explored here;
    int done = 0;
    std::thread other([&done] {
        for (int i = 0; i < 2; ++i) spawn([&done] { ++done; });
    });
    other.join();
    wait_for([&done] { return done == 2; });
}

// A thread that keeps a seat visits another runtime, from where it comes back to its seat, and leaves tasks there.
void keeper_visits() {
    configure({.workers = 2, .watchdog = watchdogs::off});
    run([] { barrier(); });
    rested_runtime other(2);
    const explored here;
    int done = 0;
    spawn([&done] { ++done; });
    other.run([&done] {
        spawn([&done] { ++done; });
        const int sum = run([&done] {
            for (int i = 0; i < 2; ++i) spawn([&done] { ++done; });
            return 1;
        });
        check(sum == 1, "a keeper that came back has a wrong result");
        barrier();
    });
    wait_for([&done] { return done == 4; });
}

void timed_wait() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        bool begun = false, may_end = false;
        future<int> f = async([&] {
            begun = true;
            wait_for([&may_end] { return may_end; });
            return 1;
        });
        look_until([&] { return begun; });
        (void)f.wait_for(std::chrono::microseconds(50));
        may_end = true;
        (void)f.wait_for(std::chrono::milliseconds(1));
        check(f.get() == 1, "a future that was awaited for a time has a wrong value");
    });
}

// Both copies go, and the last one frees what they share.
void shared_future_goes() {
    rested_runtime rt(2);
    const explored here;
    int sum = 0;
    shared_future<int> one = rt.run([] { return shared_future<int>(async([] { return 1; })); });
    std::thread other([&sum, copy = one] { sum += copy.get(); });
    sum += std::exchange(one, {}).get();
    other.join();
    check(sum == 2, "a copy of a shared future has a wrong value");
}

void all_of_several() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        auto both = when_all(async([] { return 1; }), async([] {
                                 poll();
                                 return 2;
                             }));
        const auto [a, b] = both.get();
        check(a + b == 3, "two futures as one have a wrong sum");
    });
}

// A loop in a task that has to go, beside one that waits: everything that a worker can have.
void resized_while_it_waits() {
    rested_runtime rt(2);
    const explored here;
    std::array<int, 4> ran{};
    std::thread other([&rt] {
        rt.resize(1);
        rt.resize(2);
    });
    const int sum = rt.run([&ran] {
        future<int> f = async([&ran] {
            for_each_index(0, 4, [&ran](int i) {
                poll();
                ++ran[static_cast<unsigned>(i)];
            });
            return 1;
        });
        future<int> g = async([&f] { return f.get() + 1; });
        return g.get();
    });
    other.join();
    check(sum == 2 && ran == std::array{1, 1, 1, 1}, "what a worker had when it was to go was lost");
}

// An isolated region blocks: its own tasks stay with it, or go to others as isolated ones.
void blocks_inside_isolation() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        bool elsewhere = false;
        std::thread other([&elsewhere] { elsewhere = true; });
        scope outer;
        outer.spawn([&done] {
            check(!is_inside, "a foreign task began on top of an isolated wait");
            ++done;
        });
        isolated([&] {
            const inside region;
            scope inner;
            for (int i = 0; i < 2; ++i) inner.spawn([&done] { ++done; });
            blocking([&elsewhere] { wait_for([&elsewhere] { return elsewhere; }); });
            inner.wait();
        });
        outer.wait();
        other.join();
        check(done == 3, "a scope ended before a task of a region that blocked");
    });
}

// A region that keeps a lock blocks. It alone can run what it has made, because the other worker waits for the lock.
void blocks_with_a_lock() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        std::mutex lock;
        int done = 0;
        bool begun = false, kept = false;
        blocking([] {});  // a short one, so that no thread stands in for the next one
        future<void> other = async([&] {
            begun = true;
            wait_for([&kept] { return kept; });
            const std::scoped_lock guard(lock);
        });
        look_until([&begun] { return begun; });
        isolated([&] {
            const std::scoped_lock guard(lock);
            kept = true;
            scope s;
            s.spawn([&done] { ++done; });
            blocking([] {});
            s.wait();
        });
        other.get();
        check(done == 1, "a scope ended before a task of a region that blocked");
    });
}

// Tasks of each runtime call into the other one.
void runtimes_call_each_other() {
    rested_runtime a(2), b(2);
    const explored here;
    const int sum = a.run([&] {
        const auto [x, y] = fork_join([&] { return b.run([&] { return a.run([] { return 1; }); }); },
                                      [&] { return b.run([] { return 2; }); });
        return x + y;
    });
    check(sum == 3, "a runtime that was called back has a wrong result");
}

}  // namespace

std::vector<scene> scenes_of_lives() {
    return {
        {"whole_life", "a runtime with a task, from its first thread to its last", &whole_life, 1, 5000},
        {"ends", "a runtime is to end while a thread leaves it", &ends_as_a_thread_leaves, 1, 5000},
        {"keeper_ends", "a thread that keeps a seat ends, and leaves tasks", &keeper_ends, 1, 5000},
        {"keeper_visits", "a thread that keeps a seat visits another runtime", &keeper_visits, 1, 5000},
        {"timed", "a future is awaited for a time, and is there at last", &timed_wait, 1, 5000},
        {"shared", "copies of a shared future on two threads", &shared_future_goes, 1, 5000},
        {"when_all", "two futures as one", &all_of_several, 1, 5000},
        {"resize_loop", "a worker with a loop and a wait is to go", &resized_while_it_waits, 1, 5000},
        {"isolated_blocks", "an isolated region blocks, and has tasks", &blocks_inside_isolation, 1, 5000},
        {"isolated_blocks_lock", "one that keeps a lock blocks", &blocks_with_a_lock, 1, 5000},
        {"ring", "tasks of two runtimes call each other's", &runtimes_call_each_other, 1, 5000},
    };
}

}  // namespace parley::explore
