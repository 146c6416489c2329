// Detection of termination by counting answers: Mattern's four counters (Algorithms for distributed
// termination detection, Distributed Computing 2, 1987).
#pragma once

#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

struct scan_result {
    bool all_idle = true;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    friend constexpr bool operator==(const scan_result&, const scan_result&) = default;
};

template <class M>
scan_result scan(M& m, std::uint32_t workers) {
    scan_result sum;
    const std::uint32_t seats = seats_of(m, workers);
    for (worker_id w = 0; w < seats; ++w) {
        const published_state p = m.published(w);
        sum.all_idle = sum.all_idle && p.idle;
        sum.sent += p.sent;
        sum.received += p.received;
    }
    sum.sent += m.jobs_sent();  // a job from outside is an answer, too
    return sum;
}

// True only if no task is in a deque, in a channel, running or suspended (I4). O(workers).
//
// One scan is not enough: a worker seen idle may then get a task from a worker that is seen idle later. Two scans are:
// 1. The counters only grow. So equal sums mean that no answer was sent or received between the end of the first scan and
//    the beginning of the second.
// 2. At that time every worker was idle. Otherwise it would have sent, received, or been seen busy by the second scan.
// 3. As many answers were received as were sent. So no answer was on its way.
template <class M>
bool terminated(M& m, std::uint32_t workers) {
    const scan_result first = scan(m, workers);
    if (!first.all_idle || first.sent != first.received) return false;
    return scan(m, workers) == first;
}

}  // namespace parley::inline v0::protocol
