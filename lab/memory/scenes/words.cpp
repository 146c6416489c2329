// Words that several threads try to change: at most one of them does, and what it did before is seen.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/lowest.hpp>
#include <parley/detail/sync/of_this_process.hpp>
#include <parley/detail/sync/role.hpp>
#include <parley/detail/sync/spsc.hpp>
#include <parley/detail/sync/turn.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::memory {

namespace {

enum class request : std::uint8_t { home, open, taken };

// A thief opens its request, and once more when it has the answer.
struct thief_and_victims {
    sync::claim<request> claim{request::home};
    sync::spsc_slot<int> answer;
    int wish = 0;
    std::array<int, 4> tasks{};

    void open(int n) {
        wish = n;
        claim.set(request::open);
    }
    void receive(int n) {
        const int* const task = await([this] { return answer.receive(); });
        check(*task == n, "an answer to another request");
        check(!answer.peek(), "an answer came twice");
        claim.set(request::home);
    }
    // Victims may take their answers back. True: the thief was faster.
    bool receive_first(int n) {
        if (await([this] { return answer.peek() ? 1 : claim.get() == request::home ? 2 : 0; }) == 2) return false;
        const int* const task = answer.take();
        if (task == nullptr) {
            await([this] { return claim.get() == request::home; });
            return false;
        }
        check(*task == n, "an answer to another request");
        claim.set(request::home);
        return true;
    }
    bool take_back(std::size_t which, int n) {
        const int* const task = answer.take_back(&tasks[which]);
        if (task == nullptr) return false;
        check(*task == n, "something else came back");
        claim.set(request::home);
        return true;
    }
    bool take() noexcept { return claim.move(request::open, request::taken); }
    void send(std::size_t which) {
        tasks[which] = wish;
        answer.send(&tasks[which]);
    }
};

void claim_twice(program& p) {
    auto& s = shared<thief_and_victims>();
    p.thread([&s] {
        for (int n = 1; n <= 2; ++n) {
            s.open(n);
            s.receive(n);
        }
    });
    p.thread([&s] {
        for (std::size_t n = 0; n < 2; ++n) {
            await([&s] { return s.take(); });
            s.send(n);
        }
    });
}
// The second victim answers the second request, if it finds that open.
void claim_by_two(program& p) {
    auto& s = shared<thief_and_victims>();
    s.open(1);
    p.thread([&s] {
        s.receive(1);
        s.open(2);
    });
    for (std::size_t who = 0; who < 2; ++who) {
        p.thread([&s, who] {
            if (s.take()) s.send(who);
        });
    }
}

// A thief that has not looked before.
void answer_taken(program& p) {
    auto& s = shared<thief_and_victims>();
    s.open(1);
    p.thread([&s] {
        if (const int* const task = s.answer.take()) check(*task == 1, "an answer to another request");
    });
    p.thread([&s] {
        (void)s.take();
        s.send(0);
    });
}
// The victim takes back what it has sent, if it is faster.
void answer_taken_back(program& p) {
    struct state : thief_and_victims {
        bool thief_has_it = false, victim_has_it = false;
    };
    auto& s = shared<state>();
    s.open(1);
    p.thread([&s] { s.thief_has_it = s.receive_first(1); });
    p.thread([&s] {
        (void)s.take();
        s.send(0);
        s.victim_has_it = s.take_back(0, 1);
    });
    p.finally([&s] {
        check(s.thief_has_it != s.victim_has_it, "one of the two has it");
        outcome({s.victim_has_it});
    });
}
// The first victim is late. Another one has sent its answer to the next request from the same place, and that one comes
// back.
void answer_taken_back_late(program& p) {
    struct state : thief_and_victims {
        bool thief_has_it = false, victim_has_it = false;
    };
    auto& s = shared<state>();
    s.open(1);
    (void)s.take();
    s.send(0);
    p.thread([&s] {
        (void)s.receive_first(1);
        s.open(2);
        s.thief_has_it = s.receive_first(2);
    });
    p.thread([&s] {
        const int* const task = s.answer.take_back(&s.tasks[0]);
        if (task == nullptr) return;
        s.victim_has_it = *task == 2;
        s.claim.set(request::home);
    });
    p.thread([&s] {
        await([&s] { return s.take(); });
        s.send(0);
    });
    p.finally([&s] { check(s.thief_has_it != s.victim_has_it, "one of the two has the second answer"); });
}

// A thief that takes its request back, or is too late and sees why.
void claim_withdrawn(program& p) {
    struct state {
        sync::claim<request> claim{request::open};
        int note = 0;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.note = 1;
        (void)s.claim.move(request::open, request::taken);
    });
    p.thread([&s] {
        if (!s.claim.move(request::open, request::home) && s.claim.get() == request::taken)
            check(s.note == 1, "who is too late does not see why");
    });
}
void claim_failure(program& p) {
    struct state {
        sync::claim<request> claim{request::open};
        int note = 0;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.note = 1;
        s.claim.set(request::taken);
    });
    p.thread([&s] {
        if (!s.claim.move(request::open, request::home)) check(s.note == 1, "who is too late does not see why");
    });
}

void claim_read(program& p) {
    struct state {
        sync::claim<request> claim{request::open};
        int note = 0;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.note = 1;
        s.claim.set(request::taken);
    });
    p.thread([&s] {
        if (s.claim.get() == request::taken) check(s.note == 1, "who reads the state does not see what goes with it");
    });
}
// As runtime/medium.hpp: who sees that an answer has come reads what was written beside it.
void slot_peek(program& p) {
    struct state {
        sync::spsc_slot<int> answer;
        bool isolated = false;
        int task = 0;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.isolated = true;
        s.answer.send(&s.task);
    });
    p.thread([&s] {
        if (s.answer.peek()) check(s.isolated, "who sees an answer does not see what goes with it");
    });
}

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
        {"claim2", "a request that is opened and answered twice", claim_twice},
        {"claim3", "two victims for one request", claim_by_two},
        {"answer_taken", "the thief takes the answer out if it is there", answer_taken},
        {"answer_taken_back", "the thief has the answer, or the victim takes it back", answer_taken_back},
        {"answer_taken_back_late", "another answer from the same place comes back", answer_taken_back_late},
        {"claim_withdrawn", "a request is withdrawn or taken", claim_withdrawn},
        {"claim_failure", "who is too late sees why", claim_failure},
        {"claim_read", "who reads a state sees what goes with it", claim_read},
        {"slot_peek", "who sees an answer sees what goes with it", slot_peek},
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
