// Tasks that others take: forks, spawns, scopes, high tasks.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/spawn.hpp>

#include <vector>

namespace parley::explore {

namespace {

void fork() {
    rested_runtime rt(2);
    const explored here;
    const int sum = rt.run(&forked_sum);
    check(sum == 3, "a fork's result is wrong");
}

// The second call is begun by others: whoever forks waits until it is.
void fork_taken() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        bool begun = false;
        (void)fork_join([&] { look_until([&] { return begun; }); }, [&] { begun = true; });
    });
}

void forks_of_three() {
    rested_runtime rt(3);
    const explored here;
    const int sum = rt.run([] {
        const auto leaf = [] { return 1; };
        const auto two = [&] {
            const auto [a, b] = fork_join(leaf, leaf);
            return a + b;
        };
        const auto [a, b] = fork_join(two, two);
        return a + b;
    });
    check(sum == 4, "the sum of nested forks is wrong");
}

void barrier_of_spawns() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        spawn([&done] {
            spawn([&done] { ++done; });
            ++done;
        });
        barrier();
        check(done == 2, "a barrier ended before a task");
    });
}

// Its tasks are counted by whoever makes and runs them.
void scope_of_three() {
    rested_runtime rt(3);
    const explored here;
    rt.run([] {
        int done = 0;
        {
            scope s;
            s.spawn([&] {
                give_way();
                s.spawn([&done] { ++done; });
                for (int i = 0; i < 3; ++i) give_way();
                ++done;
            });
            s.spawn([&done] { ++done; });
            s.wait();
            check(done == 3, "a scope ended before a task of its own");
        }
    });
}

void failing_scope() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int thrown = 0, ran = 0;
        scope s;
        s.spawn([] { throw 1; });
        s.spawn([&ran] { ++ran; });
        try {
            s.wait();
        } catch (int) {
            ++thrown;
        }
        check(thrown == 1 && ran <= 1, "a scope's failure did not come to its wait");
    });
}

// The high one waits for the normal one, which may be with another worker, or not have begun.
void high_task() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        future<int> normal = async([] { return 1; });
        scope s;
        s.spawn(priority::high, [&] { done += normal.get(); });
        s.spawn(priority::high, [&done] { ++done; });
        s.spawn([&done] { ++done; });
        s.wait();
        check(done == 3, "a scope ended before a high task");
    });
}

// The high task waits for what is elsewhere, and a newer one waits for it, which must not begin on top of that wait.
void high_task_is_awaited() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        bool begun = false, may_end = false;
        future<int> elsewhere = async([&] {
            begun = true;
            wait_for([&may_end] { return may_end; });
            return 1;
        });
        look_until([&] { return begun; });
        future<int> high = async(priority::high, [&] {
            may_end = true;
            return elsewhere.get() + 1;
        });
        future<int> newer = async([&high] { return high.get() + 1; });
        check(newer.get() == 3, "who waits for a high task has a wrong sum");
    });
}

}  // namespace

std::vector<scene> scenes_of_tasks() {
    return {
        {"fork", "a fork while the other worker sleeps", &fork, 2, 5000},
        {"fork_taken", "the second call of a fork comes to a worker that sleeps", &fork_taken, 2, 5000},
        {"forks3", "forks in forks, three workers", &forks_of_three, 1, 5000},
        {"barrier", "a barrier behind tasks that make tasks", &barrier_of_spawns, 2, 5000},
        {"scope3", "a scope whose tasks several workers count", &scope_of_three, 1, 5000},
        {"failing_scope", "a task that fails, of a scope", &failing_scope, 2, 5000},
        {"high", "high tasks of a scope, one of which waits for a normal one", &high_task, 2, 5000},
        {"high_awaited", "a high task that waits, and a newer one that waits for it", &high_task_is_awaited, 2, 5000},
    };
}

}  // namespace parley::explore
