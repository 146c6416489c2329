// Results and credits: who waits for them is told, sees what was done before, and may free what was used.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/credits.hpp>
#include <parley/detail/sync/oneshot.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::memory {

namespace {

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

}  // namespace

std::vector<scene> scenes_of_results() {
    return {
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
    };
}

}  // namespace parley::memory
