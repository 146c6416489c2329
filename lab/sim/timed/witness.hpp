// Who is told what the workers of a run do, and when: for timelines.
#pragma once

#include <lab/sim/timed/time.hpp>

#include <cstdint>

namespace parley::inline v0::sim::timed {

// What trace/recorder.hpp notes of real workers.
enum class doing : std::uint8_t {
    run,     // worker 0, until it is released
    task,    // that was taken from a deque; what a join takes back is part of who joins
    search,  // for tasks
    sleep,
    giving,
    getting,  // tasks; the number is the request's
    split,    // so many iterations given away
};
enum class phase : std::uint8_t { begins, ends, happens };

struct sight {
    doing what = doing::run;
    phase how = phase::happens;
    std::uint32_t worker = 0;
    std::uint16_t stack = 0;  // of the worker's; 0: its thread's own
    moment when = 0;          // not before what this worker did last
    std::uint64_t number = 0;
};

// Whatever it does, the run is the same.
class witness {
public:
    witness() = default;
    witness(const witness&) = delete;
    witness& operator=(const witness&) = delete;
    virtual ~witness() = default;
    virtual void sees(const sight& s) = 0;
};

}  // namespace parley::inline v0::sim::timed
