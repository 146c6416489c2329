// Keeps the threads of this process on the cores that brokers have given it. They are the process': if several of its
// runtimes have joined, its threads may run on what any of them has.
#pragma once

#include <broker/client/allotment.hpp>

#include <sys/types.h>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

class own_threads {
public:
    struct bound_thread {
        pid_t thread = 0;
        core_id core = 0;
    };

    own_threads() = default;
    own_threads(const own_threads&) = delete;
    own_threads& operator=(const own_threads&) = delete;
    ~own_threads() { release(); }

    // The process' threads to these cores and those of others' allotments, `bound` ones to one core each. Others that
    // the program has bound elsewhere are left alone, but not `own` ones. So is the calling thread: confined, whoever
    // brings the news of cores that have become free would wait behind the worker that has the old one. Threads made
    // later inherit it from who makes them. False: they cannot be found.
    bool confine(const std::vector<core_id>& cores, const std::vector<pid_t>& own, const std::vector<bound_thread>& bound);
    // This allotment counts no more. After the last one they are where they were before the first.
    void release();

    // What this process might use before anybody confined it.
    [[nodiscard]] static core_mask cores_of_process();
};

}  // namespace parley::inline v0::broker
