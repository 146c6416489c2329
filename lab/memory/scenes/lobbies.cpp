// Requests that rest, and jobs: one of two that meet sees the other, and nobody is left alone.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/injector.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/role.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace parley::memory {

namespace {

constexpr sync::attention::bits news = 1, other_news = 2;

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
    p.finally(
        [&s] { check((s.taken[0] && s.taken[1]) || (s.word.get() & other_news) != 0, "nobody looks after a request"); });
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

}  // namespace

std::vector<scene> scenes_of_lobbies() {
    return {
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
        {"injector_lobby", "a job and a sleeper", injector_and_lobby},
        {"injector_put_back", "a job that is put back, and a sleeper", injector_put_back},
    };
}

}  // namespace parley::memory
