// The place where the workers of a pool and threads outside meet: the media share this. Any thread may touch it, but
// only by the operations of the channels in it.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/injector.hpp>
#include <parley/detail/sync/lobby.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// A task that comes from outside the workers.
struct job : task {
    job* next = nullptr;
};

struct exchange {
    exchange(std::uint32_t seats, std::uint32_t workers)
        : lobby(seats * protocol::most_requests, workers * protocol::most_requests),
          asleep(seats * protocol::most_requests, workers * protocol::most_requests) {}

    sync::lobby lobby;
    sync::injector<job, &job::next> jobs;
    sync::shared_counter jobs_sent;
    sync::published<bool> barrier_open{false};
    // The worker that scans for termination (protocol::worker::stay_away()).
    sync::published<protocol::worker_id> manager{0};
    [[no_unique_address]] protocol::part_of_runtime<task> of_machine;
    // The first requests of all workers whose attention words are marked asleep, and perhaps of some more. A worker that may
    // have to wake one reads this first, and no words if it is empty. One that falls asleep later is noted later (seq_cst),
    // is marked then, and looks at that worker itself. The set has a line of its own, because busy workers read it often.
    alignas(base::cache_line) sync::lobby asleep;
};

}  // namespace parley::inline v0::threading
