// A wait that is over goes on next, before what its worker has queued (docs/guide/waiting.md), on whatever stack it is.
#include "tests/parley/api/support.hpp"

#include <functional>

namespace {

using namespace api_test;

// Calls body() in a scope inside so many others. From some depth on waits are suspended.
template <class Body>
void inside_scopes(int depth, const Body& body) {
    if (depth == 0) return body();
    parley::scope s;
    s.spawn([&] { inside_scopes(depth - 1, body); });
    s.wait();
}

// A scope with tasks that could come before the wait goes on.
struct others {
    parley::scope tasks;
    int queued = 0;
    int begun = 0;

    void queue(int count) {
        queued += count;
        for (int i = 0; i < count; ++i) tasks.spawn([this] { ++begun; });
    }
};

// The body waits for something that queues tasks of others at its end. One worker: nobody else takes them.
void expect_that_it_goes_on_next(const std::function<void(others&)>& body) {
    parley::runtime rt{{.workers = 1}};
    for (const int depth : {0, 100, 250, 251, 252, 253, 254, 255, 256, 257, 258, 400, 2'000})
        rt.run([&] {
            others rest;
            inside_scopes(depth, [&] {
                body(rest);
                EXPECT_GE(rest.queued, 5);
                EXPECT_LE(rest.begun, rest.queued - 5) << depth << " deep";
            });
            rest.tasks.wait();
        });
}

TEST(SuspendedOrder, AScopeGoesOnAfterItsLastTask) {
    expect_that_it_goes_on_next([](others& rest) {
        parley::scope s;
        s.spawn([&] { rest.queue(5); });  // the last one
        for (int i = 0; i < 20; ++i) s.spawn([] {});
        s.wait();
    });
}

TEST(SuspendedOrder, AScopeGoesOnAfterATaskThatHasWaited) {
    expect_that_it_goes_on_next([](others& rest) {
        parley::scope s;
        s.spawn([&] {
            inside_scopes(300, [] {});
            rest.queue(5);
        });
        s.wait();
    });
}

TEST(SuspendedOrder, AFutureGoesOn) {
    expect_that_it_goes_on_next([](others& rest) {
        auto f = parley::async([&] { rest.queue(5); });
        f.get();
    });
}

TEST(SuspendedOrder, AForkedCallGoesOn) {
    expect_that_it_goes_on_next([](others& rest) {
        // What the first call queues comes before the second, so that that is run by a wait.
        parley::fork_join([&] { rest.queue(1); }, [&] { rest.queue(5); });
    });
}

}  // namespace
