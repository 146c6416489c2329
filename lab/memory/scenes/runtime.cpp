// What of the runtime meets in these structures: tasks that are handed over, results that are waited for, and memory that
// comes home.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/detail/sync/remaining.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <array>
#include <cstdint>
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

// A future's wait: a worker asks to be woken, and sleeps until the result is there. The sender wakes who has asked, and
// touches the result no more.
void future_waited_for(program& p, std::uint32_t waiters) {
    struct result {
        sync::completion state;
        int value = 0;
    };
    struct state {
        std::array<sync::attention, 3> words;
        result* of_task = new result;
        sync::remaining users{1};

        void is_done_with_it() {
            if (users.done()) delete of_task;
        }
    };
    static constexpr sync::attention::bits news = 1;
    auto& s = shared<state>();
    s.users.add(waiters);
    p.thread([&s, waiters] {
        s.of_task->value = 7;
        const auto woken = s.of_task->state.complete();
        s.is_done_with_it();
        for (std::uint32_t who = 1; who <= waiters; ++who)
            if (woken.has(who)) s.words[who].raise_and_wake(news);
    });
    for (std::uint32_t who = 1; who <= waiters; ++who) {
        p.thread([&s, who] {
            sync::attention& word = s.words[who];
            sync::parker parker(word, news);
            bool has_asked = false;
            while (!s.of_task->state.is_complete()) {
                if (!has_asked && !s.of_task->state.announce(who)) break;
                has_asked = true;
                if (parker.prepare()) {
                    if (s.of_task->state.is_complete()) parker.cancel();
                    else parker.commit();
                }
                word.lower(news);
            }
            check(s.of_task->value == 7, "the result is not there");
            s.is_done_with_it();
        });
    }
}

// As runtime/watchdog.cpp: a thread deposits a request, and interrupts a worker unless a signal is on its way. The handler
// of an earlier signal says that none is on its way any more, and looks.
void interrupted(program& p) {
    struct state {
        sync::flag called;
        sync::lobby lobby{1};
        bool is_sent = false, is_taken = false;
    };
    auto& s = shared<state>();
    (void)s.called.put_up();
    p.thread([&s] {
        (void)s.lobby.deposit(0);
        s.is_sent = s.called.put_up();
    });
    p.thread([&s] {
        (void)s.called.lower();
        s.is_taken = s.lobby.take(0).has_value();
    });
    p.finally([&s] { check(s.is_taken || s.is_sent, "a request is not looked at, and no signal is on its way"); });
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
        {"future2", "one waits for a result", [](program& p) { future_waited_for(p, 1); }},
        {"future3", "two wait for a result", [](program& p) { future_waited_for(p, 2); }},
        {"interrupted", "a handler looks while another signal is wanted", interrupted},
        {"depot2", "a cell comes home at the end", [](program& p) { depot_ends(p, 1); }},
        {"depot3", "two cells come home at the end", [](program& p) { depot_ends(p, 2); }},
    };
}

}  // namespace parley::memory
