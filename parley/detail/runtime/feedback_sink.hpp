// What a pool tells a broker of cores about its workers' time (BI §2.3). The broker's side is a library of its own
// (broker/client/pool_member.cpp): a program that is not linked with it has neither its thread nor its descriptors.
#pragma once

#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/protocol/request.hpp>

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

struct broker_client {
    // Joins the broker at that socket once there is one, and follows it: resizes the pool, and moves the program's threads.
    // Throws std::system_error if there is no thread or descriptor to be had: then the pool does without.
    std::unique_ptr<feedback_sink> (*join)(pool&, const std::string& socket);

    // Of PARLEY_BROKER's value: a path; empty for `off`. Null: where a broker is by default. Throws environment_error.
    std::string (*socket)(const char* value);
};

}  // namespace parley::inline v0::threading

// Defined by the broker's library, which a program has linked if this has an address. A weak symbol, and no registration
// by a static object: the default runtime may start before that object's turn.
extern "C" [[gnu::weak]] const parley::threading::broker_client* parley_broker_client() noexcept;

namespace parley::inline v0::threading {

// Null: there is none. Where requests circulate nobody can go, and what is linked knows the pools of the other machine.
inline const broker_client* linked_broker_client() noexcept {
    if constexpr (protocol::requests_circulate) return nullptr;
    else return parley_broker_client != nullptr ? parley_broker_client() : nullptr;
}

}  // namespace parley::inline v0::threading
