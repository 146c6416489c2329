// Cancellation: it is told and taken back in turn, and who comes meanwhile hears of it.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/cancellation.hpp>
#include <parley/detail/sync/counter.hpp>

#include <atomic>

namespace parley::memory {

namespace {

struct roots {
    sync::cancellation word;
    int told = 0;                  // by the thread that is busy
    sync::atomic<int> is_told{0};  // as others see it; 2: nobody is told; 3: that is over
    static constexpr auto relaxed = std::memory_order_relaxed;

    void request() {
        if (!word.request()) return is_told.store(2, relaxed);
        ++told;
        is_told.store(1, relaxed);
        if (word.told()) take_back();
    }
    void take_back() {
        told = 0;
        is_told.store(3, relaxed);
        word.taken_back();
    }
    void end() {
        if (word.root_ends()) take_back();
    }
};

// Root tasks end while they are cancelled.
void cancellation_of(program& p, int begun, int requests) {
    auto& s = shared<roots>();
    for (int n = 0; n < begun; ++n) check(s.word.root_begins(), "nothing is being cancelled");
    for (int n = 0; n < begun; ++n) p.thread([&s] { s.end(); });
    for (int n = 0; n < requests; ++n) p.thread([&s] { s.request(); });
    p.finally([&s] { check(s.told == 0 && s.word.is_left_alone(), "a cancellation is not taken back"); });
}
// Another root task begins after that, or before.
void cancellation_begins(program& p) {
    auto& s = shared<roots>();
    check(s.word.root_begins(), "nothing is being cancelled");
    p.thread([&s] { s.end(); });
    p.thread([&s] { s.request(); });
    p.thread([&s] {
        if (s.word.root_begins()) s.end();
    });
    p.finally([&s] { check(s.told == 0 && s.word.is_left_alone(), "a cancellation is not taken back"); });
}
void cancellation_over(program& p) {
    auto& s = shared<roots>();
    check(s.word.root_begins(), "nothing is being cancelled");
    p.thread([&s] { s.end(); });
    p.thread([&s] { s.request(); });
    p.thread([&s] {
        if (await([&s] { return s.is_told.load(roots::relaxed); }) == 2) return;
        await([&s] { return s.word.root_begins(); });
        check(s.is_told.load(roots::relaxed) == 3, "a root task begins among others that are told to go");
        s.end();
    });
}
void cancellation_joined(program& p) {
    auto& s = shared<roots>();
    check(s.word.root_begins(), "nothing is being cancelled");
    p.thread([&s] { s.end(); });
    p.thread([&s] { s.request(); });
    p.thread([&s] {
        if (s.word.joins()) s.end();
    });
    p.finally([&s] { check(s.told == 0 && s.word.is_left_alone(), "a cancellation is not taken back"); });
}
// As runtime/roots.cpp: a fresh worker is found by who cancels, or finds that somebody does.
void cancellation_of_a_fresh_worker(program& p) {
    struct state {
        sync::cancellation word;
        sync::published<int> workers{0};
        bool found = false, joined = false;
    };
    auto& s = shared<state>();
    check(s.word.root_begins(), "nothing is being cancelled");
    p.thread([&s] {
        check(s.word.request(), "a root task runs");
        s.found = s.workers.get() == 1;
    });
    p.thread([&s] {
        s.workers.set(1);
        s.joined = s.word.joins();
    });
    p.finally([&s] { check(s.found || s.joined, "a worker does not hear of a cancellation"); });
}
// The object goes when all are done with it.
void cancellation_left_alone(program& p) {
    auto* const s = new roots;
    check(s->word.root_begins(), "nothing is being cancelled");
    p.thread([s] { s->end(); });
    p.thread([s] {
        await([s] { return s->word.is_left_alone(); });
        delete s;
    });
}

}  // namespace

std::vector<scene> scenes_of_cancellations() {
    return {
        {"cancellation", "a root task ends while it is cancelled", [](program& p) { cancellation_of(p, 1, 1); }},
        {"cancellation_roots", "two root tasks end meanwhile", [](program& p) { cancellation_of(p, 2, 1); }},
        {"cancellation_twice", "two cancel", [](program& p) { cancellation_of(p, 1, 2); }},
        {"cancellation_begins", "another root task begins meanwhile", cancellation_begins},
        {"cancellation_over", "a root task begins after a cancellation", cancellation_over},
        {"cancellation_joined", "a thread joins a cancellation", cancellation_joined},
        {"cancellation_fresh", "a fresh worker hears of a cancellation", cancellation_of_a_fresh_worker},
        {"cancellation_left_alone", "what is left alone may go", cancellation_left_alone},
    };
}

}  // namespace parley::memory
