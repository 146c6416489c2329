// A worker of threads, and what it is in the protocol.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <utility>

namespace parley::inline v0::threading {

// All workers of a pool are made as such.
struct alignas(2 * base::cache_line) worker_and_machine final : worker {
    worker_and_machine(pool& owner, protocol::worker_id number, protocol_worker how)
        : worker(owner, number), machine(std::move(how)) {}
    protocol_worker machine;
};

[[nodiscard]] inline protocol_worker& machine_of(worker& w) noexcept { return static_cast<worker_and_machine&>(w).machine; }

}  // namespace parley::inline v0::threading
