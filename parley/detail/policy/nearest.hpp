// Who is near whom: workers by the caches and memory that their places share.
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

// For each worker the others, the nearest first. O(workers^2) memory.
class nearest_map {
public:
    // distance[w * workers + v]: of w and v; smaller is nearer.
    nearest_map(std::uint32_t workers, const std::vector<std::uint32_t>& distance);

    [[nodiscard]] protocol::worker_id victim(protocol::worker_id thief, std::uint32_t i) const noexcept {
        return victims_[thief * (workers_ - 1) + i];
    }
    // Those places i in the order that are as near as this one.
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

// As protocol::nearest_first takes it.
struct nearest_places {
    const nearest_map* map = nullptr;
    // A thief behind the workers asks as one of them does.
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
