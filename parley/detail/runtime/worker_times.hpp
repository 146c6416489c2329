/// @file
/// What the time of one worker went to, as TH figures 3.10 and 3.12 break it down.
#pragma once

namespace parley::inline v0 {

/// Seconds, in all that its runtime has done so far: runtime::times() returns one for each worker. Together as long as the
/// runtime has existed.
struct worker_times {
    double running = 0;          ///< tasks
    double queueing = 0;         ///< putting tasks into the own deque, and taking them out
    double moving_tasks = 0;     ///< sending and taking in tasks
    double moving_requests = 0;  ///< sending, answering and passing on requests
    double idle = 0;             ///< no task to run; or worker 0, and nobody is in run()
};

}  // namespace parley::inline v0
