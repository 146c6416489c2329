// A worker's part in the detection of termination: when it says that it is idle, and who looks then.
#pragma once

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/standing.hpp>
#include <parley/detail/protocol/termination.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

// The papers give the role to worker 1 (CH §2.2). It keeps it until it goes away (worker::stay_away).
constexpr worker_id manager_of(std::uint32_t workers) noexcept { return workers > 1 ? 1 : 0; }

class idleness {
public:
    template <medium M>
    void become_active(M& m) {
        if (!idle_) return;
        idle_ = false;
        m.publish_idle(false);
    }

    // Idle first, then a look at the barrier; worker 0 opens the barrier first and says that it is
    // idle after that: so whoever is last asks the manager.
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
        m.publish_sent();  // the release counts as an answer: no second announcement before it is in
        m.raise_and_wake(0, bits::released);
    }

    friend constexpr bool operator==(const idleness&, const idleness&) = default;

private:
    bool idle_ = false;  // as published
};

}  // namespace parley::inline v0::protocol
