// Jobs from outside: how whoever sends one finds the worker that sleeps for lack of work.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <optional>

namespace parley::inline v0::protocol {

// After a job was sent to the injector: as long as jobs wait and requests rest, answers the ones
// with the others; a job for which no request rests is announced to all (I11). Any thread, worker or
// not.
//
// The job is drawn first. The other order, claiming a request and giving it back when the job has
// gone, would break what a claim means: that an answer comes. While it is held, others see no job,
// so after putting it back the lobby is looked at once more: a worker that fell asleep meanwhile has
// deposited its request before.
template <class M>
void relay_jobs(M& m) {
    while (const auto j = m.draw_job()) {
        std::optional<request_id> r = m.take_resting();
        while (r && !m.claim(*r, request_state::resting, request_state::taken)) r = m.take_resting();  // withdrawn meanwhile
        if (r) {
            m.send_job(*r, *j);
            m.raise_and_wake(thief_of(*r), bits::tasks);
            continue;
        }
        m.put_back_job(*j);
        if (m.lobby_empty()) {
            m.raise_all(bits::jobs);
            return;
        }
    }
}

}  // namespace parley::inline v0::protocol
