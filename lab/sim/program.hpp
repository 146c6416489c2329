// What virtual workers run: tasks as small straight programs, known in advance.
#pragma once

#include <lab/sim/operation.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {

enum class action : std::uint8_t {
    spawn,    // the task `operand`, then poll
    poll,     //
    work,     // `operand` steps in which the worker looks at nothing
    join,     // wait for all tasks that this one awaits
    barrier,  // root tasks only
    // For liveness: as long as it takes, poll until the task `operand` was begun; look at nothing
    // until it has been begun, or has ended.
    poll_until_begun,
    hold_until_begun,
    hold_until_done,
    // Waits for the task `operand`, which any number of others may wait for: the wait for a future.
    await,
    // Blocks the worker until nobody else has the lock `operand`.
    lock,
    unlock,
    // What is spawned between the two is made inside an isolated region.
    isolate,
    end_isolation,
    // A blocking region.
    block,
    end_block,
    // Worker 0's next root task of the second runtime, by worker 0 of the first one.
    visit,
    // Looks at nothing until a certain task of another runtime has ended.
    hold_until_done_elsewhere,
};

struct instruction {
    action what{};
    std::uint32_t operand = 0;
};

// How whoever ends a task tells the worker that waits for it: at once, as fork_join does, or when
// it turns to something else, as a scope does.
enum class telling : std::uint8_t { at_once, when_turning };

struct task_program {
    std::vector<instruction> code;
    task_id awaited_by = no_task;  // whose join waits for this task; nobody: only a barrier does
    task_id job = no_task;         // the job from outside that it belongs to
    telling tells = telling::at_once;
    bool is_isolated = false;  // it was made inside an isolated region
};

// `complete`: keeps a promise, which is a task without code that nobody runs.
enum class errand : std::uint8_t { submit, cancel, resize, complete };

// What one thread outside the workers does.
struct errands {
    struct one {
        errand what = errand::submit;
        task_id job = no_task;
        std::uint32_t delay = 0;    // steps before
        std::uint32_t workers = 0;  // that are not suspended from then on
    };
    std::vector<one> list;
};

struct program {
    std::vector<task_program> tasks;
    std::vector<task_id> roots;  // run by worker 0, one visit each
    std::vector<errands> outsiders;
    std::uint32_t locks = 0;

    task_id add(task_id awaited_by = no_task, telling tells = telling::at_once) {
        task_program t;
        t.awaited_by = awaited_by;
        t.tells = tells;
        if (awaited_by != no_task) t.job = tasks[awaited_by].job;
        tasks.push_back(std::move(t));
        return static_cast<task_id>(tasks.size() - 1);
    }
    task_id add_root() {
        roots.push_back(add());
        return roots.back();
    }
    task_id add_job() {
        const task_id id = add();
        tasks[id].job = id;
        return id;
    }
    program& then(task_id task, action what, std::uint32_t operand = 0) {
        tasks[task].code.push_back({what, operand});
        return *this;
    }
    // A child that the parent's join waits for.
    task_id spawn(task_id parent, telling tells = telling::at_once) {
        const task_id child = add(parent, tells);
        then(parent, action::spawn, child);
        return child;
    }
    // One that nobody joins.
    task_id spawn_detached(task_id parent) {
        const task_id child = add();
        tasks[child].job = tasks[parent].job;
        then(parent, action::spawn, child);
        return child;
    }
    // One that another task waits for by `await`. `inside` an isolated region of its parent's.
    task_id spawn_future(task_id parent, bool inside = false) {
        const task_id child = spawn_detached(parent);
        tasks[child].is_isolated = inside;
        return child;
    }
    // One that another task, which is the parent or awaits it, waits for: a spawn into its scope.
    task_id spawn_into(task_id parent, task_id scope) {
        const task_id child = add(scope, telling::when_turning);
        then(parent, action::spawn, child);
        return child;
    }
};

}  // namespace parley::inline v0::sim
