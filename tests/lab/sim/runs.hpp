// Running a seed and saying how to run it again.
#pragma once

#include "tests/seeds.hpp"

#include <lab/sim/schedule.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace sim_tests {

namespace sim = parley::sim;

template <class Stealing>
using machine = parley::protocol::worker<parley::protocol::random_victims, Stealing>;

struct result {
    std::string invariant;  // empty: all held
    std::string what;
    std::uint64_t steps = 0;
    std::uint64_t fingerprint = 0;
    std::string log;  // its last steps, if asked for
};

// Where agents are to be stalled, if not where the seed says.
struct aim {
    sim::operation after{};
    std::uint32_t longest_wait = 0;  // in bursts of others
};

using parley_tests::seeds;

// PARLEY_SIM_LOG: so many last steps of a failing run are printed, 150 if it is not set.
std::size_t steps_to_print();

// `steps_to_log`: 0 is fast.
template <class Machine, class Medium = sim::virtual_medium>
result run(const sim::program& p, std::uint32_t workers, std::uint64_t seed, std::size_t steps_to_log = 0,
           std::optional<aim> aimed = {}, const sim::strategies& how = {}) {
    sim::schedule<Machine, Medium> s(p, {.workers = workers, .seed = seed, .patient_end = false, .how = how});
    if (aimed) s.aim_at(aimed->after, aimed->longest_wait);
    s.what_runs().remember(steps_to_log);
    result r;
    try {
        s.run();
    } catch (const sim::violation& v) {
        r.invariant = v.invariant;
        r.what = v.what();
    }
    r.steps = s.what_runs().now().shared.step;
    r.fingerprint = s.what_runs().fingerprint();
    if (steps_to_log > 0) r.log = sim::text_of(s.what_runs().history(), s.what_runs().now());
    return r;
}

}  // namespace sim_tests
