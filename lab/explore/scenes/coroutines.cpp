// What waits without a stack: coroutines and continuations.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/coroutine.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/promise.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/shared_future.hpp>

#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace parley::explore {

namespace {

task<> adds(future<int> f, int& sum) { sum += co_await f; }
task<> adds_shared(shared_future<int> f, int& sum) { sum += co_await f; }

// A barrier waits for a coroutine that a thread outside lets go on.
void coroutine_at_barrier() {
    rested_runtime rt(2);
    const explored here;
    promise<int> p(rt);
    int sum = 0;
    std::thread other([&] { p.set_value(3); });
    rt.run([&] {
        spawn(adds(p.get_future(), sum));
        barrier();
        check(sum == 3, "a barrier has not waited for a suspended coroutine");
    });
    other.join();
}

// The runtime ends as soon as the coroutine has ended that a thread outside has let go on.
void coroutine_at_the_end() {
    int sum = 0;
    std::thread other;
    {
        rested_runtime rt(2);
        const explored here;
        promise<int> p(rt);
        future<int> f = p.get_future();
        other = std::thread([q = std::move(p)]() mutable { q.set_value(3); });
        rt.run([&] { spawn(adds(std::move(f), sum)); });
    }
    check(sum == 3, "the end of a runtime has not waited for a suspended coroutine");
    other.join();
}

// Two coroutines and a wait that keeps its stack meet at one future, whose task another worker may take.
void coroutines_share() {
    rested_runtime rt(2);
    const explored here;
    int first = 0, second = 0;
    rt.run([&] {
        scope tasks;
        const shared_future<int> f = async([] {
            poll();
            return 2;
        });
        tasks.spawn(adds_shared(f, first));
        tasks.spawn(adds_shared(f, second));
        check(f.get() == 2, "a future has a wrong value");
        tasks.wait();
    });
    check(first == 2 && second == 2, "a coroutine has not gone on");
}

// Two steps, each of which waits for the one before, and a coroutine for both.
void then_and_coroutine() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        future<int> f = async([] { return 1; }).then([](int x) { return x + 1; });
        int sum = 0;
        {
            future<void> g = async(adds(std::move(f), sum));
            g.get();
        }
        check(sum == 2, "a coroutine has a wrong sum");
    });
}

// What a region awaits is done by a thief. The region keeps a lock, and a job wants it. So the thief has to go on with what
// awaits it before it begins the job.
void region_goes_on_at_a_thief() {
    rested_runtime rt(2);
    const explored here;
    std::mutex lock;
    bool awaits = false, may_end = false;
    scope outside(rt);
    std::thread other([&] {
        wait_for([&awaits] { return awaits; });
        outside.spawn([&lock] { const std::scoped_lock guard(lock); });
        may_end = true;
    });
    rt.run([&] {
        isolated([&] {
            const std::scoped_lock guard(lock);
            bool begun = false;
            future<int> f = async([&] {
                begun = true;
                wait_for([&may_end] { return may_end; });
                return 1;
            });
            look_until([&begun] { return begun; });
            future<int> g = std::move(f).then([](int x) { return x + 1; });
            awaits = true;
            check(g.get() == 2, "a continuation has a wrong value");
        });
    });
    other.join();
    outside.wait();
}

}  // namespace

std::vector<scene> scenes_of_coroutines() {
    return {
        {"region_goes_on", "a thief has done what an isolated region awaits, and there is a job", &region_goes_on_at_a_thief,
         1, 5000},
        {"coroutine_barrier", "a barrier waits for a coroutine that a thread outside lets go on", &coroutine_at_barrier, 1,
         300},
        {"coroutine_end", "the end of a runtime waits for such a coroutine", &coroutine_at_the_end, 1, 300},
        {"coroutines_share", "coroutines and a wait that keeps its stack meet at one future", &coroutines_share, 1, 300},
        {"coroutine_then", "a coroutine waits for a continuation of a future", &then_and_coroutine, 1, 300},
    };
}

}  // namespace parley::explore
