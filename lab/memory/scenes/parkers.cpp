// Sleep and news: nobody sleeps for ever, and who is woken sees why.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/event_count.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace parley::memory {

namespace {

constexpr sync::attention::bits news = 1, other_news = 2, mark = 4;

struct sleeper {
    sync::attention word;
    sync::atomic<int> there{0};  // the condition
    std::array<int, 2> notes{};

    // As medium.hpp sleeps: until the condition holds.
    void sleep(int until, sync::attention::bits waking) {
        sync::parker parker(word, waking);
        while (there.load(std::memory_order_relaxed) < until) {
            if (!parker.prepare()) {
                word.lower(waking);
                continue;
            }
            if (there.load(std::memory_order_relaxed) >= until) {
                parker.cancel();
                break;
            }
            parker.commit();
            word.lower(waking);
        }
    }
};

void parker_of(program& p, int wakers) {
    auto& s = shared<sleeper>();
    for (int who = 0; who < wakers; ++who) {
        p.thread([&s, who] {
            s.there.fetch_add(1, std::memory_order_relaxed);
            s.word.raise_and_wake(who == 0 ? news : other_news);
        });
    }
    p.thread([&s, wakers] { s.sleep(wakers, news | other_news); });
}
// The bit says all: what was done before it was raised is seen after it is lowered.
void parker_sees(program& p) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        s.notes[0] = 1;
        s.word.raise_and_wake(news);
    });
    p.thread([&s] {
        sync::parker parker(s.word, news);
        if (parker.prepare()) parker.commit();
        s.word.lower(news);
        check(s.notes[0] == 1, "who is woken does not see why");
    });
}
void parker_woken(program& p) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        s.notes[0] = 1;
        s.word.raise_and_wake(news);
    });
    p.thread([&s] {
        sync::parker parker(s.word, news);
        if (!parker.prepare()) return;
        parker.commit();
        check(s.notes[0] == 1, "who is woken does not see why");
    });
}
void parker_timed(program& p, bool leaves_mark) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        s.notes[0] = 1;
        s.word.raise_and_wake(news);
    });
    p.thread([&s, leaves_mark] {
        sync::parker parker(s.word, news);
        if (!parker.prepare()) return;
        if (leaves_mark) {
            if (parker.wait_for(std::chrono::nanoseconds(1))) check(s.notes[0] == 1, "who is woken does not see why");
            parker.cancel();
        } else {
            parker.commit_for(std::chrono::nanoseconds(1));
        }
        check(!s.word.is_asleep(), "it is not asleep");
    });
}
// A bit that wakes only who has raised a mark.
void parker_marked(program& p) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        s.there.store(1, std::memory_order_relaxed);
        s.word.raise_and_wake_if(mark, news);
    });
    p.thread([&s] {
        s.word.raise(mark);
        s.sleep(1, news);
    });
}
// prepare() acquires what raisers of bits did that do not wake.
void parker_other_bits(program& p) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        s.notes[0] = 1;
        s.word.raise(mark);
    });
    p.thread([&s] {
        sync::parker parker(s.word, news);
        if (!parker.prepare()) return;
        const bool is_marked = (s.word.get() & mark) != 0;
        parker.cancel();
        if (is_marked) check(s.notes[0] == 1, "who sees a bit does not see why");
    });
}
// What the owner did before it fell asleep is seen by the thread that finds it asleep.
void parker_is_seen(program& p) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        if (s.word.is_asleep()) check(s.notes[0] == 1, "who sees it asleep does not see what it did before");
    });
    p.thread([&s] {
        if ((s.word.raise(news) & sync::attention::asleep) != 0)
            check(s.notes[0] == 1, "who finds it asleep does not see what it did before");
    });
    p.thread([&s] {
        s.notes[0] = 1;
        sync::parker parker(s.word, other_news);
        if (parker.prepare()) parker.cancel();
    });
}
void parker_cancelled(program& p) {
    auto& s = shared<sleeper>();
    p.thread([&s] {
        s.notes[0] = 1;
        s.word.raise(mark);
    });
    p.thread([&s] {
        sync::parker parker(s.word, news);
        if (!parker.prepare()) return;
        parker.cancel();
        if ((s.word.get() & mark) != 0) check(s.notes[0] == 1, "who sees a bit does not see why");
    });
}

// A thread that makes a fact true and wakes only who is asleep (lending.hpp), in two words.
void parker_is_asleep(program& p) {
    struct state {
        sync::attention word;
        sync::published<bool> fact{false};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.fact.set(true);
        if (s.word.is_asleep()) s.word.raise_and_wake(news);
    });
    p.thread([&s] {
        sync::parker parker(s.word, news);
        check(parker.prepare(), "nobody has raised a bit");
        if (s.fact.get()) parker.cancel();
        else parker.commit();
    });
}
void event_count_of(program& p, int waiters) {
    struct state {
        sync::event_count events;
        sync::atomic<int> there{0};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.there.store(1, std::memory_order_relaxed);
        s.events.notify();
    });
    for (int who = 0; who < waiters; ++who) {
        p.thread([&s] {
            while (s.there.load(std::memory_order_relaxed) == 0) {
                const std::uint32_t ticket = s.events.prepare();
                if (s.there.load(std::memory_order_relaxed) != 0) {
                    s.events.cancel();
                    break;
                }
                s.events.wait(ticket);
            }
        });
    }
}
// Two notify, the waiter needs both.
void event_count_twice(program& p) {
    struct state {
        sync::event_count events;
        sync::atomic<int> there{0};
    };
    auto& s = shared<state>();
    for (int who = 0; who < 2; ++who) {
        p.thread([&s] {
            s.there.fetch_add(1, std::memory_order_relaxed);
            s.events.notify();
        });
    }
    p.thread([&s] {
        while (s.there.load(std::memory_order_relaxed) < 2) {
            const std::uint32_t ticket = s.events.prepare();
            if (s.there.load(std::memory_order_relaxed) == 2) {
                s.events.cancel();
                break;
            }
            s.events.wait(ticket);
        }
    });
}

}  // namespace

std::vector<scene> scenes_of_parkers() {
    return {
        {"parker2", "one sleeps, one wakes it", [](program& p) { parker_of(p, 1); }},
        {"parker3", "one sleeps until two have come", [](program& p) { parker_of(p, 2); }},
        {"parker4", "one sleeps until three have come", [](program& p) { parker_of(p, 3); }, {}, true},
        {"parker_sees", "who lowers a bit sees why", parker_sees},
        {"parker_woken", "who is woken sees why", parker_woken},
        {"parker_timed", "a sleep for a time", [](program& p) { parker_timed(p, false); }},
        {"parker_mark_stays", "a sleep for a time that leaves the mark", [](program& p) { parker_timed(p, true); }},
        {"parker_marked", "a bit that wakes only who is marked", parker_marked},
        {"parker_other_bits", "bits that do not wake", parker_other_bits},
        {"parker_is_seen", "who sees it asleep sees what it did", parker_is_seen},
        {"parker_cancelled", "who gives up sees other bits", parker_cancelled},
        {"parker_is_asleep", "who makes a fact true wakes who is asleep", parker_is_asleep},
        {"event_count2", "a thread outside waits", [](program& p) { event_count_of(p, 1); }},
        {"event_count3", "two threads outside wait", [](program& p) { event_count_of(p, 2); }},
        {"event_count_twice", "two notify one", event_count_twice},
    };
}

}  // namespace parley::memory
