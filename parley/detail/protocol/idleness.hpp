// This class is a worker's part in the detection of termination: it says when the worker is idle, and who looks then.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/protocol/termination.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

// The papers give the manager's role to worker 1 (CH §2.2), which keeps the role until it goes (worker::stay_away).
constexpr worker_id manager_of(std::uint32_t workers) noexcept { return workers > 1 ? 1 : 0; }

class idleness {
public:
    template <medium M>
    void become_active(M& m) {
        if (!idle_) return;
        idle_ = false;
        m.publish_idle(false);
    }

    // A worker says that it is idle before it looks at the barrier. Worker 0 opens the barrier before it says so. So
    // whichever worker is the last sees the open barrier and asks the manager (I4).
    template <medium M>
    void say_idle(M& m) {
        if (idle_) return;
        idle_ = true;
        m.publish_idle(true);
        if (m.barrier_open()) m.raise_and_wake(m.manager(), bits::scan);
    }

    template <medium M>
    void announce_if_terminated(M& m, std::uint32_t workers) const {
        if (!idle_ || !m.barrier_open() || !terminated(m, workers)) return;
        m.publish_sent();  // the release counts as an answer, so nothing is announced twice before it is received
        m.raise_and_wake(0, bits::released);
    }

    friend constexpr bool operator==(const idleness&, const idleness&) = default;

private:
    bool idle_ = false;  // the value that was published last
};

}  // namespace parley::inline v0::protocol
