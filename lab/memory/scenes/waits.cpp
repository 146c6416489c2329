// Sleep and news: nobody sleeps for ever, and who is woken sees why.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/event_count.hpp>
#include <parley/detail/sync/injector.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/relay.hpp>
#include <parley/detail/sync/role.hpp>

#include <array>
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

struct waiting_room {
    sync::attention word;
    sync::lobby lobby{1};
    int wish = 0;
    bool taken = false;
};

// lobby.hpp: `deposit; look at the attention word` against `lower the bit; look at the lobby`.
void lobby_and_attention(program& p, bool raises) {
    auto& s = shared<waiting_room>();
    s.word.raise(news);
    p.thread([&s, raises] {
        s.wish = 1;
        check(s.lobby.deposit(0), "the lobby was empty");
        if (raises || (s.word.get() & news) == 0) s.word.raise(news);
    });
    p.thread([&s] {
        s.word.lower(news);
        if (s.lobby.take(0)) {
            s.taken = true;
            check(s.wish == 1, "who takes a request does not see it");
        }
    });
    p.finally([&s] { check(s.taken || (s.word.get() & news) != 0, "nobody looks after a request"); });
}
void lobby_empty(program& p) {
    auto& s = shared<waiting_room>();
    s.word.raise(news);
    p.thread([&s] {
        (void)s.lobby.deposit(0);
        if ((s.word.get() & news) == 0) s.word.raise(news);
    });
    p.thread([&s] {
        s.word.lower(news);
        s.taken = !s.lobby.empty();
    });
    p.finally([&s] { check(s.taken || (s.word.get() & news) != 0, "nobody looks after a request"); });
}
// Two deposit, two take; each request goes to one of them.
void lobby_of(program& p, std::uint32_t depositors, std::uint32_t takers) {
    struct state {
        sync::lobby lobby{2};
        std::array<int, 2> wishes{};
        std::array<int, 2> taken{};
    };
    auto& s = shared<state>();
    for (std::uint32_t n = 0; n < depositors; ++n) {
        p.thread([&s, n] {
            s.wishes[n] = 1;
            (void)s.lobby.deposit(n);
        });
    }
    for (std::uint32_t who = 0; who < takers; ++who) {
        p.thread([&s, who] {
            while (const auto n = s.lobby.take(who)) {
                check(s.wishes[*n] == 1, "who takes a request does not see it");
                ++s.taken[*n];
            }
        });
    }
    p.finally([&s] {
        while (const auto n = s.lobby.take(0)) ++s.taken[*n];
        for (std::uint32_t n = 0; n < 2; ++n) check(s.taken[n] == s.wishes[n], "a request was lost, or taken twice");
    });
}
void lobby_looks(program& p) {
    struct state {
        sync::lobby lobby{2};
        std::array<int, 2> wishes{};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        for (std::uint32_t n = 0; n < 2; ++n) {
            s.wishes[n] = 1;
            (void)s.lobby.deposit(n);
        }
    });
    p.thread([&s] {
        (void)s.lobby.any([&s](std::uint32_t n) {
            check(s.wishes[n] == 1, "who sees a request does not see what it is");
            return false;
        });
        if (s.lobby.take_out(1)) check(s.wishes[1] == 1, "who takes a request does not see it");
        check(s.lobby.count_if([](std::uint32_t) { return true; }) <= 2, "there are more than two");
        if (const auto n = s.lobby.find_between(0, 2, 0)) check(*n < 2, "a number that is not there");
        check(s.lobby.count_between(0, 2) <= 2, "there are more than two");
    });
}
// Rare numbers: who has seen that one was deposited finds it.
void lobby_rare(program& p) {
    struct state {
        sync::lobby lobby{128, 64};
        sync::attention word;
    };
    auto& s = shared<state>();
    s.word.raise(news);
    p.thread([&s] {
        (void)s.lobby.deposit(100);
        if ((s.word.get() & news) == 0) s.word.raise(other_news);
    });
    auto& taken = shared<bool>(false);
    p.thread([&s, &taken] {
        s.word.lower(news);
        taken = s.lobby.take(0).has_value();
    });
    p.finally([&s, &taken] { check(taken || (s.word.get() & other_news) != 0, "nobody looks after a request"); });
}
void lobby_rare_two(program& p) {
    auto& s = shared<sync::lobby>(192U, 64U);
    auto& seen = shared<std::array<bool, 2>>();
    p.thread([&s] { (void)s.deposit(70); });
    p.thread([&s] { (void)s.deposit(140); });
    p.finally([&s, &seen] {
        while (const auto n = s.take(0)) seen[*n == 140] = true;
        check(seen[0] && seen[1], "a rare request is not found");
    });
}

// A second depositor of rare numbers need not say that they are in use. The taker finds its request all the same, or is
// told by the first one.
void lobby_rare_three(program& p) {
    struct state {
        sync::lobby lobby{128, 64};
        sync::attention word;
        std::array<bool, 2> taken{};

        void deposit(std::uint32_t n) {
            (void)lobby.deposit(n);
            if ((word.get() & news) == 0) word.raise(other_news);
        }
    };
    auto& s = shared<state>();
    s.word.raise(news);
    p.thread([&s] { s.deposit(100); });
    p.thread([&s] { s.deposit(101); });
    p.thread([&s] {
        s.word.lower(news);
        while (const auto n = s.lobby.take(0)) s.taken[*n - 100] = true;
    });
    p.finally([&s] {
        check((s.taken[0] && s.taken[1]) || (s.word.get() & other_news) != 0, "nobody looks after a request");
    });
}
// As role.hpp and sleeping.md: one that gives the watch up is noted as asleep before, and found by who asks for a watch.
void watch_is_given_up(program& p) {
    struct state {
        sync::role watch;
        sync::lobby asleep{1};
        sync::attention other;
        sync::atomic<int> awake{0};
        bool wakes = false, sees = false;
    };
    auto& s = shared<state>();
    check(s.watch.take(1), "it was free");
    p.thread([&s] {
        s.awake.store(1, std::memory_order_relaxed);
        if (!s.watch.is_taken()) {
            s.wakes = !s.asleep.empty();
            check(s.wakes, "who gave the watch up is not found");
        }
    });
    p.thread([&s] {
        (void)s.asleep.deposit(0);
        s.watch.give_up(1);
        s.sees = s.awake.load(std::memory_order_relaxed) == 1;
    });
    p.finally([&s] { check(s.wakes || s.sees, "nobody watches"); });
}

// The owner names an object, takes that back, and destroys the object.
void relay_of(program& p, int tellers) {
    struct object {
        sync::atomic<int> told{0};
        int made = 0;
    };
    struct state {
        sync::relay<object> relay;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        auto* const o = new object;
        o->made = 1;
        s.relay.set(o);
        s.relay.clear([] { pause(); });
        delete o;
    });
    for (int who = 0; who < tellers; ++who) {
        p.thread([&s] {
            s.relay.pass_on([](object& o) {
                check(o.made == 1, "the object is not made");
                o.told.fetch_add(1, std::memory_order_relaxed);
            });
        });
    }
}

// As runtime/visiting.hpp: a thread sleeps as a worker of another runtime. It is marked asleep, says as which worker it
// sleeps, and looks. Who raises a bit does that first, and looks then as which worker the other sleeps.
void relay_news(program& p) {
    struct state {
        sync::attention second, first;
        sync::relay<sync::attention> sleeps_as;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        if ((s.second.raise(news) & sync::attention::asleep) == 0) return;
        s.second.wake();
        s.sleeps_as.pass_on([](sync::attention& other) { other.raise_and_wake(news); });
    });
    p.thread([&s] {
        sync::parker parker(s.second, news);
        if (!parker.prepare()) return;
        s.sleeps_as.set(&s.first);
        sync::parker of_first(s.first, news);
        while ((s.second.get() & news) == 0) {
            if (of_first.prepare()) {
                if ((s.second.get() & news) != 0) of_first.cancel();
                else of_first.commit();
            }
            s.first.lower(news);
        }
        s.sleeps_as.clear([] { pause(); });
        parker.cancel();
    });
}

// I11: `send; look into the lobby` against `deposit; is the injector empty?`.
void injector_and_lobby(program& p) {
    struct job {
        job* next = nullptr;
    };
    struct state {
        sync::injector<job, &job::next> jobs;
        sync::lobby lobby{1};
        job j;
        bool sees_job = false, sees_sleeper = false;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.jobs.send(&s.j);
        s.sees_sleeper = !s.lobby.empty();
    });
    p.thread([&s] {
        (void)s.lobby.deposit(0);
        s.sees_job = !s.jobs.empty();
    });
    p.finally([&s] { check(s.sees_job || s.sees_sleeper, "a job waits for a sleeper"); });
}
void injector_put_back(program& p) {
    struct job {
        job* next = nullptr;
    };
    struct state {
        sync::injector<job, &job::next> jobs;
        sync::lobby lobby{1};
        job j;
        bool sees_job = false, sees_sleeper = false;
    };
    auto& s = shared<state>();
    s.jobs.send(&s.j);
    p.thread([&s] {
        if (job* const j = s.jobs.receive()) s.jobs.put_back(j);
        s.sees_sleeper = !s.lobby.empty();
    });
    p.thread([&s] {
        (void)s.lobby.deposit(0);
        s.sees_job = !s.jobs.empty();
    });
    p.finally([&s] { check(s.sees_job || s.sees_sleeper, "a job waits for a sleeper"); });
}

// The owner comes and goes; another thread uses what is the owner's while it is not inside.
void biased_lock_of(program& p, int others) {
    struct state {
        sync::biased_lock lock;
        int guarded = 0;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        for (int n = 0; n < 2; ++n) {
            if (!s.lock.try_enter()) s.lock.enter();
            ++s.guarded;
            s.lock.leave();
        }
    });
    for (int who = 0; who < others; ++who)
        p.thread([&s] { (void)s.lock.use_if_left([&s] { ++s.guarded; }); });
}
// biased_lock.hpp: if the owner is inside, it looks after leaving and sees what was done before the call.
void biased_lock_looks(program& p) {
    struct state {
        sync::biased_lock lock;
        sync::atomic<int> wish{0};
        bool is_used = false, is_seen = false;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        if (!s.lock.try_enter()) s.lock.enter();
        s.lock.leave();
        s.is_seen = s.wish.load(std::memory_order_relaxed) == 1;
    });
    p.thread([&s] {
        s.wish.store(1, std::memory_order_relaxed);
        s.is_used = s.lock.use_if_left([] {});
    });
    p.finally([&s] { check(s.is_used || s.is_seen, "nobody does what was wished"); });
}

}  // namespace

std::vector<scene> scenes_of_waits() {
    return {
        {"parker2", "one sleeps, one wakes it", [](program& p) { parker_of(p, 1); }},
        {"parker3", "one sleeps until two have come", [](program& p) { parker_of(p, 2); }},
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
        {"lobby_attention", "a deposit and a bit that is lowered", [](program& p) { lobby_and_attention(p, false); }},
        {"lobby_raise", "a deposit and a bit that is raised", [](program& p) { lobby_and_attention(p, true); }},
        {"lobby_empty", "is the lobby empty?", lobby_empty},
        {"lobby2", "a depositor and a taker", [](program& p) { lobby_of(p, 1, 1); }},
        {"lobby3", "two depositors and a taker", [](program& p) { lobby_of(p, 2, 1); }},
        {"lobby3_takers", "a depositor and two takers", [](program& p) { lobby_of(p, 1, 2); }},
        {"lobby_looks", "what others see of the lobby", lobby_looks},
        {"lobby_rare", "a rare number is found", lobby_rare},
        {"lobby_rare_two", "two rare numbers are found", lobby_rare_two},
        {"lobby_rare_three", "two deposit rare numbers", lobby_rare_three},
        {"watch_is_given_up", "who gives the watch up is found", watch_is_given_up},
        {"relay2", "an object is told of and destroyed", [](program& p) { relay_of(p, 1); }},
        {"relay3", "two tell", [](program& p) { relay_of(p, 2); }},
        {"relay_news", "a thread sleeps as another worker", relay_news},
        {"injector_lobby", "a job and a sleeper", injector_and_lobby},
        {"injector_put_back", "a job that is put back, and a sleeper", injector_put_back},
        {"biased_lock2", "an owner and another", [](program& p) { biased_lock_of(p, 1); }},
        {"biased_lock3", "an owner and two others", [](program& p) { biased_lock_of(p, 2); }},
        {"biased_lock_looks", "what is wished is done", biased_lock_looks},
    };
}

}  // namespace parley::memory
