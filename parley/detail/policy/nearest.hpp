// Which workers are near each other, by the caches and memory that their places share.
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

// A list for each worker: the others, the nearest first. O(workers^2) memory.
class nearest_map {
public:
    // distance[w * workers + v] is that of w and v. A smaller number is nearer.
    nearest_map(std::uint32_t workers, const std::vector<std::uint32_t>& distance);

    [[nodiscard]] protocol::worker_id victim(protocol::worker_id thief, std::uint32_t i) const noexcept {
        return victims_[thief * (workers_ - 1) + i];
    }
    // The places [first, last) of the list that are as near as place i.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> equally_near(protocol::worker_id thief,
                                                                       std::uint32_t i) const noexcept {
        const auto& [first, last] = groups_[thief * (workers_ - 1) + i];
        return {first, last};
    }

private:
    std::size_t workers_;
    std::vector<protocol::worker_id> victims_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> groups_;
};

// This is the `Map` of protocol::nearest_first.
struct nearest_places {
    const nearest_map* map = nullptr;
    // A thief whose number is no worker's asks in the order of a worker.
    [[nodiscard]] protocol::worker_id victim(protocol::worker_id thief, std::uint32_t i,
                                             std::uint32_t workers) const noexcept {
        return map->victim(thief % workers, i);
    }
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> equally_near(protocol::worker_id thief, std::uint32_t i,
                                                                       std::uint32_t workers) const noexcept {
        return map->equally_near(thief % workers, i);
    }
    friend bool operator==(const nearest_places&, const nearest_places&) = default;
};

}  // namespace parley::inline v0::threading
