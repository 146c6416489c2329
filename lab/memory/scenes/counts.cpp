// Counts: the last one learns that it is, sees what the others did, and may free what they used.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/credits.hpp>
#include <parley/detail/sync/join_counter.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/remaining.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::memory {

namespace {

// The owner's frame goes when the children are done.
void join_of(program& p, int children, bool waits) {
    struct frame {
        sync::join_counter left;
        std::array<int, 3> results{};
        sync::atomic<int> told{0};
    };
    auto* const f = new frame;
    auto& told = shared<sync::atomic<int>>(0);
    for (int n = 0; n < children; ++n) f->left.add();
    for (int n = 0; n < children; ++n) {
        p.thread([f, &told, n] {
            f->results[static_cast<std::size_t>(n)] = 1;
            if (f->left.done_elsewhere()) told.store(1, std::memory_order_relaxed);
        });
    }
    p.thread([f, &told, children, waits] {
        if (!waits || !f->left.begin_to_wait()) {
            if (waits) await([&told] { return told.load(std::memory_order_relaxed) == 1; });
            await([f] { return f->left.are_done(); });
        }
        for (int n = 0; n < children; ++n) check(f->results[static_cast<std::size_t>(n)] == 1, "a child is not done");
        delete f;
    });
}

// The owner does a child of its own while it waits, and begins anew.
void join_here(program& p) {
    struct frame {
        sync::join_counter left;
        int result = 0;
    };
    auto& f = shared<frame>();
    f.left.add();
    f.left.add();
    p.thread([&f] {
        f.result = 1;
        (void)f.left.done_elsewhere();
    });
    p.thread([&f] {
        check(!f.left.begin_to_wait(), "a child is left");
        f.left.done_here();
        await([&f] { return f.left.are_done(); });
        check(f.result == 1, "a child is not done");
        f.left.settle();
        check(!f.left.any() && f.left.are_done(), "it does not begin anew");
    });
}

void remaining_of(program& p, int parts) {
    struct whole {
        sync::remaining left{1};
        std::array<int, 3> results{};
    };
    auto* const w = new whole;
    w->left.add(static_cast<std::uint64_t>(parts) - 1);
    for (int n = 0; n < parts; ++n) {
        p.thread([w, n, parts] {
            w->results[static_cast<std::size_t>(n)] = 1;
            if (!w->left.done()) return;
            for (int other = 0; other < parts; ++other)
                check(w->results[static_cast<std::size_t>(other)] == 1, "a part is not done");
            delete w;
        });
    }
}
// A part hands a new one over.
void remaining_added(program& p) {
    struct whole {
        sync::remaining left{1};
        sync::atomic<int> handed_over{0};
        int done = 0;
    };
    auto& w = shared<whole>();
    p.thread([&w] {
        w.left.add(1);
        w.handed_over.store(1, std::memory_order_release);
        if (w.left.done()) ++w.done;
    });
    p.thread([&w] {
        await([&w] { return w.handed_over.load(std::memory_order_acquire) == 1; });
        if (w.left.done()) ++w.done;
    });
    p.finally([&w] { check(w.done == 1, "not one was the last"); });
}

// What promises no order: its values alone count.
void hints(program& p) {
    struct state {
        sync::counter count;
        sync::published_counter published;
        sync::published<int> shown{0};
        sync::hint<int> hint{0};
        sync::attention word;
        sync::biased_lock lock;
        sync::credits credits{1};
        sync::lobby lobby{2}, except{2};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.count.add(2);
        s.count.take_off();
        s.published.add();
        s.shown.set(1);
        s.hint.set(1);
        s.word.raise(1);
        check(s.published.own() == 1 && s.shown.own() == 1, "a thread does not see what it wrote");
    });
    p.thread([&s] {
        check(s.count.get() <= 2 && s.hint.get() <= 1, "a value that nobody wrote");
        check(!s.lock.is_inside() && s.credits.taken() == 0, "a value that nobody wrote");
        check(!s.lobby.holds(1) && s.lobby.count_between(0, 2, &s.except) == 0, "a value that nobody wrote");
        (void)s.word.any();
    });
    p.finally([&s] { check(s.count.get() == 1 && s.word.any(), "a value is lost"); });
}

void published_counter_of(program& p) {
    struct state {
        sync::published_counter count;
        std::array<int, 2> parts{};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        for (int& part : s.parts) {
            part = 1;
            s.count.add();
        }
    });
    p.thread([&s] {
        const std::uint64_t n = s.count.get();
        for (std::size_t i = 0; i < n; ++i) check(s.parts[i] == 1, "a part is not done");
    });
}

// As in protocol/termination.hpp: one of two sees the other.
template <class A, class B>
void one_sees_the_other(program& p, const A& set, const B& get) {
    struct state {
        sync::published<bool> first, second;
        sync::shared_counter one, two;
        std::array<bool, 2> sees{};
    };
    auto& s = shared<state>();
    p.thread([&s, set, get] {
        set(s.first, s.one);
        s.sees[0] = get(s.second, s.two);
    });
    p.thread([&s, set, get] {
        set(s.second, s.two);
        s.sees[1] = get(s.first, s.one);
    });
    p.finally([&s] { check(s.sees[0] || s.sees[1], "none of two sees the other"); });
}
void published_pair(program& p) {
    one_sees_the_other(p, [](auto& mine, auto&) { mine.set(true); }, [](auto& other, auto&) { return other.get(); });
}
void shared_counter_pair(program& p) {
    one_sees_the_other(p, [](auto&, auto& mine) { mine.add(); }, [](auto&, auto& other) { return other.get() != 0; });
}
// Counted down by the one that has looked.
void shared_counter_down(program& p) {
    struct state {
        sync::shared_counter inside;
        int done = 0;
    };
    auto& s = shared<state>();
    s.inside.add();
    p.thread([&s] {
        s.done = 1;
        s.inside.take_off();
    });
    p.thread([&s] {
        await([&s] { return s.inside.get() == 0; });
        check(s.done == 1, "who is counted off is not done");
    });
}

// As runtime/scope_core.hpp counts: the owner reads what is done first, and what was spawned after that.
void spawned_and_done(program& p) {
    struct state {
        std::array<sync::published_counter, 2> spawned, done;
        sync::atomic<int> task{0};
        std::array<int, 2> results{};
    };
    auto& s = shared<state>();
    s.spawned[0].add();
    p.thread([&s] {  // runs a task, which spawns one
        s.spawned[0].add();
        s.task.store(1, std::memory_order_release);
        s.results[0] = 1;
        s.done[0].add();
    });
    p.thread([&s] {  // runs that one
        await([&s] { return s.task.load(std::memory_order_acquire) == 1; });
        s.results[1] = 1;
        s.done[1].add();
    });
    p.thread([&s] {
        const std::uint64_t done = s.done[0].get() + s.done[1].get();
        const std::uint64_t spawned = s.spawned[0].get() + s.spawned[1].get();
        check(done <= spawned, "more is done than spawned");
        if (done == spawned) check(s.results[0] + s.results[1] == 2, "a task is not done");
    });
}

}  // namespace

std::vector<scene> scenes_of_counts() {
    return {
        {"join2", "an owner and a child", [](program& p) { join_of(p, 1, false); }},
        {"join3", "an owner and two children", [](program& p) { join_of(p, 2, false); }},
        {"join2_waits", "an owner that is told", [](program& p) { join_of(p, 1, true); }},
        {"join3_waits", "two children, of which the last tells", [](program& p) { join_of(p, 2, true); }},
        {"join_here", "a child that is done by its owner", join_here},
        {"remaining2", "the last of two parts", [](program& p) { remaining_of(p, 2); }},
        {"remaining3", "the last of three parts", [](program& p) { remaining_of(p, 3); }},
        {"remaining_added", "a part that adds one", remaining_added},
        {"hints", "what promises no order", hints},
        {"published_counter", "a count and what is counted", published_counter_of},
        {"published", "one of two sees the other", published_pair},
        {"shared_counter", "one of two that count sees the other", shared_counter_pair},
        {"shared_counter_down", "who is counted off is done", shared_counter_down},
        {"spawned_and_done", "the counts of a scope", spawned_and_done},
    };
}

}  // namespace parley::memory
