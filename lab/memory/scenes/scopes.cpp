// The counts of a scope: runtime/scope_core.cpp as it is, with workers that only count and sleep (stand_in).
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/runtime/scope_core.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::memory {

namespace {

using threading::current;
using threading::worker;

struct team {
    threading::pool home;
    std::optional<threading::scope_core> scope;
    std::array<sync::spsc_slot<int>, 3> slots;  // where tasks come from
    std::array<int, 3> results{};

    worker& become(std::uint32_t id) {
        current.of_thread[running_thread()] = &home.at(id);
        return home.at(id);
    }
    // Runs a task as driver/own_tasks.hpp does: before it, the worker says whose it is, and counts it after that.
    template <class Body>
    void run(worker& self, const Body& body) {
        scope->before_task(self);
        body();
        scope->count_done(self);
    }
    void run_next(worker& self, std::size_t slot) {
        int* const task = await([this, slot] { return slots[slot].receive(); });
        run(self, [task] { *task = 1; });
        self.turn_away();
    }
    void wait_for(int tasks) {
        scope->wait();
        check(results[0] + results[1] + results[2] == tasks, "a task is not done");
        scope.reset();
    }
};

// The owner spawns two tasks and runs one; a worker runs the other.
void two_workers(program& p) {
    auto& t = shared<team>();
    t.scope.emplace(t.home, &t.home.at(0));
    p.thread([&t] {
        worker& self = t.become(0);
        t.scope->count_spawned(self);
        t.scope->count_spawned(self);
        t.slots[1].send(&t.results[1]);
        t.run(self, [&t] { t.results[0] = 1; });
        t.wait_for(2);
    });
    p.thread([&t] { t.run_next(t.become(1), 1); });
}

// A worker's task spawns one for a third worker.
void three_workers(program& p) {
    auto& t = shared<team>();
    t.scope.emplace(t.home, &t.home.at(0));
    p.thread([&t] {
        worker& self = t.become(0);
        t.scope->count_spawned(self);
        t.slots[1].send(&t.results[1]);
        t.wait_for(2);
    });
    p.thread([&t] {
        worker& self = t.become(1);
        int* const task = await([&t] { return t.slots[1].receive(); });
        t.run(self, [&t, &self, task] {
            t.scope->count_spawned(self);
            t.slots[2].send(&t.results[2]);
            *task = 1;
        });
        self.turn_away();
    });
    p.thread([&t] { t.run_next(t.become(2), 2); });
}

// A thread outside spawns a task that a worker runs, and ends one that the owner has spawned.
void thread_outside(program& p) {
    auto& t = shared<team>();
    t.scope.emplace(t.home, &t.home.at(0));
    p.thread([&t] {
        worker& self = t.become(0);
        t.scope->count_spawned(self);
        t.slots[1].send(&t.results[1]);
        int* const task = await([&t] { return t.slots[0].receive(); });
        t.run(self, [task] { *task = 1; });
        t.wait_for(2);
    });
    p.thread([&t] {
        int* const task = await([&t] { return t.slots[1].receive(); });
        t.scope->count_spawned_outside();
        t.slots[0].send(&t.results[0]);
        *task = 1;
        t.scope->count_done_outside();
    });
}

// A task fails on another worker; the owner takes the failure.
void failing_task(program& p) {
    auto& t = shared<team>();
    t.scope.emplace(t.home, &t.home.at(0));
    p.thread([&t] {
        worker& self = t.become(0);
        t.scope->count_spawned(self);
        t.slots[1].send(&t.results[1]);
        t.scope->wait();
        check(t.scope->stopped(), "the scope goes on after a failure");
        check(t.scope->take_failure() != nullptr, "a failure is lost");
        t.scope.reset();
    });
    p.thread([&t] {
        worker& self = t.become(1);
        await([&t] { return t.slots[1].receive(); });
        t.run(self, [&t] { t.scope->fail_cancelled(); });
        self.turn_away();
    });
}

}  // namespace

std::vector<scene> scenes_of_scopes() {
    return {
        {"scope2", "a worker runs a task of another's scope", two_workers},
        {"scope3", "two workers run tasks of another's scope", three_workers},
        {"scope_outside", "a thread outside counts for a scope", thread_outside},
        {"scope_failing", "a task fails on another worker", failing_task},
    };
}

}  // namespace parley::memory
