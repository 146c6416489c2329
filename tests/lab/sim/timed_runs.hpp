// Runs in virtual time for tests: a machine whose numbers are easy to add up, and the choices that there are.
#pragma once

#include <lab/sim/timed/pool.hpp>

#include <string>
#include <vector>

namespace parley_tests {

namespace timed = parley::sim::timed;

// Nothing costs anything.
[[nodiscard]] inline timed::costs free_machine() {
    timed::costs c;
    c.name = "free";
    c.places = {2, 2, 3, 1};
    c.turn = timed::nanosecond;  // else a worker that finds nothing would not get on
    return c;
}

// Everything costs something, and what is far costs more.
[[nodiscard]] inline timed::costs usual_machine() {
    timed::costs c = free_machine();
    c.name = "usual";
    constexpr timed::duration ns = timed::nanosecond;
    c.line.core = 20 * ns;
    c.line.node = 60 * ns;
    c.line.socket = 100 * ns;
    c.line.machine = 140 * ns;
    c.push = 30 * ns;
    c.pop = 20 * ns;
    c.poll = 2 * ns;
    c.peek = 10 * ns;
    c.send_request = c.receive_request = c.send_tasks = c.receive_tasks = 100 * ns;
    c.steal = 10 * ns;
    c.steal_each = 3 * ns;
    c.split = 30 * ns;
    c.exchange = 10 * ns;
    c.turn = 20 * ns;
    c.block = 30 * ns;
    c.sleep = c.wake = c.signal = c.handler = 1000 * ns;
    c.wake_delay = 5000 * ns;
    c.signal_delay = 2000 * ns;
    c.suspend = 50 * ns;
    return c;
}

struct choice {
    std::string name;
    timed::choices how;
    bool locks_channels = false;
};

// Each of the two protocols with all that may be chosen of it, in a few combinations. Three workers at least.
[[nodiscard]] std::vector<choice> all_choices();

// Those of whom workers can go.
[[nodiscard]] std::vector<choice> resting_choices();

[[nodiscard]] timed::setup setup_of(const choice& c, std::uint32_t workers, std::uint64_t seed,
                                    const timed::costs& machine = usual_machine());

[[nodiscard]] timed::faults all_faults();

[[nodiscard]] inline timed::run_report run(const timed::setup& s, timed::shape& program) {
    return timed::pool(s, program).run();
}

struct safe_run {
    timed::setup setup;
    std::string name;
};

// Runs small programs of all kinds. The run itself throws if the end is announced too early or never, or if a task is lost
// or doubled.
void expect_each_task_once(const safe_run& s);

// Each barrier's moments, and one barrier after the other.
void expect_in_order(const timed::run_report& r);

// All that is in it: runs with the same text were the same.
[[nodiscard]] std::string text_of(const timed::run_report& r);

}  // namespace parley_tests
