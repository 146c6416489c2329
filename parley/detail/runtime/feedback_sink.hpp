// The interface by which a pool tells a broker of cores what its workers do (BI §2.3). The broker's side is a library
// of its own (broker/client/pool_member.cpp). A program that is not linked with that library has neither its thread nor
// its descriptors.
#pragma once

#include <parley/detail/driver/states.hpp>
#include <parley/detail/protocol/machine_parts.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace parley::inline v0::threading {

class pool;

class feedback_sink {
public:
    feedback_sink() = default;
    feedback_sink(const feedback_sink&) = delete;
    feedback_sink& operator=(const feedback_sink&) = delete;
    virtual ~feedback_sink() = default;

    // Lets the broker leave the pool as it is from now on.
    virtual void let_go() noexcept = 0;

    // Says what the worker does from now on. The worker itself calls this, and only when that changes.
    virtual void does(protocol::worker_id, doing) noexcept = 0;
};

struct broker_client {
    // Joins the broker at that socket once there is one, and follows it: resizes the pool, and moves the program's
    // threads. Throws std::system_error if there is no thread or descriptor to be had; then the pool does without a
    // broker.
    std::unique_ptr<feedback_sink> (*join)(pool&, const std::string& socket);

    // Returns the socket for a value of PARLEY_BROKER: a path, or nothing for `off`. If `value` is null, it is the
    // place where a broker is by default. Throws environment_error.
    std::string (*socket)(const char* value);
};

}  // namespace parley::inline v0::threading

// The broker's library defines this function. A program is linked with that library if the function has an address. It
// is a weak symbol. A static object that registers the library might be constructed after the default runtime has
// started.
extern "C" [[gnu::weak]] const parley::threading::broker_client* parley_broker_client() noexcept;

namespace parley::inline v0::threading {

// Returns the linked client, or null if there is none. Where requests circulate it is null, too: no worker can go, and
// the linked library knows the pools of the other machine.
inline const broker_client* linked_broker_client() noexcept {
    if constexpr (protocol::requests_circulate) return nullptr;
    else return parley_broker_client != nullptr ? parley_broker_client() : nullptr;
}

}  // namespace parley::inline v0::threading
