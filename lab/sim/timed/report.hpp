// How a run in virtual time is set up, and what came of it.
#pragma once

#include <lab/sim/timed/choices.hpp>
#include <lab/sim/timed/costs.hpp>
#include <lab/sim/timed/time.hpp>
#include <lab/sim/timed/witness.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

namespace parley::inline v0::sim::timed {

// Chances are in 65,536ths. All drawn from the seed.
struct faults {
    std::uint32_t stall_chance = 0;  // that a worker does nothing for `stall` where it could go on
    duration stall = 0;
    std::uint32_t late_chance = 0;  // that whoever sends a request or an answer is held up by `late` before
    duration late = 0;
    std::uint32_t slow_chance = 0;  // that a core is slow: has so many percent of its speed
    std::uint32_t slow_percent = 100;
    duration resize_pause = 0;  // between two changes of how many workers there are to be, on average; 0: none
};

struct setup {
    choices how;                // settled
    std::uint32_t workers = 1;  // 1 to 20,000: each has a stack, two mappings of the some 65,000 of a process
    costs machine;
    bool barrier = false;               // the root task ends by a barrier, instead of waiting for its tasks
    bool locks_channels = false;        // who sends a request keeps others from sending to the same worker meanwhile
    bool weighs = false;                // a worker gives, and wakes others for, only what is worth it (driver/weighing.hpp)
    std::uint32_t task_lines = 0;       // cache lines of a task, which come from whoever made it to whoever runs it
    std::uint32_t iteration_lines = 0;  // cache lines of an iteration, which come from the worker that ran it last
    bool barriers_for_waits = false;    // and has one wherever it would wait for its tasks
    std::uint32_t barriers = 1;         // at the end, in a row
    bool asleep = false;                // the others sleep when the root task begins
    // Cores that workers share with each other and with programs beside them (shared_cores.hpp); 0: each has one.
    std::uint32_t cores = 0;
    std::uint32_t beside = 0;
    duration slice = 4000 * microsecond;
    clock_point (*clock)(moment) = as_clock_point;  // what clocks say, which may stand still or jump
    std::uint64_t seed = 1;
    struct faults faults;
    std::function<bool()> stops;  // asked now and then; true: the run throws `stopped`
    witness* seen_by = nullptr;   // null: nobody, and nothing is noted
};

// Where a worker's time goes: as figures 3.10 and 3.12 of the thesis.
enum class spent : std::uint8_t { running, queue, tasks, requests, idle };
inline constexpr std::size_t kinds_of_time = 5;
inline constexpr std::array<const char*, kinds_of_time> names_of_time{
    "running", "enqueue and dequeue", "sending and receiving tasks", "sending and receiving requests", "idle"};

struct worker_report {
    std::uint64_t tasks = 0;     // that this worker ran
    std::uint64_t requests = 0;  // of its own that it sent out
    std::uint64_t for_half = 0;  // of these, for half of the victim's tasks
    std::uint64_t hops = 0;      // messages with requests that it sent, its own and others'
    std::uint64_t messages = 0;  // requests, answers and news to a manager
    std::uint64_t steals = 0;    // answers received
    std::uint64_t stolen = 0;    // tasks in them
    std::uint64_t failed = 0;    // requests that it found answered by nobody
    std::uint64_t splits = 0;
    std::uint64_t moved = 0;  // iterations whose lines came from another worker
    std::uint64_t sleeps = 0, wakes = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t departures = 0;   // times it was suspended between two tasks
    std::uint64_t core_losses = 0;  // to other threads
    std::array<duration, kinds_of_time> time{};

    void add(const worker_report& other) noexcept {
        tasks += other.tasks;
        requests += other.requests;
        for_half += other.for_half;
        hops += other.hops;
        messages += other.messages;
        steals += other.steals;
        stolen += other.stolen;
        failed += other.failed;
        splits += other.splits;
        moved += other.moved;
        sleeps += other.sleeps;
        wakes += other.wakes;
        interrupts += other.interrupts;
        departures += other.departures;
        core_losses += other.core_losses;
        for (std::size_t i = 0; i < kinds_of_time; ++i) time[i] += other.time[i];
    }
};

// A task barrier (TH figure 4.7).
struct barrier_report {
    moment opened = 0;
    moment last_task = 0;      // when it ended, or when the barrier was opened if that was later
    moment announced = never;  // by whoever has found that no task is left: m1
    moment heard = never;      // by worker 0: w1
    moment left = 0;           // w2
};

struct run_report {
    duration took = 0;       // until the root task had awaited its tasks, or was released from its barrier
    duration work = 0;       // what the tasks computed, on cores of their own at full speed
    duration released = 0;   // the barrier at the end
    duration last_task = 0;  // when it ended
    std::uint64_t tasks = 0;
    std::uint64_t events = 0;
    std::vector<barrier_report> barriers;
    // How long it took to find that no task was left: after the last task, or after the last barrier was opened.
    [[nodiscard]] duration end_detected_after() const noexcept {
        return barriers.back().announced - barriers.back().last_task;
    }
    std::uint64_t resizes = 0;
    std::uint32_t fewest = 0;  // workers that were to be at work at the same time
    std::vector<worker_report> workers;

    [[nodiscard]] worker_report total() const noexcept {
        worker_report sum;
        for (const worker_report& w : workers) sum.add(w);
        return sum;
    }
};

// The program's tasks take more than `most_work`.
struct too_much_work : std::runtime_error {
    too_much_work()
        : std::runtime_error("its tasks take more than 30 days of virtual time; allowed: fewer or shorter ones") {}
};

// What must not happen: an end announced while there are tasks, one that is never announced, a task lost or doubled.
struct broken_promise : std::logic_error {
    using std::logic_error::logic_error;
};
struct stopped : std::runtime_error {
    stopped() : std::runtime_error("stopped") {}
};

}  // namespace parley::inline v0::sim::timed
