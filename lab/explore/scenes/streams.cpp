// Streams: what their ends and farms have queued while they wait.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/farm.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <vector>

namespace parley::explore {

namespace {

void farm_of_three() {
    rested_runtime rt(2);
    const explored here;
    int sum = 0;
    (void)(source(std::vector{1, 2, 3}) | farm([](int i) { return i + 1; }, {.batch = 1}) |
           sink([&sum](int i) { sum += i; }))
        .run(rt, {.tokens = 2});
    check(sum == 9, "an item of a farm was lost");
}

// The stream runs in a task. If the other worker has something else to do, it lies in the deque of the worker that pulls.
void pull_two(bool other_is_busy) {
    rested_runtime rt(2);
    const explored here;
    const int sum = rt.run([other_is_busy] {
        int got = 0;
        pull_end<int> out;
        scope s;
        if (other_is_busy) s.spawn([&got] { wait_for([&got] { return got == 3; }); });
        s.spawn([&out] { (void)(source(std::vector{1, 2}) | sink(out)).run({.tokens = 1}); });
        while (const auto item = out.pull()) got += *item;
        s.wait();
        return got;
    });
    check(sum == 3, "an item of a stream that is pulled was lost");
}
void pulls_from_another() { pull_two(false); }
void pulls_own_stream() { pull_two(true); }

// The consumer runs in a task, and the root pushes.
void pushes_and_pulls() {
    rested_runtime rt(2);
    const explored here;
    const int sum = rt.run([] {
        int got = 0;
        push_end<int> in(1);
        scope s;
        s.spawn([&] { (void)(source(in) | sink([&got](int i) { got += i; })).run({.tokens = 1}); });
        for (int i = 1; i <= 3; ++i) (void)in.push(i);
        in.close();
        s.wait();
        return got;
    });
    check(sum == 6, "an item that was pushed was lost");
}

// One lane has a thread of its own.
void lanes_of_two_kinds() {
    rested_runtime rt(2);
    const explored here;
    int sum = 0;
    const auto body = [](int i) { return i + 1; };
    (void)(source(std::vector{1, 2, 3}) | farm(lanes{body, own_thread(body)}, on_demand{.depth = 1}) |
           sink([&sum](int i) { sum += i; }))
        .run(rt, {.tokens = 2});
    check(sum == 9, "an item of a lane was lost");
}

void items_go_round() {
    rested_runtime rt(2);
    const explored here;
    int sum = 0;
    (void)(source(std::vector{1, 2}) | loop(farm([](int i) { return i + 2; }), [](int i) { return i > 4; }) |
           sink([&sum](int i) { sum += i; }))
        .run(rt, {.tokens = 2});
    check(sum == 11, "an item that goes round was lost");
}

}  // namespace

std::vector<scene> scenes_of_streams() {
    return {
        {"farm", "three items through a farm, two at a time", &farm_of_three, 1, 5000},
        {"pulls", "a task pulls from a stream that another worker runs", &pulls_from_another, 1, 5000},
        {"pulls_own", "a task pulls from a stream whose other end it has queued", &pulls_own_stream, 2, 5000},
        {"lanes", "a lane on the workers, and one with a thread of its own", &lanes_of_two_kinds, 1, 5000},
        {"feedback", "items that go round in a loop", &items_go_round, 1, 5000},
        {"pushes", "a task pushes into a stream whose other end it has queued", &pushes_and_pulls, 1, 5000},
    };
}

}  // namespace parley::explore
