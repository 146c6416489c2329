// Objects that one thread owns and others come to: they go when nobody uses them.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/biased_lock.hpp>
#include <parley/detail/sync/relay.hpp>

#include <atomic>

namespace parley::memory {

namespace {

constexpr sync::attention::bits news = 1;

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
    for (int who = 0; who < others; ++who) p.thread([&s] { (void)s.lock.use_if_left([&s] { ++s.guarded; }); });
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

std::vector<scene> scenes_of_relays() {
    return {
        {"relay2", "an object is told of and destroyed", [](program& p) { relay_of(p, 1); }},
        {"relay3", "two tell", [](program& p) { relay_of(p, 2); }},
        {"relay_news", "a thread sleeps as another worker", relay_news},
        {"biased_lock2", "an owner and another", [](program& p) { biased_lock_of(p, 1); }},
        {"biased_lock3", "an owner and two others", [](program& p) { biased_lock_of(p, 2); }},
        {"biased_lock_looks", "what is wished is done", biased_lock_looks},
    };
}

}  // namespace parley::memory
