// Where an agent is, and what lies on a worker's stack. Plain values.
#pragma once

#include <lab/sim/operation.hpp>

#include <cstdint>
#include <vector>

namespace parley::inline v0::sim {

// Where an agent is; the names of handlers of the protocol mean "in that handler".
enum class point : std::uint8_t {
    unstarted,  // a worker whose thread has not been started
    outside,    // worker 0 between visits; an outsider between errands
    entering,
    in_code,  // of the task on top of the stack
    serving,
    telling,        // news about a task that has ended
    between_tasks,  // wait loop: after each task a look at the attention word
    serving_between,
    opening_barrier,
    closing_barrier,
    looking,       // wait loop: is it done?
    taking,        // is there a task in the deque?
    asking_early,  // a task was taken out of it, one of the last
    beginning,     // a task was taken out of it
    paying,        // news that is owed, before seeking
    calling_back,  // its request: it is to go
    seeking,
    resting,
    retaking,  // what it has sent
    falling_asleep,
    looking_again,     // the last look before sleeping
    looking_for_jobs,  // one that is to go
    wanting_jobs,
    committing,  // to sleep
    asleep,
    rising,
    waking_up,
    withdrawing,  // the wait is over
    paying_out,
    uncancelling,  // the root task has ended
    handing_on,    // worker 0 gives its tasks away before it goes
    counting_job,  // sending a job, in three parts
    sending_job,
    relaying,
    leaving,
    staying_away,  // a worker that is suspended between two tasks
    coming_back,
    serving_away,
    stopping,           // worker 0 ends the runtime
    cancelling,         // an outsider cancels the work
    resizing,           // an outsider says how many workers there are to be
    waking_waiters,     // of a task that is complete
    locked_out,         // of a lock that another task has
    serving_alone,      // a wait in an isolated region
    withdrawing_alone,  // before it sleeps
    receiving_late,     // what it handed on as jobs is not all
    lending,            // its place, before it blocks
    calling_stand_ins,
    serving_to_block,
    withdrawing_to_block,
    taking_back,  // its place
    calling_back_stand_ins,
    entering_again,
    finished,
};

enum class frame_kind : std::uint8_t { task, join, barrier, stop, await, visit };

// Why a worker hands its tasks on: it goes or is to go, it sleeps alone, or it blocks.
enum class handing : std::uint8_t { to_go, to_sleep, to_block };

// One level of a worker's stack: a task, or a wait loop.
struct frame {
    frame_kind kind{};
    task_id task = no_task;    // of a join: whose tasks it waits for; of an await: for which task
    std::uint32_t pc = 0;      // next instruction
    std::uint32_t worked = 0;  // steps of the present `work`
    // Of a task that is in an isolated region: how it was before, and what was held as the region began.
    bool was_isolated = false;
    std::uint32_t held_before = 0;
    std::uint32_t held_then = 0;
    friend bool operator==(const frame&, const frame&) = default;
};

struct agent {
    point at = point::outside;
    std::vector<entry> log;   // of the handler that it is in
    task_id job = no_task;    // that it is sending
    std::uint32_t next = 0;   // worker to raise a bit for, in a loop over all of them
    bool tells_on = false;    // it has raised a bit of worker 0, and has yet to look as whom that sleeps
    bool saw_relay = false;   // where a broken one looks at that first
    std::uint32_t woken = 0;  // whom it has to wake (base::completion_word::woken)
    friend bool operator==(const agent&, const agent&) = default;
};

}  // namespace parley::inline v0::sim
