// Where threads run: hwloc's view of the machine. Loading it takes milliseconds, so only what needs
// it asks, and never the first call's path.
#pragma once

#include <parley/detail/protocol/request.hpp>
#include <parley/options.hpp>

#include <cstdint>
#include <vector>

namespace parley::inline v0::threading {

// Binds the calling thread to the place of worker `id` among `workers`. Best effort: a thread that
// may not be bound runs where the system puts it.
void bind_this_thread(binding how, protocol::worker_id id, unsigned workers) noexcept;

// How far the places of all workers are from each other: [w * workers + v] is how many levels (of core,
// caches, memory) lie between the place of w and the smallest thing that it shares with that of v.
std::vector<std::uint32_t> distances(binding how, unsigned workers);

}  // namespace parley::inline v0::threading
