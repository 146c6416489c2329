// A worker of threads with all its parts. Here are those that only the wait loop and the .cpp files of this folder
// touch. So what users include knows neither the policies nor the protocol's machine.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/base/contract.hpp>
#include <parley/detail/driver/policies.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/relay.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// All workers of a pool are objects of this type.
struct alignas(2 * base::cache_line) whole_worker final : worker {
    whole_worker(pool& owner, protocol::worker_id number, depot& cells, protocol_worker in_protocol);
    ~whole_worker() { PARLEY_REQUIRE(!own_part().suspended.any()); }
    whole_worker(const whole_worker&) = delete;
    whole_worker& operator=(const whole_worker&) = delete;

    // These belong to its own part: its thread alone touches them.
    policies policy;
    protocol_worker machine;
    // This belongs to what others write. It names the worker that is to be woken in this one's place (visiting.hpp).
    sync::relay<worker> sleeps_as;
    // This belongs to what it publishes. People read it.
    shown_to_people to_people;
};

[[nodiscard]] inline protocol_worker& machine_of(worker& w) noexcept { return static_cast<whole_worker&>(w).machine; }
[[nodiscard]] inline policies& policies_of(worker& w) noexcept { return static_cast<whole_worker&>(w).policy; }
[[nodiscard]] inline const policies& policies_of(const worker& w) noexcept {
    return static_cast<const whole_worker&>(w).policy;
}
[[nodiscard]] inline sync::relay<worker>& sleeps_as(worker& w) noexcept { return static_cast<whole_worker&>(w).sleeps_as; }
[[nodiscard]] inline shown_to_people& to_people(worker& w) noexcept { return static_cast<whole_worker&>(w).to_people; }
[[nodiscard]] inline const shown_to_people& to_people(const worker& w) noexcept {
    return static_cast<const whole_worker&>(w).to_people;
}

// Called when the worker's thread has come to this stack. Others read an address on it, for people (noted_waits.hpp).
[[gnu::always_inline]] inline void runs_on_this_stack(worker& self) noexcept {
    to_people(self).frame.set(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

}  // namespace parley::inline v0::threading
