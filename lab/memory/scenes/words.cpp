// Words that several threads try to change: at most one of them does, and what it did before is seen.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/lowest.hpp>
#include <parley/detail/sync/of_this_process.hpp>
#include <parley/detail/sync/role.hpp>
#include <parley/detail/sync/turn.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::memory {

namespace {

void flag_put_up(program& p) {
    struct state {
        sync::flag up;
        int note = 0;
    };
    auto& s = shared<state>();
    for (int who = 0; who < 2; ++who) {
        p.thread([&s] {
            if (s.up.put_up()) return;
            (void)s.up.is_up();
        });
    }
    p.finally([&s] { check(s.up.is_up(), "the flag is down"); });
}
// One that does something before, and one that finds it done.
void flag_winner(program& p) {
    struct state {
        sync::flag up;
        int note = 0;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.note = 1;
        check(s.up.put_up(), "somebody else put it up");
    });
    p.thread([&s] {
        if (s.up.lower()) check(s.note == 1, "who lowers a flag does not see why it was up");
    });
}
void flag_loser(program& p) {
    struct state {
        sync::flag up;
        std::array<int, 2> notes{};
    };
    auto& s = shared<state>();
    for (std::size_t who = 0; who < 2; ++who) {
        p.thread([&s, who] {
            s.notes[who] = 1;
            if (!s.up.put_up()) check(s.notes[1 - who] == 1, "the loser comes before the winner");
        });
    }
}
// It is taken down, and put up again after that.
void flag_down(program& p) {
    struct state {
        sync::flag up;
        int note = 0;
    };
    auto& s = shared<state>();
    (void)s.up.put_up();
    p.thread([&s] {
        s.note = 1;
        s.up.take_down();
    });
    p.thread([&s] {
        if (s.up.is_down_acquire()) check(s.note == 1, "who sees a flag down does not see what was before");
    });
}
// A lock: lower() gives what a thread did that had put it up before.
void flag_lowered(program& p, int threads) {
    struct state {
        sync::flag free;
        int inside = 0;
    };
    auto& s = shared<state>();
    (void)s.free.put_up();
    for (int who = 0; who < threads; ++who) {
        p.thread([&s] {
            await([&s] { return s.free.is_up() && s.free.lower(); });
            ++s.inside;
            (void)s.free.put_up();
        });
    }
    p.finally([&s, threads] { check(s.inside == threads, "two were inside at once"); });
}

void installed_once_of(program& p) {
    struct object {
        int value = 0;
    };
    auto& s = shared<sync::installed_once<object>>();
    const auto install = [&s](int value) {
        auto* const mine = new object{value};
        object* const theirs = s.install(mine);
        if (theirs == nullptr) return;
        check(theirs->value == 3 - value, "the other object is not made yet");
        delete mine;
    };
    p.thread([install] { install(1); });
    p.thread([install] { install(2); });
    p.thread([&s] {
        if (const object* const seen = s.get()) check(seen->value != 0, "the object is not made yet");
    });
}

void of_this_process_of(program& p) {
    struct object {
        int value = 1;
    };
    auto& s = shared<sync::of_this_process<object>>();
    auto& seen = shared<std::array<object*, 3>>();
    p.thread([&s, &seen] { seen[0] = &s.get(); });
    p.thread([&s, &seen] { seen[2] = &s.get(); });
    p.thread([&s, &seen] {
        if (const object* const there = s.look()) check(there->value == 1, "the object is not made yet");
        seen[1] = &s.get();
    });
    p.finally([&seen] { check(seen[0] == seen[1] && seen[0] == seen[2], "there are two objects"); });
}

// As role.hpp says: one begins something and asks whether anybody has the role; who has it gives it up and looks.
void role_given_up(program& p) {
    struct state {
        sync::role role;
        sync::atomic<int> begun{0};
        bool was_taken = false, seen = false;
    };
    auto& s = shared<state>();
    check(s.role.take(1), "it was free");
    p.thread([&s] {
        s.begun.store(1, std::memory_order_relaxed);
        s.was_taken = s.role.is_taken();
    });
    p.thread([&s] {
        s.role.give_up(1);
        s.seen = s.begun.load(std::memory_order_relaxed) == 1;
    });
    p.finally([&s] { check(!s.was_taken || s.seen, "nobody looks after what has begun"); });
}
void role_taken(program& p, int threads) {
    struct state {
        sync::role role;
        int inside = 0;
    };
    auto& s = shared<state>();
    for (std::uint32_t who = 0; who < static_cast<std::uint32_t>(threads); ++who) {
        p.thread([&s, who] {
            await([&s, who] { return s.role.take(who); });
            check(s.role.take(who), "it is its own");
            ++s.inside;
            s.role.give_up(who);
            s.role.give_up(who);
        });
    }
    p.finally([&s, threads] { check(s.inside == threads, "two had the role at once"); });
}

// As turn.hpp says: senders put something in and serve if they have the turn.
void turn_of(program& p, int senders) {
    struct node {
        node* next = nullptr;
    };
    struct state {
        sync::turn turn;
        sync::atomic<int> in{0};
        int served = 0, looks = 0;
    };
    auto& s = shared<state>();
    for (int who = 0; who < senders; ++who) {
        p.thread([&s] {
            s.in.fetch_add(1, std::memory_order_relaxed);
            if (!s.turn.call()) return;
            do {
                ++s.looks;  // in turn
                s.served = s.in.load(std::memory_order_relaxed);
            } while (!s.turn.leave());
        });
    }
    p.finally([&s, senders] { check(s.served == senders, "something stays behind"); });
}

void lowest_of(program& p) {
    auto& s = shared<sync::lowest>(std::uint64_t{9});
    p.thread([&s] { s.lower_to(5); });
    p.thread([&s] { s.lower_to(3); });
    p.thread([&s] { s.lower_to(4); });
    p.finally([&s] { check(s.get() == 3, "it is not the lowest"); });
}

}  // namespace

std::vector<scene> scenes_of_words() {
    return {
        {"flag", "a flag is put up twice", flag_put_up},
        {"flag_winner", "a flag is put up and lowered", flag_winner},
        {"flag_loser", "who finds a flag up sees what was before", flag_loser},
        {"flag_down", "a flag is taken down", flag_down},
        {"flag_lowered2", "a flag as a lock", [](program& p) { flag_lowered(p, 2); }},
        {"flag_lowered3", "a flag as a lock of three", [](program& p) { flag_lowered(p, 3); }},
        {"installed_once", "an object that two install and one reads", installed_once_of},
        {"of_this_process", "an object that three make", of_this_process_of},
        {"role_given_up", "a role is given up while something begins", role_given_up},
        {"role_taken2", "a role that one after the other has", [](program& p) { role_taken(p, 2); }},
        {"role_taken3", "a role that three have in turn", [](program& p) { role_taken(p, 3); }},
        {"turn2", "two senders and a turn", [](program& p) { turn_of(p, 2); }},
        {"turn3", "three senders and a turn", [](program& p) { turn_of(p, 3); }},
        {"lowest", "three name a number", lowest_of},
    };
}

}  // namespace parley::memory
