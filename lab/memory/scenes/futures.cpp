// Results of futures: waits are woken and continuations called, and each sees the result.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/future_word.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::memory {

namespace {

constexpr unsigned said = 3;

struct node : sync::continuation {
    int note = 0;
    int called = 0;
};

// A result, some that attach continuations, and some that ask to be woken.
void future_of(program& p, std::uint32_t attaching, std::uint32_t waiting) {
    struct state {
        sync::future_word word;
        int result = 0;
        std::array<node, 3> nodes;
        std::array<bool, 3> asked{};
        sync::future_word::woken woken{0};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.result = 7;
        s.woken = s.word.complete(said);
        for (sync::continuation* c = s.woken.first(); c != nullptr;) {
            auto* const mine = static_cast<node*>(c);
            c = c->next;
            check(mine->note == 5, "the sender does not see a continuation");
            ++mine->called;
        }
    });
    for (std::uint32_t who = 0; who < attaching + waiting; ++who) {
        p.thread([&s, who, attaches = who < attaching] {
            s.nodes[who].note = 5;
            const bool waits = attaches ? s.word.attach(s.nodes[who]) : s.word.announce(who + 1);
            if (!waits) check(s.result == 7 && s.word.said() == said, "the result is not there");
            s.asked[who] = waits;
        });
    }
    p.finally([&s, attaching, waiting] {
        for (std::uint32_t who = 0; who < attaching; ++who)
            check(s.nodes[who].called == (s.asked[who] ? 1 : 0), "a continuation is called once, if it was attached");
        for (std::uint32_t who = attaching; who < attaching + waiting; ++who)
            check(!s.asked[who] || s.woken.waiters().has(who + 1), "somebody who asked is not woken");
    });
}

// The receiver frees it.
void future_freed(program& p) {
    struct record {
        sync::future_word word;
        int result = 0;
    };
    auto* const r = new record;
    p.thread([r] {
        r->result = 7;
        (void)r->word.complete(said);
    });
    p.thread([r] {
        await([r] { return r->word.is_complete(); });
        check(r->result == 7 && r->word.said() == said, "the result is not there");
        delete r;
    });
}

}  // namespace

std::vector<scene> scenes_of_futures() {
    return {
        {"future_continued", "a result and a continuation", [](program& p) { future_of(p, 1, 0); }},
        {"future_continued_twice", "a result and two continuations", [](program& p) { future_of(p, 2, 0); }},
        {"future_awaited", "a result and a wait", [](program& p) { future_of(p, 0, 1); }},
        {"future_of_both", "a result, a continuation and a wait", [](program& p) { future_of(p, 1, 1); }},
        {"future_freed", "who sees the result frees the future", future_freed},
    };
}

}  // namespace parley::memory
