// Jobs from outside: how whoever sends one finds the worker that sleeps for lack of work.
#pragma once

#include <parley/protocol/bits.hpp>
#include <parley/protocol/medium.hpp>
#include <parley/protocol/request.hpp>

#include <optional>

namespace parley::inline v0::protocol {

// After a job was sent to the injector: as long as jobs wait and requests rest, answers the ones
// with the others (I11). Any thread, worker or not. If it finds no request, every worker either
// runs something, and looks for jobs when that is done, or has yet to look before it falls asleep.
template <class M>
void relay_jobs(M& m) {
    while (m.jobs_waiting()) {
        const std::optional<request_id> r = m.take_resting();
        if (!r) return;
        if (!m.claim(*r, request_state::resting, request_state::taken)) continue;  // withdrawn
        if (m.send_job(*r)) {
            m.raise_and_wake(thief_of(*r), bits::tasks);
        } else {
            // Somebody else took the job. The request goes back, and the loop looks again: another
            // job's sender may have missed the request meanwhile.
            m.set_state(*r, request_state::resting);
            if (m.deposit(*r)) m.ring();
        }
    }
}

}  // namespace parley::inline v0::protocol
