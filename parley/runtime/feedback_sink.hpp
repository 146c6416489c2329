// What a pool tells a broker of cores about its workers' time (BI §2.3). The broker's side lies above this room, in
// broker/client/pool_member.cpp, and defines the two functions that lead there.
#pragma once

#include <parley/protocol/request.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace parley::inline v0::threading {

class pool;

enum class doing : std::uint8_t {
    useful,    // in a task; worker 0 also outside the runtime: the system knows whether its thread runs there
    stealing,  // looks for one
    mugging,   // somebody has taken its request and is about to answer
    parked,    // asleep, or suspended
};

class feedback_sink {
public:
    feedback_sink() = default;
    feedback_sink(const feedback_sink&) = delete;
    feedback_sink& operator=(const feedback_sink&) = delete;
    virtual ~feedback_sink() = default;

    // Leaves the pool as it is from now on.
    virtual void let_go() noexcept = 0;

    // From now on. Called by the worker itself, where that changes and nowhere else.
    virtual void does(protocol::worker_id, doing) noexcept = 0;
};

// Joins the broker at that socket once there is one, and follows it: resizes the pool, and moves the program's threads.
// Throws std::system_error if there is no thread or descriptor to be had: then the pool does without.
std::unique_ptr<feedback_sink> join_broker(pool&, const std::string& socket);

// PARLEY_BROKER: a path; empty for `off`. Unset: where a broker is by default. Throws environment_error.
std::string broker_socket_from_environment();

}  // namespace parley::inline v0::threading
