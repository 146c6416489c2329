// What a program is to virtual workers: tasks that compute for some time, make others and wait for them. No results:
// only what decides who does what, and when.
#pragma once

#include <lab/sim/timed/time.hpp>

#include <array>
#include <cstdint>

namespace parley::inline v0::sim::timed {

using task_words = std::array<std::uint64_t, 3>;  // what a task was made with

// A task that runs, as its shape sees it: asked again and again what it does next, until it ends.
struct activity {
    std::uint32_t kind = 0;
    std::uint32_t step = 0;  // the shape's own, as are the next two
    std::uint64_t count = 0;
    task_words words{};
};

enum class deed : std::uint8_t {
    work,          // computes for `length`
    spawn,         // makes a task that this one awaits
    spawn_beside,  // makes a task that is awaited by whoever awaits this one; by nobody, but the barrier, if nobody does
    spawn_alone,   // makes a task that nobody awaits, but the barrier
    fork,          // makes a task that `join` takes back, if nobody has it by then
    call,          // does that as part of this one
    join,          // the newest fork: does it here, or waits for whoever has it
    wait,          // for all that it has spawned
    barrier,       // waits until no task is left anywhere: the root task only
    loop,          // `words[0]` iterations of loop `kind`, which may be split, and waits for all of them
    end,
};

struct next_deed {
    deed what = deed::end;
    duration length = 0;
    std::uint32_t kind = 0;
    task_words words{};
};

class shape {
public:
    shape() = default;
    shape(const shape&) = delete;
    shape& operator=(const shape&) = delete;
    virtual ~shape() = default;

    // Kind 0 is the root task: worker 0 does it. With `barrier` it awaits nothing of what it spawns: the barrier that
    // follows does.
    [[nodiscard]] virtual next_deed next(activity& a, bool barrier) = 0;
    // How long one iteration takes.
    [[nodiscard]] virtual duration iteration(std::uint32_t /*loop*/, std::uint64_t /*i*/) { return 0; }
    // Tasks compute something; false: they take a given time, by whatever measures it, also beside other threads of
    // their core.
    [[nodiscard]] virtual bool really_computes() const { return false; }
    // A task that computes looks up this often, and so does each block of a loop; 0: not before it ends.
    [[nodiscard]] virtual duration poll_every(const activity& /*of*/) const { return 0; }
};

}  // namespace parley::inline v0::sim::timed
