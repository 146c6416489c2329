// A thread that sends a job from outside finds a worker here that sleeps for lack of work.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <optional>

namespace parley::inline v0::protocol {

// Call this after a job was sent to the injector, on any thread. It answers resting requests with jobs as long as there
// are both. If no request rests, it announces the job to all workers (I11).
//
// The job is drawn before a request is claimed:
// 1. A claimed request must get an answer (I2). So nobody may claim one, find that the job has gone, and give it back.
// 2. While the job is held here, others see none, and may fall asleep. Each of them has deposited its request before.
// 3. So after putting the job back this looks into the lobby once more, and finds the request of such a sleeper.
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
