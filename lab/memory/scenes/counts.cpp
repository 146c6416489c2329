// Counts and results: the last one learns that it is, sees what the others did, and may free what they used.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/credits.hpp>
#include <parley/detail/sync/join_counter.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/detail/sync/remaining.hpp>

#include <array>
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
        for (int n = 0; n < children; ++n)
            check(f->results[static_cast<std::size_t>(n)] == 1, "a child is not done");
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

struct receiver_object {
    int number = 4;
};

// A result in the receiver's frame, which goes when the result is there.
void oneshot_of(program& p) {
    struct frame {
        receiver_object receiver;
        sync::oneshot<receiver_object> state{&receiver};
        int result = 0;
    };
    auto* const f = new frame;
    p.thread([f] {
        check(f->state.receiver()->number == 4, "another receiver");
        f->result = 7;
        f->state.send(sync::outcome::value);
    });
    p.thread([f] {
        const auto got = await([f]() -> std::uint8_t { return static_cast<std::uint8_t>(f->state.get()); });
        check(got == static_cast<std::uint8_t>(sync::outcome::value) && f->result == 7, "the result is not there");
        delete f;
    });
}

// Receivers ask to be woken or find the result; the last of them frees it.
void completion_of(program& p, std::uint32_t receivers) {
    struct record {
        sync::completion state;
        int result = 0;
    };
    struct state {
        record* r = new record;
        std::array<int, 4> asked{};
        sync::completion::woken woken{0};
        bool is_woken[4] = {};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.r->result = 7;
        s.woken = s.r->state.complete();
    });
    for (std::uint32_t who = 1; who <= receivers; ++who) {
        p.thread([&s, who] {
            if (s.r->state.announce(who)) s.asked[who] = 1;
            else check(s.r->result == 7, "the result is not there");
        });
    }
    p.finally([&s, receivers] {
        for (std::uint32_t who = 1; who <= receivers; ++who)
            check(s.asked[who] == 0 || s.woken.has(who), "somebody who asked is not woken");
    });
}
// What a receiver did before it asked is seen by the sender; who sees the result may free it.
void completion_asked(program& p) {
    struct record {
        sync::completion state;
        int result = 0;
    };
    struct state {
        record* r = new record;
        std::array<int, 3> notes{};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.r->result = s.r->state.is_asked_for() ? 7 : 8;
        const auto woken = s.r->state.complete();
        for (std::uint32_t who = 1; who <= 2; ++who)
            if (woken.has(who)) check(s.notes[who] == 1, "the sender does not see who asks");
    });
    for (std::uint32_t who = 1; who <= 2; ++who) {
        p.thread([&s, who] {
            s.notes[who] = 1;
            if (!s.r->state.announce(who)) check(s.r->result != 0, "the result is not there");
        });
    }
}
void completion_freed(program& p) {
    struct record {
        sync::completion state;
        int result = 0;
    };
    auto* const r = new record;
    p.thread([r] {
        r->result = 7;
        (void)r->state.complete();
    });
    p.thread([r] {
        await([r] { return r->state.is_complete(); });
        check(r->result == 7, "the result is not there");
        delete r;
    });
}

// Places that come with credits: who has taken credits uses what the givers have left.
struct places {
    sync::credits credits{2};
    std::array<int, 2> used{};
    sync::atomic<int> woken{0};
    std::array<int, 3> finished{};
    int last_taken = 0;

    void give(std::size_t who, std::uint64_t n) {
        switch (credits.give(n)) {
            case sync::credits::given::resume: woken.fetch_add(1, std::memory_order_relaxed); break;
            case sync::credits::given::finished: finished[who] = 1; break;
            case sync::credits::given::nothing: break;
        }
    }
};

// Both credits are away. Two give them back; the taker wants both, and waits for a resume.
void credits_of(program& p, std::uint64_t enough) {
    auto& s = shared<places>();
    check(s.credits.take(2, 2, 2) == 2, "they are there");
    for (std::size_t who = 0; who < 2; ++who) {
        p.thread([&s, who] {
            s.used[who] = 1;
            s.give(who, 1);
        });
    }
    p.thread([&s, enough] {
        int woken = 0;
        std::uint64_t got = 0;
        while (got < 2) {
            const std::uint64_t n = s.credits.take(2 - got, 2, enough);
            got += n;
            if (n == 0) {
                await([&s, woken] { return s.woken.load(std::memory_order_relaxed) > woken; });
                ++woken;
            }
        }
        check(s.used[0] + s.used[1] == 2, "a place is still used");
    });
}
// The end: exactly one learns that all are there.
void credits_ended(program& p) {
    auto& s = shared<places>();
    check(s.credits.take(2, 2, 2) == 2, "they are there");
    for (std::size_t who = 0; who < 2; ++who) {
        p.thread([&s, who] {
            s.used[who] = 1;
            s.give(who, 1);
            if (s.finished[who] == 0) return;
            check(s.used[0] + s.used[1] == 2, "the last does not see what the others did");
            check(s.last_taken == 1, "the last does not see what the taker did");
        });
    }
    p.thread([&s] {
        s.last_taken = 1;
        if (!s.credits.end()) return;
        s.finished[2] = 1;
        check(s.used[0] + s.used[1] == 2, "who ends does not see what the others did");
    });
    p.finally([&s] {
        check(s.finished[0] + s.finished[1] + s.finished[2] == 1, "not one has learned the end");
        check(s.credits.taken() == 0 && s.credits.all() == 2, "credits are away");
    });
}
// The taker marks itself as waiting with another limit while givers look at the first one.
void credits_limits(program& p) {
    auto& s = shared<places>();
    check(s.credits.take(2, 2, 2) == 2, "they are there");
    p.thread([&s] {
        s.give(0, 1);
        s.give(0, 1);
    });
    p.thread([&s] {
        int woken = 0;
        for (int n = 0; n < 2; ++n) {
            while (s.credits.take(1, 1, 1) == 0) {
                await([&s, woken] { return s.woken.load(std::memory_order_relaxed) > woken; });
                ++woken;
            }
        }
    });
}

// The taker waits for two and is told so; then it waits for one, and a giver must see that this is enough.
void credits_enough(program& p) {
    struct state {
        sync::credits credits{3};
        sync::atomic<int> woken{0};

        void give() {
            if (credits.give(1) == sync::credits::given::resume) woken.fetch_add(1, std::memory_order_relaxed);
        }
    };
    auto& s = shared<state>();
    check(s.credits.take(3, 3, 3) == 3 && s.credits.take(2, 2, 2) == 0, "they are there");
    p.thread([&s] {
        s.give();
        s.give();
    });
    p.thread([&s] {
        await([&s] { return s.woken.load(std::memory_order_relaxed) == 1; });
        check(s.credits.take(2, 2, 2) == 2, "the taker was told too early");
        if (s.credits.take(1, 1, 1) == 1) return;
        await([&s] { return s.woken.load(std::memory_order_relaxed) == 2; });
        check(s.credits.take(1, 1, 1) == 1, "the taker was told too early");
    });
    p.thread([&s] {
        await([&s] { return s.woken.load(std::memory_order_relaxed) == 1; });
        s.give();
    });
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
    one_sees_the_other(
        p, [](auto& mine, auto&) { mine.set(true); }, [](auto& other, auto&) { return other.get(); });
}
void shared_counter_pair(program& p) {
    one_sees_the_other(
        p, [](auto&, auto& mine) { mine.add(); }, [](auto&, auto& other) { return other.get() != 0; });
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
        {"oneshot", "a result in a frame", oneshot_of},
        {"completion2", "a result and a receiver", [](program& p) { completion_of(p, 1); }},
        {"completion3", "a result and two receivers", [](program& p) { completion_of(p, 2); }},
        {"completion_asked", "the sender sees who asks", completion_asked},
        {"completion_freed", "who sees the result frees it", completion_freed},
        {"credits", "two give back, the taker wants both", [](program& p) { credits_of(p, 2); }},
        {"credits_early", "the taker is woken by the first", [](program& p) { credits_of(p, 1); }},
        {"credits_ended", "one learns that all are there", credits_ended},
        {"credits_limits", "credits one by one", credits_limits},
        {"credits_enough", "a giver sees how many are enough", credits_enough},
        {"hints", "what promises no order", hints},
        {"published_counter", "a count and what is counted", published_counter_of},
        {"published", "one of two sees the other", published_pair},
        {"shared_counter", "one of two that count sees the other", shared_counter_pair},
        {"shared_counter_down", "who is counted off is done", shared_counter_down},
        {"spawned_and_done", "the counts of a scope", spawned_and_done},
    };
}

}  // namespace parley::memory
