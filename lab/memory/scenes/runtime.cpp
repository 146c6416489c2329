// What of the runtime meets in these structures: tasks that are handed over, and memory that comes home.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <array>
#include <memory>

namespace parley::memory {

namespace {

struct numbered : threading::task {
    int number = 0;
};

// A victim gives half of its tasks, or the oldest one, and goes on with the others.
void deque_given(program& p, int tasks, bool half) {
    struct state {
        sync::spsc_slot<threading::task> answer;
        std::array<numbered, 4> all;
        std::array<int, 4> runs{};

        void run(threading::deque& from) {
            while (threading::task* const t = from.pop())
                ++runs[static_cast<std::size_t>(static_cast<numbered*>(t)->number)];
        }
    };
    auto& s = shared<state>();
    p.thread([&s, tasks, half] {
        threading::deque mine;
        for (int n = 0; n < tasks; ++n) {
            numbered& t = s.all[static_cast<std::size_t>(n)];
            t.run = nullptr;
            t.number = n;
            mine.push(&t);
        }
        s.answer.send(half ? mine.take_half() : mine.take_oldest());
        s.run(mine);
    });
    p.thread([&s] {
        threading::deque mine;
        mine.receive(await([&s] { return s.answer.receive(); }));
        s.run(mine);
    });
    p.finally([&s, tasks] {
        for (int n = 0; n < tasks; ++n) check(s.runs[static_cast<std::size_t>(n)] == 1, "a task did not run once");
    });
}

// A cell that a thread outside gives back, while its worker ends and the depot with it.
void depot_ends(program& p, int outside) {
    struct state {
        sync::atomic<int*> handed_over[2]{};
    };
    auto& s = shared<state>();
    auto* const home = new threading::depot;
    p.thread([&s, home, outside] {
        {
            threading::task_memory stock(*home);
            for (int n = 0; n < outside; ++n)
                s.handed_over[n].store(::new (stock.allocate()) int(n), std::memory_order_release);
        }
        threading::abandons_depot()(home);
    });
    for (int n = 0; n < outside; ++n) {
        p.thread([&s, home, n] {
            int* const cell = await([&s, n] { return s.handed_over[n].load(std::memory_order_acquire); });
            check(*cell == n, "another cell");
            home->give_back(cell);
        });
    }
}

}  // namespace

std::vector<scene> scenes_of_runtime() {
    return {
        {"deque_half", "half of a deque is given", [](program& p) { deque_given(p, 4, true); }},
        {"deque_oldest", "the oldest task is given", [](program& p) { deque_given(p, 2, false); }},
        {"depot2", "a cell comes home at the end", [](program& p) { depot_ends(p, 1); }},
        {"depot3", "two cells come home at the end", [](program& p) { depot_ends(p, 2); }},
    };
}

}  // namespace parley::memory
