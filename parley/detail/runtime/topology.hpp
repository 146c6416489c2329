// The machine that threads run on, as hwloc sees it, or as Linux describes it below /sys if Parley was built without
// hwloc. To load that takes milliseconds. So it is only loaded where it is needed, and never on the first call's path.
#pragma once

#include <parley/detail/protocol/request.hpp>
#include <parley/options.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace parley::inline v0::threading {

// Binds the calling thread to the place of worker `id` among `workers`. Best effort: a thread that
// may not be bound runs where the system puts it.
void bind_this_thread(binding how, protocol::worker_id id, unsigned workers) noexcept;

// Returns how far the places of all workers are from each other. [w * workers + v] is a number of levels (of core,
// caches, memory). They lie between the place of w and the smallest thing that it shares with that of v.
std::vector<std::uint32_t> distances(binding how, unsigned workers);

// The version of hwloc's interface that is used, or "none".
std::string_view hwloc_version() noexcept;

}  // namespace parley::inline v0::threading
