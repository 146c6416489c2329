#include "lab/bench/barrier_ways.hpp"

#include "lab/bench/measure.hpp"

#include <parley/detail/driver/states.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/parley.hpp>

#include <atomic>
#include <chrono>

namespace parley_bench {

namespace {

namespace protocol = parley::protocol;
namespace threading = parley::threading;

constexpr int barriers_in_a_row = 1000;  // as in figure 4.9 (a)

// The two parts of a barrier, in seconds.
struct parts {
    double detecting = 0;
    double going_on = 0;
};

// barrier() of runtime/barrier.hpp with a clock in the middle.
parts timed_barrier() {
    threading::worker& self = *threading::current;
    threading::thread_medium medium(self);
    auto& machine = machine_of(self);
    const auto begin = parley_bench::clock::now();
    machine.open_barrier(medium);
    threading::wait(
        self, protocol::standing::between_tasks, threading::awaited::barrier,
        [](const void* w) { return static_cast<const threading::worker*>(w)->is_wanted_for(protocol::bits::released); },
        &self);
    const auto released = parley_bench::clock::now();
    while (!machine.close_barrier(medium)) threading::give_way();
    const auto end = parley_bench::clock::now();
    return {std::chrono::duration<double>(released - begin).count(), std::chrono::duration<double>(end - released).count()};
}

// Every worker but a dedicated manager is in a task until all are.
void line_up(unsigned workers) {
    std::atomic<unsigned> there{0};
    parley::scope s;
    for (unsigned i = 1; i < workers; ++i)
        s.spawn([&there, workers] {
            ++there;
            while (there < workers) parley::poll();
        });
    ++there;
    while (there < workers) parley::poll();
    s.wait();
}

class way : public barrier_way {
public:
    // `taskless`: of the workers, those that never have a task.
    way(const char* called, unsigned workers, unsigned taskless, const threading::tuning& how)
        : in_tasks_(workers - taskless), runtime_({.workers = workers}, how) {
        name = called;
    }

    void measure_once() override {
        runtime_.run([this] {
            line_up(in_tasks_);
            const parts first = timed_barrier();
            const parts second = timed_barrier();
            none_has_asked.push_back(first.detecting);
            already_idle.push_back(second.detecting);
            goes_on.push_back(first.going_on);
            in_a_row.push_back(seconds([] {
                                   for (int i = 0; i < barriers_in_a_row; ++i) parley::barrier();
                               }) /
                               barriers_in_a_row);
        });
    }

private:
    const unsigned in_tasks_;
    parley::runtime runtime_;
};

}  // namespace

barrier_ways v0::ways_here(unsigned workers) {
    barrier_ways all;
#ifdef PARLEY_MACHINE
    using protocol::detection, protocol::refusal, protocol::revocation;
    const auto add = [&](const char* name, const protocol::circulating& how) {
        const bool dedicated = how.detects == detection::by_dedicated_manager;
        if (!dedicated || workers > 2)
            all.push_back(std::make_unique<way>(name, workers, dedicated ? 1 : 0, threading::tuning{.machine = how}));
    };
    add("manager, any", {detection::by_manager});
    add("manager, own", {detection::by_manager, revocation::own});
    add("manager, any, acknowledge", {detection::by_manager, revocation::any, refusal::acknowledges});
    add("dedicated, any", {detection::by_dedicated_manager});
    add("counter", {detection::by_shared_counter});
#else
    all.push_back(std::make_unique<way>("scan", workers, 0, threading::tuning{}));
#endif
    return all;
}

}  // namespace parley_bench
