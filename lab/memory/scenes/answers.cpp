// Steal requests and their answers: each is claimed once, and who has an answer sees what it points to.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <array>
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

}  // namespace

std::vector<scene> scenes_of_answers() {
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
    };
}

}  // namespace parley::memory
